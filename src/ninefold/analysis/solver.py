"""What a solver of a game can do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ninefold.analysis.evaluation import Evaluation, OnProgress, Value
from ninefold.core.game import Game
from ninefold.core.state import State

if TYPE_CHECKING:
    from ninefold.analysis.solve import Survey


def _prepare_nothing(progress: OnProgress | None) -> None:
    pass


def _unchanged(state: State[Any]) -> State[Any]:
    return state


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
    # The position that stands for all that this solver counts as one.
    representative: Callable[[Any], State[Any]] = _unchanged
