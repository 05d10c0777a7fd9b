"""Whole games, solved: for one setup, or for all that a game has."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from ninefold.analysis import evaluate
from ninefold.analysis.advice import percent
from ninefold.analysis.evaluation import Result, Value
from ninefold.core.game import Game

Setup = Mapping[str, int | str]


@dataclass(frozen=True, slots=True)
class Solved:
    """A game in one setup, or over all its grids (`setup` is empty, `value` and `openings` are not
    the same for all then, and `first` of `grids` are won by the first player)."""

    game: Game
    setup: Setup
    value: Value | None
    plies: int | None  # that the game takes, where the value tells or every grid takes as many
    openings: tuple[str, ...]  # the best first moves
    positions: int  # whose exact value is known now
    seconds: float
    grids: int = 1
    first: int | None = None
    margins: Mapping[int, int] | None = None  # how many grids end with each margin

    @property
    def first_share(self) -> Fraction:
        return Fraction(self.first or 0, self.grids)

    @property
    def settings(self) -> str:
        """The setup in words; empty over all grids, and where there is nothing to settle."""
        return ", ".join(f"{name} {value}" for name, value in self.setup.items())

    @property
    def result(self) -> str:
        """Who wins under perfect play, in words."""
        value = self.value
        if value is None:
            return f"first wins {self.first:,} ({percent(self.first_share)}), second the rest"
        if value.first_wins is None:
            return "endless"
        if value.result is Result.MIXED:
            return f"first wins {percent(value.first_wins)}"
        return f"{value.result} wins" + (f" by {abs(value.margin)}" if value.margin else "")

    @property
    def any_opening(self) -> bool:
        """Whether no first move is better than another."""
        return len(self.openings) == len(self.game.set_up(self.setup).moves())


def solve(game: Game, setup: Setup) -> Iterator[Solved]:
    """Solve a game for every setup that the given settings leave open, one after the other."""
    solver = _SOLVERS.get(game.slug, _any)
    yield from solver(game, setup)


def _any(game: Game, setup: Setup, positions: Callable[[], int] | None = None) -> Iterator[Solved]:
    """The start of one setup, and if known, how many positions its solution covers."""
    began = time.perf_counter()
    start = game.set_up(setup)
    found = evaluate(start)
    openings = tuple(str(choice.move) for choice in found.choices if choice.best)
    count = 1 + len(found.choices) if positions is None else positions()
    seconds = time.perf_counter() - began
    yield Solved(game, start.setup, found.value, found.plies, openings, count, seconds)


def _shadow(game: Game, setup: Setup) -> Iterator[Solved]:
    from ninefold.games.shadow.rules import TARGETS

    for target in [int(setup["target"])] if "target" in setup else TARGETS:
        yield from _any(game, {"target": target}, partial(_shadow_positions, target))


def _shadow_positions(target: int) -> int:
    from ninefold.analysis import shadow

    return shadow.solve(target).positions


def _pattern(game: Game, setup: Setup) -> Iterator[Solved]:
    from ninefold.analysis import pattern

    yield from _any(game, setup, lambda: pattern.solve().positions)


def _conquest(game: Game, setup: Setup) -> Iterator[Solved]:
    from ninefold.games.conquest.rules import SIZES

    for size in [int(setup["size"])] if "size" in setup else SIZES:
        yield from _any(game, {"size": size}, partial(_conquest_positions, size))


def _conquest_positions(size: int) -> int:
    from ninefold.analysis import conquest

    return conquest.census(size).positions


def _sums(game: Game, setup: Setup) -> Iterator[Solved]:
    from ninefold.analysis import sums

    began = time.perf_counter()
    survey = sums.survey_battle() if game.slug == "battle" else sums.survey_cross()
    if setup:
        yield from _any(game, setup, lambda: survey.positions)
        return
    one = evaluate(game.set_up({"grid": "123456789"})).value
    yield Solved(
        game,
        {},
        one if len(survey.margins) == 1 else None,
        one.plies,
        (),
        survey.positions * survey.grids,
        time.perf_counter() - began,
        survey.grids,
        survey.first,
        survey.margins,
    )


_SOLVERS: dict[str, Callable[[Game, Setup], Iterator[Solved]]] = {
    "shadow": _shadow,
    "battle": _sums,
    "pattern": _pattern,
    "conquest": _conquest,
    "cross": _sums,
}
