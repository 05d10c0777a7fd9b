"""Find the better move: the position before a mistake, to try again."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType

from ninefold.analysis import Choice, evaluate
from ninefold.core.cast import Cast
from ninefold.match import Match
from ninefold.show.choosing import NOT_LEGAL, ask_other_half
from ninefold.show.moves import capitalize
from ninefold.show.reviews import answer_try, ask_better_move, say_solution, tags_of_better
from ninefold.show.scene import scene_of
from ninefold.study.reviews import Judged
from ninefold.tui.board.beside import Notes
from ninefold.tui.board.position import PositionWidget
from ninefold.tui.screens.screen import BACK, RULES, PositionScreen, title_of


class BetterMove(PositionScreen):
    """Every legal move can be tried; nothing is told before it is asked for."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "show", "Show it", tooltip="Show the better move"),
        RULES,
        BACK,
    ]

    def __init__(self, match: Match, one: Judged, cast: Cast) -> None:
        super().__init__()
        self.match, self.one, self.cast = match, one, cast
        self.state = match.states[one.number - 1]
        self._choices: list[Choice] = []
        self._said = ""
        self._shown = False

    def on_mount(self) -> None:
        self.query_one(PositionWidget).focus()
        self.write("news", capitalize(ask_better_move(self.match, self.one, self.cast)))
        self._draw()

    def _draw(self) -> None:
        place, position = self.one.number - 1, self.query_one(PositionWidget)
        match, seat = self.match, self.one.seat
        scene = scene_of(match.states[: place + 1], match.played[:place], seat, self.cast)
        tags = tags_of_better(scene.drawing, position.chosen, self.one) if self._shown else {}
        position.show(scene, Notes(movers=(seat,)), tags=tags)
        self.write_head(title_of(scene), f"Move {self.one.number}")
        choose = match.game.words.choose(self.state.view(seat), self.cast)
        self.write("status", self._said or ask_other_half(choose, position.chosen))

    def on_position_widget_looked(self) -> None:
        self._said = "" if not self._shown else self._said
        self._draw()

    def on_position_widget_refused(self) -> None:
        self._say(NOT_LEGAL)

    def _say(self, text: str) -> None:
        self._said = text
        self._draw()

    async def _values(self) -> list[Choice]:
        if not self._choices:
            self._choices = await asyncio.to_thread(
                lambda: evaluate(self.state).choices_of(self.one.seat)
            )
        return self._choices

    @work(exclusive=True)
    async def on_position_widget_chosen(self, event: PositionWidget.Chosen) -> None:
        tried = answer_try(self.state, self.one, await self._values(), event.move, self.cast)
        self._shown = self._shown or tried.right
        self._say(tried.says)

    @work(exclusive=True)
    async def action_show(self) -> None:
        self._shown = True
        self._say(capitalize(say_solution(self.state, self.one, await self._values(), self.cast)))
