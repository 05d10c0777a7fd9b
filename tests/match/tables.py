"""Matches to test with, and a clock that stands still."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from random import Random

import ninefold
from ninefold import Seat
from ninefold.match import Match, Player, Series
from tests.setups import Setup

ALICE_FIRST = (Player("Alice", Seat.FIRST), Player("Bob", Seat.SECOND))
BOB_FIRST = (Player("Alice", Seat.SECOND), Player("Bob", Seat.FIRST, "level:3"))


def noon() -> str:
    return "2025-01-01T12:00:00+00:00"


def ticking() -> Callable[[], str]:
    """A clock that moves on by a second each time somebody looks at it."""
    seconds = count()
    return lambda: f"2025-01-01T12:00:{next(seconds) % 60:02}+00:00"


def new_match(
    slug: str,
    setup: Setup,
    *,
    players: tuple[Player, Player] = ALICE_FIRST,
    series: Series | None = None,
    hints: bool = True,
    now: Callable[[], str] = noon,
) -> Match:
    return Match(ninefold.load(slug).set_up(setup), players, series=series, hints=hints, now=now)


def play(match: Match, *moves: str) -> Match:
    """Play a written sequence; in a challenge the challenger's number comes first."""
    for move in moves:
        match.submit(match.state.movers[0], move)
    return match


def play_at_random(match: Match, rng: Random, moves: int = 60) -> Match:
    """At most so many random moves. Where both seats choose, either may be quicker."""
    for _ in range(moves):
        if match.over:
            break
        seat = rng.choice(match.state.movers)
        match.submit(seat, rng.choice(match.state.moves(seat)))
    return match
