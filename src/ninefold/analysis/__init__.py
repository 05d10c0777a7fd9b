"""Exact values: `evaluate(state)` for any reachable position of any game.

>>> import ninefold
>>> from ninefold.analysis import evaluate
>>> state = ninefold.load("battle").start(grid="792415863")
>>> evaluate(state).margin, str(evaluate(state).choices[0].move)
(5, '0,1')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from ninefold.analysis.evaluation import Choice, Evaluation, NoValues, OnProgress, Result, Value
from ninefold.analysis.solver import Solver
from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.core.state import State

__all__ = ["Choice", "Evaluation", "NoValues", "Result", "Value", "evaluate", "prepare_together", "watch"]

# The module here whose SOLVER solves a game, by slug. Other games are searched through their rules.
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


_together = False


def prepare_together() -> None:
    """From now on, the first evaluation of a game prepares all of its settings.

    Otherwise the time an evaluation takes would tell a stranger which setting others play, and in
    Shadow Grid Duel that is a secret.
    """
    global _together
    _together = True


def solver_of(game: Game) -> Solver:
    """The solver of a game, imported when it is first needed."""
    solver = import_module(f"{__name__}.{SOLVERS.get(game.slug, 'search')}").SOLVER
    assert isinstance(solver, Solver)
    return solver


def evaluate(state: State[Any]) -> Evaluation:
    """What perfect play makes of a position and of every legal move in it, best first.

    Always the same for the same position. A game that is not in SOLVERS is searched exhaustively; if it
    is too large for that, this raises NoValues, which says so.
    """
    return _ready_solver(state).evaluate(state, _watcher)


def count_values(state: State[Any], seat: Seat) -> Mapping[Value, int]:
    """How many of a seat's legal moves lead to each value, as `evaluate` has them, but sooner."""
    count = _ready_solver(state).count_values
    if state.outcome is None and count is not None:
        return count(state, _watcher)
    return Counter([choice.value for choice in evaluate(state).choices_of(seat)])


def _ready_solver(state: State[Any]) -> Solver:
    solver = solver_of(state.game)
    if _together:
        solver.prepare(_watcher)
    return solver
