"""Shadow Grid Duel, solved: every position of every target, with the number of moves to the end.

The whole game is one table a target (see `tables`), made when it is first asked for. Writing 10-n for
every number n turns the target T into 30-T and changes nothing else, so six tables serve all.
"""

from __future__ import annotations

from array import array
from functools import cache

from ninefold.analysis import kernel
from ninefold.analysis.choices import Option, evaluation, over, won
from ninefold.analysis.evaluation import Evaluation, Value
from ninefold.analysis.kernel import Progress
from ninefold.analysis.tables import Full, Outline, Solution, Tables, code, decoded, solved
from ninefold.core.seat import SEATS, Seat
from ninefold.games.shadow.rules import Shadow, begin

MIDDLE = 15  # the target that mirrors itself


def evaluate(state: Shadow, progress: Progress | None = None) -> Evaluation:
    """The exact evaluation of any position.

    The first one for a target makes its table: a moment with the C kernel, some seconds without;
    `progress` is told the part that is done.
    """
    if state.outcome is not None:
        return over(state.outcome.winner)
    (seat,) = state.movers
    table = tables(state.target, progress)
    return evaluation(
        [Option(seat, move, _value(state.after(move, seat), table)) for move in state.moves()]
    )


def solve(target: int, progress: Progress | None = None) -> Solution:
    """The game with this target from its start."""
    start = evaluate(begin(target), progress)
    best = tuple(choice.move for choice in start.choices if choice.best)
    return Solution(start.value, best, tables(target).positions(range(9)))


def tables(target: int, progress: Progress | None = None) -> Tables:
    """The table for a target or for its mirror; kept for the life of the process."""
    target = min(target, 2 * MIDDLE - target)
    if target not in _TABLES:
        _TABLES[target] = solved(lambda a, b, c: a + b + c + 3 == target, _full, progress)
    return _TABLES[target]


_TABLES: dict[int, Tables] = {}  # by target, up to MIDDLE


def _value(state: Shadow, table: Tables) -> Value:
    if state.outcome is not None:
        return won(state.outcome.winner, 0)
    # The token of the number n is n-1, or that of 10-n where the mirrored target's table is used.
    turned = state.target > MIDDLE
    first, second = (
        {cell: 9 - n if turned else n - 1 for cell, n in enumerate(state.own(seat)) if n}
        for seat in SEATS
    )
    return decoded(table.code((first, second)), len(first) + len(second))


@cache
def _one_kind(slots: int) -> array[int]:
    return array("H", bytes(2 * kernel.SIZES[slots]))


def _full(outline: Outline) -> Full:
    """A full board without a line: the second player has won, whatever the numbers."""
    return Full((_one_kind(5), _one_kind(4)), (1, 1), bytes([code(Seat.SECOND, 9)]))
