"""Shadow Grid Duel, solved: every position of every target, with the number of moves to the end.

The whole game is one table a target (see `tables`), made when it is first asked for. Writing 10-n for
every number n turns the target T into 30-T and changes nothing else, so six tables serve all.
"""

from __future__ import annotations

from array import array
from threading import Lock

from ninefold.analysis import kernel
from ninefold.analysis.evaluation import (
    Candidate,
    Evaluation,
    Progress,
    Value,
    evaluate_finished,
    evaluate_moves,
    forced_win,
)
from ninefold.analysis.outlines import Outline
from ninefold.analysis.tables import Fits, Full, Tables, code, decoded, job, solved
from ninefold.core.seat import SEATS, Seat
from ninefold.games.shadow.rules import TARGETS, Shadow

MIDDLE = 15  # the target that mirrors itself


def evaluate(state: Shadow, progress: Progress | None = None) -> Evaluation:
    """The exact evaluation of any position.

    The first one for a target makes its table: a moment with the C kernel, some seconds without;
    `progress` is told the part that is done.
    """
    if state.outcome is not None:
        return evaluate_finished(state.outcome.winner)
    tables(state.target, progress)
    (seat,) = state.movers
    return evaluate_moves(
        [Candidate(seat, move, value(state.after(move, seat))) for move in state.moves()]
    )


def count_positions(start: Shadow) -> int:
    """How many positions a target has."""
    return tables(start.target).positions(range(9))


def prepare(progress: Progress | None = None) -> None:
    """Make the tables of all targets, always in the same order."""
    with _preparing:
        for target in range(TARGETS[0], MIDDLE + 1):
            tables(target, progress)


_preparing = Lock()


def tables(target: int, progress: Progress | None = None) -> Tables:
    """The table for a target or for its mirror; kept for the life of the process."""
    target = min(target, 2 * MIDDLE - target)
    if target not in _TABLES:
        _TABLES[target] = solved(job(fits(target), full), progress)
    return _TABLES[target]


_TABLES: dict[int, Tables] = {}  # by target, up to MIDDLE


def value(state: Shadow) -> Value:
    """The value of a position without that of its moves."""
    if state.outcome is not None:
        return forced_win(state.outcome.winner, 0)
    # The token of the number n is n-1, or that of 10-n where the mirrored target's table is used.
    turned = state.target > MIDDLE
    first, second = (
        {cell: 9 - n if turned else n - 1 for cell, n in enumerate(state.own(seat)) if n}
        for seat in SEATS
    )
    return decoded(tables(state.target).code((first, second)), len(first) + len(second))


def fits(target: int) -> Fits:
    """Whether three tokens, each a number less 1, add up to the target."""
    return lambda a, b, c: a + b + c + 3 == target


def full(outline: Outline) -> Full:
    """A full board without a line: the second player has won, whatever the numbers."""
    first, second = (array("H", [0]) * kernel.SIZES[slots] for slots in (5, 4))
    return Full((first, second), (1, 1), bytes([code(Seat.SECOND, 9)]))
