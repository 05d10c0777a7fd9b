"""What a solver of a game can do."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ninefold.analysis.evaluation import Evaluation, OnProgress, Value
from ninefold.core.game import Game
from ninefold.core.state import Setup, State

if TYPE_CHECKING:
    from ninefold.analysis.solve import Survey


def _prepare_nothing(progress: OnProgress | None) -> None:
    pass


def _symmetric(state: State[Any]) -> Hashable:
    return state.game.puzzles.key(state)


def _each_setup(game: Game, given: Setup) -> Iterable[tuple[Setup, int]]:
    return ((setup, 1) for setup in game.setups(given))


@dataclass(frozen=True, slots=True)
class Solver:
    """The functions that solve a game. Each takes only positions of that game."""

    evaluate: Callable[[Any, OnProgress | None], Evaluation]
    # How many positions the game has from a start on, counted the way this solver tells them apart.
    count_positions: Callable[[Any], int]
    # Does the work that an evaluation may need, for all settings and always in the same order.
    prepare: Callable[[OnProgress | None], None] = _prepare_nothing
    # Sums up all setups, where there are too many to solve one by one.
    survey: Callable[[Game], Survey] | None = None
    # How many legal moves lead to each value, where that is found sooner than the values themselves.
    count_values: Callable[[Any, OnProgress | None], Mapping[Value, int]] | None = None
    # A key for each legal move, in their order: moves that share one leave the opponent the same values.
    group_moves: Callable[[Any], Iterable[Hashable]] | None = None
    # How many positions the rules tell apart, if this solver counts some of them as one.
    count_asked: Callable[[Any], int] | None = None
    # A key that positions share, of edited games too, if none of our players tells them apart.
    same: Callable[[Any], Hashable] = _symmetric
    # Setups that stand for all with the given settings, and how many each stands for.
    deals: Callable[[Game, Setup], Iterable[tuple[Setup, int]]] = _each_setup
