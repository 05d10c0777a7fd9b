"""The review of a match: who was winning when, what each move gave away, and what decided it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from ninefold.analysis import NoValues
from ninefold.core.seat import SEATS
from ninefold.show import reviews
from ninefold.show.lessons import say_theme
from ninefold.show.values import bar_of
from ninefold.study.coach import find_theme
from ninefold.study.lessons import Exercise
from ninefold.study.reviews import Judged, review_match
from ninefold.study.reviews import Review as Found
from ninefold.tui.board.beside import Notes
from ninefold.tui.board.chart import Chart
from ninefold.tui.board.position import PositionWidget
from ninefold.tui.screens.better_move import BetterMove
from ninefold.tui.screens.learn import Lesson
from ninefold.tui.screens.replay import Replay

MISTAKE, DECIDING = "?", "??"
LEARN = "(l: learn it)"


class ReviewScreen(Replay):
    """A replay with judgments, once they are computed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "find", "Find", tooltip="Find the better move yourself"),
        Binding("n", "mistake(1)", "Mistake", tooltip="Next mistake"),
        Binding("l", "learn", "Lesson", show=False, tooltip="The step of a lesson that teaches this"),
        Binding("p", "mistake(-1)", "Previous mistake", show=False, tooltip="Previous mistake"),
    ]

    VERTICAL_BREAKPOINTS = [(0, "-short"), (20, "-usual"), (32, "-tall")]  # noqa: RUF012

    found: Found | None = None
    _unknown = ""  # why there is no review
    _themes: Mapping[
        int, Exercise
    ] = {}  # by the number of a mistake, the step that teaches what was better

    def compose_body(self) -> ComposeResult:
        yield PositionWidget()
        yield Chart()

    def on_mount(self) -> None:
        super().on_mount()
        self._judge()

    @work
    async def _judge(self) -> None:
        try:
            self.found = await asyncio.to_thread(review_match, self.match)
        except NoValues as error:
            self._unknown = str(error)
        self.draw()
        self.refresh_bindings()
        self._themes = await asyncio.to_thread(self._find_themes)
        self.draw()

    def _find_themes(self) -> dict[int, Exercise]:
        found = {one.number: find_theme(self.match, one) for one in self._mistakes}
        return {number: lesson for number, lesson in found.items() if lesson is not None}

    @property
    def _one(self) -> Judged | None:
        """The move that led here, judged."""
        moves = self.found.moves if self.found else ()
        return moves[self.at - 1] if 0 < self.at <= len(moves) else None

    @property
    def _mistakes(self) -> list[Judged]:
        return self.found.mistakes() if self.found else []

    def _marks(self) -> dict[int, str]:
        marks = {one.number: MISTAKE for one in self._mistakes}
        deciding = self.found.deciding if self.found else None
        return {**marks, deciding.number: DECIDING} if deciding else marks

    def notes(self) -> Notes:
        notes, found = super().notes(), self.found
        if found is None:
            return notes
        kept = {
            seat: f"accuracy {reviews.accuracy(found, seat)}"
            for seat in SEATS
            if found.accuracy[seat] is not None
        }
        bar = bar_of(found.values[min(self.at, len(found.values) - 1)], self.cast)
        return replace(notes, seats=kept, bar=bar, marks=self._marks())

    def say(self) -> list[str]:
        match, found, cast = self.match, self.found, self.cast
        if found is None:
            return [self._unknown or "Reviewing the match..."]
        at_end = self.at == self.end and match.over
        # At the end there is room only for what was wrong with the last move, and for the summary.
        judged = self._one if not at_end or self._one in self._mistakes else None
        said = [] if judged is None else reviews.judgment(match, judged, cast)
        if (lesson := self._themes.get(self.at)) is not None:
            said.append(f"{say_theme(lesson)} {LEARN}")
        if self.at == 0 and found.moves:
            said += [reviews.count_mistakes(found, cast), reviews.say_points_lost(found, cast)]
        if at_end:
            said += [*reviews.summary(match, found, cast), reviews.say_points_lost(found, cast)]
        return [*filter(None, said)]

    def draw(self) -> None:
        super().draw()
        if self.found is not None:
            seat = reviews.chart_seat(self.cast)
            chances = reviews.chances_of(self.found, seat)
            at = min(self.at, len(chances) - 1)
            self.query_one(Chart).show(self.cast.mark(seat), chances, self._marks(), at)

    def on_chart_pointed(self, event: Chart.Pointed) -> None:
        self.go_to(event.place)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("mistake", "find"):
            return bool(self._mistakes)
        if action == "learn":
            return self.at in self._themes
        return super().check_action(action, parameters)

    def action_mistake(self, step: int) -> None:
        numbers = [one.number for one in self._mistakes]
        ahead = [number for number in numbers if (number - self.at) * step > 0]
        if ahead:
            self.go_to(min(ahead) if step > 0 else max(ahead))

    def action_learn(self) -> None:
        self.app.push_screen(Lesson(self.match.game, self._themes[self.at]))

    def action_find(self) -> None:
        """Look for a better move than the mistake that is looked at, else than the next one."""
        mistakes = self._mistakes
        one = next((one for one in mistakes if one.number >= self.at), mistakes[-1])
        self.go_to(one.number)
        self.app.push_screen(BetterMove(self.match, one, self.cast))
