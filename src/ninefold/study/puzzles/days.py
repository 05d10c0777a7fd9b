"""The puzzle of a day, from the date alone: the games take turns, and no game's week gets easier."""

from __future__ import annotations

from collections.abc import Hashable
from datetime import UTC, date, datetime
from random import Random
from typing import Any
from zlib import crc32

from ninefold.core.game import Game
from ninefold.core.puzzles import Source, Week
from ninefold.core.state import State
from ninefold.games import every_game
from ninefold.study.puzzles.making import search
from ninefold.study.puzzles.tasks import Puzzle

FEWEST = 3  # legal moves in a puzzle of the day


def today() -> date:
    """The date of the current daily puzzle."""
    return datetime.now(UTC).date()


def rotation(day: date) -> list[tuple[Game, Week]]:
    """The games that take turns on a day, each with its week."""
    weeks = [(game, game.puzzles.week) for game in every_game()]
    return [(game, week) for game, week in weeks if week is not None and week.since <= day]


def kind_of_day(day: date) -> tuple[Game, Source]:
    """The game of a day's puzzle, and where it is looked for: its task and its grade."""
    games = rotation(day)
    game, week = games[day.toordinal() % len(games)]
    return game, week.days[day.weekday()]


def key_of(state: State[Any]) -> tuple[Hashable, ...]:
    """A key that symmetric positions share, whatever moves led there, and most others do not."""
    return (state.game.slug, *state.game.puzzles.key(state))


def daily(day: date) -> Puzzle:
    """The puzzle of a day, by its UTC date. It needs no clock and no network.

    Within a year a game never has the same position twice, nor one that is symmetric to it: the day of
    the week decides the kind of position, and each cycle uses another share of the positions. Only when
    another game joins do the shares start over, and a position might come back.
    """
    cycle = 7 * len(rotation(day))  # days until a game has the same day of the week again
    shares = 365 // cycle + 1  # the positions are split into this many; each cycle uses the next one
    game, source = kind_of_day(day)
    share = day.toordinal() // cycle % shares

    def wanted(state: State[Any]) -> bool:
        if state.outcome is not None:
            return True  # a whole game, which does not come back by chance
        if any(len(state.moves(seat)) < FEWEST for seat in state.movers):
            return False
        return crc32(repr(key_of(state)).encode()) % shares == share

    return next(search(game, source, Random(day.isoformat()), wanted))
