"""Exact values: `evaluate(state)` for any reachable position of any game.

>>> import ninefold
>>> from ninefold.analysis import evaluate
>>> state = ninefold.load("battle").start(grid="792415863")
>>> evaluate(state).margin, str(evaluate(state).choices[0].move)
(5, '0,1')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from functools import cache
from importlib import import_module
from typing import Any

from ninefold.analysis.evaluation import Choice, Evaluation, NoValues, OnProgress, Result, Value
from ninefold.analysis.solver import Solver
from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.games import every_game

__all__ = ["Choice", "Evaluation", "NoValues", "Result", "Value", "evaluate", "prepare_all", "watch"]

# The module here whose SOLVER solves a game and its variants, by slug. Others are searched through their
# rules.
SOLVERS = {
    "shadow": "shadow",
    "battle": "taking",
    "pattern": "pattern",
    "conquest": "conquest",
    "cross": "taking",
}


_watcher: OnProgress | None = None


def watch(progress: OnProgress | None) -> None:
    """Call `progress` during evaluations that take long, in this process; None stops that."""
    global _watcher
    _watcher = progress


def prepare_all() -> None:
    """Do the work that evaluations may need, for all games and settings.

    Afterward, no evaluation takes longer because nobody has asked for its setting before.
    """
    for game in every_game():
        solver_of(game).prepare(_watcher)


def solver_of(game: Game) -> Solver:
    """The solver of a game, imported when it is first needed."""
    return _import_solver(SOLVERS.get(game.base or game.slug, "search"))


@cache
def _import_solver(name: str) -> Solver:
    solver = import_module(f"{__name__}.{name}").SOLVER
    assert isinstance(solver, Solver)
    return solver


def evaluate(state: State[Any]) -> Evaluation:
    """What perfect play makes of a position and of every legal move in it, best first.

    Always the same for the same position. A game that is not in SOLVERS is searched exhaustively; if it
    is too large for that, this raises NoValues, which says so.
    """
    return solver_of(state.game).evaluate(state, _watcher)


def count_values(state: State[Any], seat: Seat) -> Mapping[Value, int]:
    """How many of a seat's legal moves lead to each value, as `evaluate` has them, but sooner."""
    count = solver_of(state.game).count_values
    if state.outcome is None and count is not None:
        return count(state, _watcher)
    return Counter([choice.value for choice in evaluate(state).choices_of(seat)])


def group_moves(state: State[Any]) -> dict[Any, Hashable]:
    """A key for each legal move of a position with one mover.

    After moves that share a key, the opponent has as many moves of each value.
    """
    group = solver_of(state.game).group_moves
    moves = state.moves()
    return dict(zip(moves, group(state) if group is not None else moves, strict=True))
