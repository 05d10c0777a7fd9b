"""Shadow Grid Duel, solved: every position of every target, with the number of moves to the end.

The whole game is one tablebase per target (see `placing`), made when it is first needed. Writing 10-n
for every number n turns the target T into 30-T and changes nothing else, so six tablebases serve all.
"""

from __future__ import annotations

from array import array
from threading import Lock

from ninefold.analysis.evaluation import (
    Candidate,
    Evaluation,
    Progress,
    Value,
    evaluate_finished,
    evaluate_moves,
    forced_win,
)
from ninefold.analysis.placing.buffers import SIZES
from ninefold.analysis.placing.outlines import Outline
from ninefold.analysis.placing.tablebase import (
    Fits,
    FullOutline,
    Tablebase,
    decode,
    encode,
    make_job,
    solve,
)
from ninefold.analysis.solver import Solver
from ninefold.core.seat import SEATS, Seat
from ninefold.games.shadow.rules import TARGETS, Shadow

MIDDLE = 15  # the target that mirrors itself


def evaluate(state: Shadow, progress: Progress | None = None) -> Evaluation:
    """The exact evaluation of any position.

    The first one for a target makes its tablebase: a moment with the C kernel, some seconds without.
    `progress` is called with the share that is done.
    """
    if state.outcome is not None:
        return evaluate_finished(state.outcome.winner)
    tablebase(state.target, progress)
    (seat,) = state.movers
    return evaluate_moves(
        [Candidate(seat, move, value(state.after(move, seat))) for move in state.moves()]
    )


def count_positions(start: Shadow) -> int:
    """How many positions a target has."""
    return tablebase(start.target).count_positions(range(9))


def prepare(progress: Progress | None = None) -> None:
    """Make the tablebases of all targets, always in the same order."""
    with _preparing:
        for target in range(TARGETS[0], MIDDLE + 1):
            tablebase(target, progress)


_preparing = Lock()


def tablebase(target: int, progress: Progress | None = None) -> Tablebase:
    """The tablebase for a target or for its mirror, kept for the life of the process."""
    target = min(target, 2 * MIDDLE - target)
    if target not in _tablebases:
        _tablebases[target] = solve(make_job(fits(target), solve_full), progress)
    return _tablebases[target]


_tablebases: dict[int, Tablebase] = {}  # by target, up to MIDDLE


def value(state: Shadow) -> Value:
    """The value of a position, without the values of its moves."""
    if state.outcome is not None:
        return forced_win(state.outcome.winner, 0)
    # A number n is the token n-1, or in the tablebase of the mirrored target the token of 10-n.
    mirrored = state.target > MIDDLE
    first, second = (
        {cell: 9 - n if mirrored else n - 1 for cell, n in enumerate(state.own(seat)) if n}
        for seat in SEATS
    )
    return decode(tablebase(state.target).code((first, second)), len(first) + len(second))


def fits(target: int) -> Fits:
    """Whether three tokens, each a number less 1, add up to the target."""
    return lambda a, b, c: a + b + c + 3 == target


def solve_full(outline: Outline) -> FullOutline:
    """A full board without a line: the second player has won, whatever the numbers."""
    first, second = (array("H", [0]) * SIZES[slots] for slots in (5, 4))
    return FullOutline((first, second), (1, 1), bytes([encode(Seat.SECOND, 9)]))


SOLVER = Solver(evaluate, count_positions, prepare=prepare)
