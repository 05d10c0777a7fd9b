"""A match to step through: the position, and the moves beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual.binding import Binding, BindingType

from ninefold.core.seat import Seat
from ninefold.match import Match
from ninefold.show.endings import describe_ending
from ninefold.show.moves import cast_of, say_place
from ninefold.show.scene import scene_of
from ninefold.tui.board.beside import Notes
from ninefold.tui.board.position import PositionWidget
from ninefold.tui.screens.screen import BACK, RULES, title_of
from ninefold.tui.screens.steps import STEPS, Steps


class Replay(Steps):
    """A match move by move, as one of its players sees it.

    `you` is the one who reads, if one of them does. A match that is not `studied` yet, because it is
    still being played against somebody elsewhere, is shown and not looked into.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *STEPS,
        Binding("x", "explore", "Explore", tooltip="Explore from this position"),
        RULES,
        BACK,
    ]

    def __init__(self, match: Match, you: Seat | None, *, studied: bool = True, at: int = 0) -> None:
        super().__init__()
        self.match = match
        self.cast = cast_of(match, you)
        self.viewer = self.cast.player1 if you is None else you
        self.studied = studied
        self.end = len(match.played)
        self.at = min(at, self.end)
        self._turns = scene_of(match.states, match.played, self.viewer, self.cast, ()).turns

    def on_mount(self) -> None:
        self.draw()

    def draw(self) -> None:
        match, at = self.match, self.at
        scene = scene_of(match.states[: at + 1], match.played[:at], self.viewer, self.cast, ())
        self.query_one(PositionWidget).show(replace(scene, turns=self._turns), self.notes())
        self.write_head(title_of(scene), say_place(match, at))
        self.write("news", " ".join(scene.news))
        self.write("status", " ".join(self.say()))

    def notes(self) -> Notes:
        """What stands beside the board."""
        over = self.at == self.end and self.match.over
        return Notes(movers=() if over else self.match.states[self.at].movers, at=self.at)

    def say(self) -> list[str]:
        """What is to be said of the position, in sentences."""
        match = self.match
        return describe_ending(match, self.cast).lines if match.over and self.at == self.end else []

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self.studied if action == "explore" else True

    def action_explore(self) -> None:
        match = self.match
        at = match.ply if self.at > match.ply else self.at
        self.nine.explore(match.game, match.state.setup, match.written(at))
