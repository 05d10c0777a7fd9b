"""Exhaustive search through the rules alone, for a game with no solver of its own."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ninefold.analysis.evaluation import (
    Candidate,
    Evaluation,
    Progress,
    Value,
    evaluate_finished,
    evaluate_moves,
)
from ninefold.analysis.solver import Solver
from ninefold.core.state import State


def evaluate(state: State[Any], progress: Progress | None = None) -> Evaluation:
    """The evaluation of a position of a game that always ends and in which nothing is secret.

    It tries every continuation, so it suits small games. It gives no margins.
    """
    if state.secret:
        raise NotImplementedError(f"{state.game.title} has secret choices: it needs its own solver.")
    if state.outcome is not None:
        return evaluate_finished(state.outcome.winner)
    (seat,) = state.movers
    return evaluate_moves(
        [Candidate(seat, move, _value(state.after(move, seat))) for move in state.moves()]
    )


@lru_cache(maxsize=1_000_000)
def _value(state: State[Any]) -> Value:
    return evaluate(state).value


def count_positions(start: State[Any]) -> int:
    """How many positions can be reached from this one, including itself."""
    seen = {start}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        for move in state.moves():
            later = state.after(move, state.movers[0])
            if later not in seen:
                seen.add(later)
                waiting.append(later)
    return len(seen)


SOLVER = Solver(evaluate, count_positions)
