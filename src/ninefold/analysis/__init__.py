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
from types import ModuleType
from typing import Any

from ninefold.analysis.evaluation import Choice, Evaluation, Progress, Result, Value
from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.core.state import State

__all__ = ["Choice", "Evaluation", "Result", "Value", "evaluate", "prepare_together", "watch"]

# The module here that solves a game, by slug. Each has `evaluate` and `count_positions`, and where there
# are too many setups to solve one by one, `survey`; where values can be counted more quickly than
# evaluated, `count_values`. Other games are searched through their rules.
SOLVERS = {
    "shadow": "shadow",
    "battle": "taking",
    "pattern": "pattern",
    "conquest": "conquest",
    "cross": "taking",
}


_watcher: Progress | None = None


def watch(progress: Progress | None) -> None:
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


def solver_of(game: Game) -> ModuleType:
    """The module that solves a game, imported when it is first needed."""
    return import_module(f"{__name__}.{SOLVERS.get(game.slug, 'search')}")


def evaluate(state: State[Any]) -> Evaluation:
    """What perfect play makes of a position and of every legal move in it, best first.

    Always the same for the same position. A game that is not in SOLVERS is searched exhaustively, so
    it must be small, always end, and keep nothing secret.
    """
    found = _ready_solver(state).evaluate(state, _watcher)
    assert isinstance(found, Evaluation)
    return found


def count_values(state: State[Any], seat: Seat) -> Mapping[Value, int]:
    """How many of a seat's legal moves lead to each value, as `evaluate` has them, but sooner."""
    if state.outcome is None and hasattr(solver := _ready_solver(state), "count_values"):
        found: Mapping[Value, int] = solver.count_values(state, _watcher)
        return found
    return Counter([choice.value for choice in evaluate(state).choices if choice.seat == seat])


def _ready_solver(state: State[Any]) -> ModuleType:
    solver = solver_of(state.game)
    if _together and hasattr(solver, "prepare"):
        solver.prepare(_watcher)
    return solver
