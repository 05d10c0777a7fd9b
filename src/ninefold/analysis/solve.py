"""Solves whole games: one setup, or all that a game has."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from ninefold.analysis import evaluate, solver_of
from ninefold.analysis.evaluation import Value, worth
from ninefold.core.errors import SetupError
from ninefold.core.game import Game
from ninefold.core.move import Move
from ninefold.core.seat import Seat
from ninefold.core.state import Setup

FEW = 20  # the most setups that are reported one by one
MANY = 5000  # the most setups that a survey solves one by one


@dataclass(frozen=True, slots=True)
class Survey:
    """A game over many setups, under perfect play."""

    setups: int
    first: Fraction  # how many of them the first player wins, as the sum of the chances
    margins: Mapping[int, int]  # how many setups end with each margin, ascending; may be empty
    positions: int  # per setup, on average
    value: Value | None = None  # None unless it is the same for all
    plies: int | None = None  # None unless it is the same for all


@dataclass(frozen=True, slots=True)
class Solved:
    """A game solved for one setup, or for many at once, which `survey` then sums up."""

    game: Game
    setup: Setup  # empty for all setups at once
    value: Value | None  # None where it is not the same for all setups
    openings: tuple[Move, ...]  # the best first moves; empty for many setups at once
    any_opening: bool  # whether all first moves are equally good
    positions: int  # how many now have a known value
    seconds: float
    survey: Survey | None = None

    @property
    def plies(self) -> int | None:
        """How long the game takes, where that is known and the same for all setups."""
        return self.survey.plies if self.survey else self.value.plies if self.value else None

    @property
    def first_wins(self) -> Fraction:
        """The first player's chance to win, averaged over setups; an endless game counts as one half."""
        if self.value is None:
            assert self.survey is not None
            return self.survey.first / self.survey.setups
        return Fraction(worth(self.value, Seat.FIRST).chance)


def solve(game: Game, given: Setup) -> Iterator[Solved]:
    """Solve a game for every setup that the given settings leave open: one by one if they are few.

    Raises SetupError if there are too many to solve.
    """
    setups = list(islice(game.setups(given), FEW + 1))
    if len(setups) <= FEW:
        for setup in setups:
            yield _solve_one(game, setup)
    else:
        began = time.perf_counter()
        survey = solver_of(game).survey
        found = _survey(game, given) if given or survey is None else survey(game)
        total = found.positions * found.setups
        seconds = time.perf_counter() - began
        yield Solved(game, given, found.value, (), False, total, seconds, found)


def _solve_one(game: Game, setup: Setup) -> Solved:
    began = time.perf_counter()
    start = game.set_up(setup)
    found = evaluate(start)
    openings = tuple(choice.move for choice in found.choices if choice.best)
    positions = solver_of(game).count_positions(start)
    seconds = time.perf_counter() - began
    every = len(openings) == len(found.choices)
    return Solved(game, start.setup, found.value, openings, every, positions, seconds)


def _survey(game: Game, given: Setup) -> Survey:
    """Survey any game by evaluating each setup."""
    values: Counter[Value] = Counter()
    positions = 0
    for count, setup in enumerate(game.setups(given), 1):
        if count > MANY:
            names = " or ".join(f"--{option.name}" for option in game.options)
            raise SetupError(f"{game.title} has too many setups to solve. Give one with {names}.")
        start = game.set_up(setup)
        values[evaluate(start).value] += 1
        positions += solver_of(game).count_positions(start)
    margins: Counter[int] = Counter()
    for value, times in values.items():
        if value.margin is not None:
            margins[value.margin] += times
    first = Fraction(sum(worth(value, Seat.FIRST).chance * times for value, times in values.items()))
    same = next(iter(values)) if len(values) == 1 else None
    lengths = {value.plies for value in values}
    plies = lengths.pop() if len(lengths) == 1 else None
    setups = values.total()
    return Survey(setups, first, dict(sorted(margins.items())), positions // setups, same, plies)
