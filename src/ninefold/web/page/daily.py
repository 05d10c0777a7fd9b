"""The puzzle of the day as a card: its real board, its weekday, its grade."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from starlette.exceptions import HTTPException
from starlette.requests import Request

from ninefold.show.board import Drawing, describe_settings, draw
from ninefold.show.puzzles import ask_task, cast_for
from ninefold.study.puzzles.days import today
from ninefold.study.puzzles.labels import Label
from ninefold.study.puzzles.tasks import GRADES
from ninefold.web.computing import compute

WEEK = 7


@dataclass(frozen=True, slots=True)
class DailyCard:
    """The puzzle of a day, without anything that gives it away."""

    day: date
    game: str  # the title
    question: str
    grade: int
    drawing: Drawing
    settings: tuple[tuple[str, str], ...]

    @property
    def grades(self) -> range:
        return GRADES

    @property
    def title(self) -> str:
        """`Monday's puzzle`"""
        return f"{self.day:%A}'s puzzle"

    @property
    def date(self) -> str:
        """`Monday, November 16`"""
        return say_date(self.day)

    @property
    def week(self) -> list[date]:
        """The seven days up to this one."""
        return last_days(self.day)


def say_date(day: date) -> str:
    """`Monday, November 16`"""
    return f"{day:%A, %B} {day.day}"


def last_days(day: date) -> list[date]:
    """The seven days up to this one."""
    return [day - timedelta(ago) for ago in reversed(range(WEEK))]


def make_card(day: date) -> DailyCard:
    """The card of a day that has come. It may take a second: see `find_card`."""
    puzzle = Label(day=day).find()
    state, cast = puzzle.state, cast_for(puzzle)
    game, view = state.game, state.view(puzzle.seat)
    return DailyCard(
        day=day,
        game=game.title,
        question=ask_task(puzzle, cast),
        grade=puzzle.grade,
        drawing=draw(game, view, cast, moves=()),
        settings=tuple(describe_settings(game, view.setup)),
    )


_found: dict[date, DailyCard] = {}  # today's, once it has been found


async def find_card(request: Request) -> DailyCard | None:
    """Today's card, made by a worker process; None if there is too much to work out now."""
    day = today()
    if day not in _found:
        try:
            card = await compute(request, make_card, day)
        except HTTPException:
            return None
        _found.clear()
        _found[day] = card
    return _found[day]
