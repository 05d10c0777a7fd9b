"""Shadow Grid Duel, solved: every position of every target, with the number of moves to the end.

The whole game is one tablebase per target (see `placing`), made when it is first needed. Writing 10-n
for every number n turns the target T into 30-T and changes nothing else, so six tablebases serve all.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable, Mapping
from functools import partial
from itertools import chain
from threading import Lock

from ninefold.analysis.evaluation import (
    Candidate,
    Evaluation,
    OnProgress,
    Value,
    evaluate_finished,
    evaluate_moves,
)
from ninefold.analysis.placing.buffers import SIZES
from ninefold.analysis.placing.outlines import Outline
from ninefold.analysis.placing.tablebase import (
    Filled,
    Fits,
    FullOutline,
    Tablebase,
    count_codes,
    decode,
    encode,
    make_job,
    solve,
)
from ninefold.analysis.solver import Solver
from ninefold.core.seat import SEATS, Seat
from ninefold.games.shadow.rules import TARGETS, Shadow

MIDDLE = 15  # the target that mirrors itself


def evaluate(state: Shadow, progress: OnProgress | None = None) -> Evaluation:
    """The exact evaluation of any position.

    The first one for a target makes its tablebase: a moment with the C kernel, some seconds without.
    `progress` is called with the share that is done.
    """
    if state.outcome is not None:
        return evaluate_finished(state.outcome.winner)
    codes = _codes_after(state, progress)
    (seat,) = state.movers
    ply = _ply(state) + 1
    return evaluate_moves(
        [
            Candidate(seat, move, decode(code, ply))
            for move, code in zip(state.moves(), codes, strict=True)
        ]
    )


def count_values(state: Shadow, progress: OnProgress | None = None) -> Mapping[Value, int]:
    """How many of the moves of a position that is not over lead to each value."""
    return count_codes(
        b"".join(_tablebase_of(state, progress).codes_after(*_read(state)).values()), _ply(state) + 1
    )


def group_moves(state: Shadow) -> Iterable[Hashable]:
    """A key for each move: the cell, and the kind that the mover's numbers become."""
    by_cell = _tablebase_of(state).kinds_after(*_read(state))
    rows = zip(*[by_cell[cell] for cell in sorted(by_cell)], strict=True)
    return chain.from_iterable(map(enumerate, rows))


def count_positions(start: Shadow) -> int:
    """How many positions a target has."""
    return tablebase(start.target, full=start.full_board).count_positions(range(9))


def prepare(progress: OnProgress | None = None) -> None:
    """Make the tablebases of all targets, always in the same order."""
    with _preparing:
        for target in range(TARGETS[0], MIDDLE + 1):
            tablebase(target, progress)


_preparing = Lock()


def tablebase(target: int, progress: OnProgress | None = None, full: Seat = Seat.SECOND) -> Tablebase:
    """The tablebase for a target or for its mirror, kept for the life of the process.

    `full` wins a full board without a line.
    """
    key = min(target, 2 * MIDDLE - target), full
    if key not in _tablebases:
        _tablebases[key] = solve(make_job(fits(key[0]), partial(solve_full, winner=full)), progress)
    return _tablebases[key]


_tablebases: dict[tuple[int, Seat], Tablebase] = {}  # by target, up to MIDDLE


def _codes_after(state: Shadow, progress: OnProgress | None) -> bytes:
    """The codes after the moves, in the order of the moves: number by number, each on all empty cells."""
    by_cell = _tablebase_of(state, progress).codes_after(*_read(state))
    return bytes(chain.from_iterable(zip(*[by_cell[cell] for cell in sorted(by_cell)], strict=True)))


def _tablebase_of(state: Shadow, progress: OnProgress | None = None) -> Tablebase:
    return tablebase(state.target, progress, state.full_board)


def _read(state: Shadow) -> tuple[Filled, list[int]]:
    """What is on the cells, and the numbers of the player to move, as tokens."""
    first, second = [
        {cell: _token(number, state.target) for cell, number in enumerate(state.own(seat)) if number}
        for seat in SEATS
    ]
    (seat,) = state.movers
    return (first, second), [_token(number, state.target) for number in state.hand(seat)]


def _token(number: int, target: int) -> int:
    """The token that a number is in the tablebase: in that of the mirrored target, the token of 10-n."""
    return 9 - number if target > MIDDLE else number - 1


def _ply(state: Shadow) -> int:
    return 9 - state.cells.count(0)


def fits(target: int) -> Fits:
    """Whether three tokens, each a number less 1, add up to the target."""
    return lambda a, b, c: a + b + c + 3 == target


def solve_full(outline: Outline, winner: Seat = Seat.SECOND) -> FullOutline:
    """A full board without a line: the same player has won, whatever the numbers."""
    first, second = (array("H", [0]) * SIZES[slots] for slots in (5, 4))
    return FullOutline((first, second), (1, 1), bytes([encode(winner, 9)]))


SOLVER = Solver(
    evaluate, count_positions, prepare=prepare, count_values=count_values, group_moves=group_moves
)
