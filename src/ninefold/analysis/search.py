"""Exhaustive search through the rules alone, for a game with no solver of its own.

It suits a game that always ends and has few positions. How many there are is counted before anything is
solved, so a game that is too large is refused at once instead of being searched for ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any

from ninefold.analysis import secret
from ninefold.analysis.evaluation import (
    Candidate,
    Evaluation,
    NoValues,
    OnProgress,
    Value,
    back_up,
    evaluate_finished,
    evaluate_moves,
    rank,
)
from ninefold.analysis.solver import Solver
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State

MOST = 100_000  # positions that are searched: a few seconds
KEPT = 1_000_000  # values that are kept
STEPS = 100  # how often progress is reported

_VALUES: dict[State[Any], Value] = {}  # of all positions that were searched
_REFUSED: set[State[Any]] = set()  # positions that have too many others below them


def evaluate(state: State[Any], progress: OnProgress | None = None) -> Evaluation:
    """The evaluation of a position. It gives no margins. Raises NoValues if there are too many positions.

    While secret choices are open, it has those of both seats, in written order, even if one has been
    made: nothing here depends on a pending choice.
    """
    state = state.open_state
    if state not in _VALUES:
        _solve_below(state, progress)
    return _evaluate(state)


def count_positions(start: State[Any]) -> int:
    """How many positions can be reached from this one, including itself, between secret choices."""
    return len(_order(start))


def _solve_below(state: State[Any], progress: OnProgress | None) -> None:
    """Find the values of a position and of all that can be reached from it, the last ones first."""
    if len(_VALUES) > KEPT:
        _VALUES.clear()
    if state in _REFUSED or len(order := _order(state, MOST)) > MOST:
        _REFUSED.add(state)
        raise NoValues(
            f"There are no exact values for this position of {state.game.title}: more than {MOST:,}"
            " positions can follow, and it has no solver of its own."
        )
    for count, one in enumerate(order):
        if progress is not None and count % (len(order) // STEPS + 1) == 0:
            progress(count / len(order))
        if one not in _VALUES:
            _VALUES[one] = _evaluate(one).value


def _order(start: State[Any], most: float = inf) -> list[State[Any]]:
    """All positions that can be reached, each after those that it leads to.

    If there are more than `most`, just some of them. Raises NoValues if the game can go in circles.
    """
    done: dict[State[Any], bool] = {}  # False while its successors are being visited
    order: list[State[Any]] = []
    stack: list[tuple[State[Any], Iterator[State[Any]]]] = [(start, _successors(start))]
    done[start] = False
    while stack:
        state, later = stack[-1]
        following = next(later, None)
        if following is None:
            stack.pop()
            done[state] = True
            order.append(state)
        elif following not in done:
            if len(done) > most:
                return list(done)
            done[following] = False
            stack.append((following, _successors(following)))
        elif not done[following]:
            raise NoValues(f"{state.game.title} can go on forever, and it has no solver of its own.")
    return order


def _successors(state: State[Any]) -> Iterator[State[Any]]:
    """The positions after one move, or after the secret choices of both seats."""
    for seat in state.movers[:1]:
        for move in state.moves(seat):
            after = state.after(move, seat)
            if not after.pending:
                yield after
            else:
                yield from (
                    after.after(reply, other) for other in after.movers for reply in after.moves(other)
                )


def _evaluate(state: State[Any]) -> Evaluation:
    """The evaluation of a position whose successors are solved."""
    if state.outcome is not None:
        return evaluate_finished(state.outcome.winner)
    if len(state.movers) == 2:
        return _evaluate_secret(state)
    (seat,) = state.movers
    return evaluate_moves(
        [Candidate(seat, move, _VALUES[state.after(move, seat)]) for move in state.moves(seat)]
    )


def _evaluate_secret(state: State[Any]) -> Evaluation:
    first, second = (state.moves(seat) for seat in SEATS)
    table = [[_VALUES[_after_both(state, row, column)] for column in second] for row in first]
    found = secret.solve(table)
    candidates = [
        Candidate(seat, move, back_up(value), part)
        for seat in state.movers
        for move, value, part in zip(
            state.moves(seat), secret.values_of(table, found, seat), found.mixes[seat], strict=True
        )
    ]
    return Evaluation(found.value, rank(candidates))


def _after_both(state: State[Any], first: Any, second: Any) -> State[Any]:
    return state.after(first, Seat.FIRST).after(second, Seat.SECOND)


SOLVER = Solver(evaluate, count_positions)
