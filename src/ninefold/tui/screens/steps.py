"""Going through moves that were made: what all screens have that show one position after the other."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from ninefold.tui.screens.screen import PositionScreen

STEPS: list[BindingType] = [
    Binding("left", "step(-1)", "Back", key_display="←", tooltip="The move before"),
    Binding("right", "step(1)", "Next", key_display="→", tooltip="The next move"),
    Binding("home", "go(0)", "Start", show=False, tooltip="The start"),
    Binding("end", "go(-1)", "End", show=False, tooltip="The end"),
]


class Steps(PositionScreen):
    """A screen of positions in a row, from 0 to `end`. Its keys are STEPS and more."""

    AUTO_FOCUS = ""  # nothing is chosen, so the arrows step

    at = 0  # moves that have been made
    end = 0

    def draw(self) -> None:
        """Draw the position after `at` moves."""
        raise NotImplementedError

    def action_step(self, step: int) -> None:
        self.go_to(self.at + step)

    def action_go(self, place: int) -> None:
        self.go_to(self.end if place < 0 else place)

    def go_to(self, place: int) -> None:
        self.at = min(max(place, 0), self.end)
        self.draw()
