"""What the screens that step through moves have in common."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from ninefold.tui.screens.screen import PositionScreen

STEPS: list[BindingType] = [
    Binding("left", "step(-1)", "Back", key_display="←", tooltip="Previous move"),
    Binding("right", "step(1)", "Next", key_display="→", tooltip="Next move"),
    Binding("home", "go(0)", "Start", show=False, tooltip="Go to the start"),
    Binding("end", "go(-1)", "End", show=False, tooltip="Go to the end"),
]


class Steps(PositionScreen):
    """A screen that shows one position of a line at a time, from 0 to `end`. Its keys include STEPS."""

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
