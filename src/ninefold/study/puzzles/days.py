"""The puzzle of a day, from the date alone: the games take turns, and get harder through the week."""

from __future__ import annotations

from datetime import UTC, date, datetime
from random import Random
from zlib import crc32

from ninefold.core.state import State
from ninefold.games import load
from ninefold.study.puzzles.making import Source, search
from ninefold.study.puzzles.symmetry import key_of
from ninefold.study.puzzles.tasks import Puzzle, Task

COUNT, LEAST, MIX, SAVE, WIN = Task.COUNT, Task.LEAST, Task.MIX, Task.SAVE, Task.WIN

# Task, grade and numbers of moves made, from Monday to Sunday. No position fits two days of a game's
# week: the days differ in moves made, in how many moves win, in value or in grade.
WEEKS: dict[str, tuple[Source, ...]] = {
    game: tuple(Source(*day) for day in week)
    for game, week in {
        "shadow": (
            *((WIN, 1, (8,)), (WIN, 1, (7,)), (WIN, 1, (6,)), (WIN, 1, (5,)), (WIN, 1, (4,))),
            *((WIN, 2, (6,)), (WIN, 2, (4,))),
        ),
        "battle": (
            *((WIN, 1, (7,)), (WIN, 2, (6,)), (WIN, 2, (5,)), (LEAST, 4, (5,)), (COUNT, 5, (4,))),
            *((LEAST, 6, (3,)), (COUNT, 7, (2,))),
        ),
        "pattern": (
            *((WIN, 1, (7,)), (WIN, 2, (5,)), (WIN, 3, (8,)), (SAVE, 4, (9,)), (WIN, 5, (8,))),
            *((SAVE, 6, (7, 9)), (WIN, 7, (8,))),
        ),
        "conquest": (
            *((WIN, 1, (6, 9, 12)), (SAVE, 2, (4, 5, 8)), (MIX, 3, (11, 13, 14)), (WIN, 4, (6, 10, 13))),
            *((MIX, 5, (6, 9, 10)), (WIN, 6, (18, 20)), (WIN, 7, (14, 16))),
        ),
        "cross": (
            *((WIN, 1, (4,)), (WIN, 2, (3,)), (WIN, 2, (2,)), (WIN, 3, (1,)), (LEAST, 4, (2,))),
            *((LEAST, 5, (1,)), (COUNT, 6, (0,))),
        ),
    }.items()
}
CYCLE = 7 * len(WEEKS)  # days until a game has the same day of the week again
SHARES = 365 // CYCLE + 1  # the positions are split into this many shares; each cycle uses the next one


def today() -> date:
    """The date of the current daily puzzle."""
    return datetime.now(UTC).date()


def daily(day: date) -> Puzzle:
    """The puzzle of a day, by its UTC date. It needs no clock and no network.

    Within a year a game never has the same position twice, nor one that is symmetric to it: the day of
    the week decides the kind of position, and each cycle uses another share of the positions.
    """
    number = day.toordinal()
    game = tuple(WEEKS)[number % len(WEEKS)]
    share = number // CYCLE % SHARES

    def wanted(state: State[object]) -> bool:
        return crc32(repr(key_of(state)).encode()) % SHARES == share

    return next(search(load(game), WEEKS[game][day.weekday()], Random(day.isoformat()), wanted))
