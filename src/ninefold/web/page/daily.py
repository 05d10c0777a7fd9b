"""The puzzle of the day as a card: its real board, its weekday, its grade."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import date, timedelta

from starlette.requests import Request

from ninefold.show.puzzles import ask_task, cast_for
from ninefold.show.scene import Scene, scene_of
from ninefold.study.puzzles.days import today
from ninefold.study.puzzles.labels import Label
from ninefold.study.puzzles.tasks import GRADES
from ninefold.web.jobs import Jobs, Lane
from ninefold.web.requests import server_of

log = logging.getLogger("ninefold.web")

WEEK = 7
PATIENCE = 0.5  # seconds that a page waits for the card of the day


@dataclass(frozen=True, slots=True)
class DailyCard:
    """The puzzle of a day, without anything that gives it away."""

    day: date
    scene: Scene
    question: str
    grade: int

    @property
    def grades(self) -> range:
        return GRADES

    @property
    def title(self) -> str:
        """`Monday's puzzle`"""
        return f"{self.day:%A}'s puzzle"

    @property
    def when(self) -> str:
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
    cast = cast_for(puzzle)
    scene = scene_of([puzzle.state], [], puzzle.seat, cast, ())
    return DailyCard(day, scene, ask_task(puzzle, cast), puzzle.grade)


class Today:
    """Today's card, which a worker process makes once a day."""

    def __init__(self) -> None:
        self._found: dict[date, DailyCard] = {}
        self._making: asyncio.Task[None] | None = None

    async def find(self, jobs: Jobs, patience: float) -> DailyCard | None:
        """The card; None if it takes longer than `patience`, in seconds. It will be there later, then."""
        if today() not in self._found:
            if self._making is None or self._making.done():
                self._making = asyncio.create_task(self._make(jobs, today()))
            await asyncio.wait([self._making], timeout=patience)
        return self._found.get(today())

    async def _make(self, jobs: Jobs, day: date) -> None:
        try:
            self._found = {day: await jobs.run(Lane.CLIENT, make_card, day)}
        except Exception:
            log.exception("could not make the card of the day")


_today = Today()


async def find_card(request: Request, patience: float = PATIENCE) -> DailyCard | None:
    """Today's card; None if it is not there in time. It is made in the background then."""
    return await _today.find(server_of(request).jobs, patience)
