"""Pattern Match, solved: placing by a tablebase (see `placing`), recycling by retrograde analysis.

In the tablebase the numbers of the pool are the slots, in the order of a magic square so that each
line of slots is a sum of 15, and the cells of a player's own grid are the tokens. Its full outlines,
where the second player returns a number, take their values from `pattern_recycling`.

Where the first player returns a number instead, recycling needs no table. Both have four cells, which
hold one full line at most, and a swap makes it 15 with at most three numbers of the pool. The mover can
leave any of four there, and whoever returns any of five, so nobody is ever forced to leave one of these
three: a line is made at once, or play is endless.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from functools import cache
from itertools import chain, permutations

from ninefold.analysis import pattern_recycling as recycling
from ninefold.analysis.evaluation import (
    ENDLESS,
    Candidate,
    Evaluation,
    OnProgress,
    Value,
    evaluate_finished,
    evaluate_moves,
    forced_win,
)
from ninefold.analysis.pattern_recycling import BITS, FIFTEEN, MAGIC, Position
from ninefold.analysis.placing.buffers import SIZES
from ninefold.analysis.placing.outlines import Outline, slots_of
from ninefold.analysis.placing.tablebase import (
    ENDLESS_CODE,
    Filled,
    FullOutline,
    Tablebase,
    count_codes,
    decode,
    encode,
    make_job,
    solve,
)
from ninefold.analysis.solver import Solver
from ninefold.core.grid import CELLS, LINES
from ninefold.core.seat import Seat
from ninefold.games.pattern.rules import TOTAL, Pattern

Places = tuple[int, ...]  # which numbers of a filling, by their order in it
Masks = tuple[int, ...]  # the numbers in each full line of a seat
SLOT = {number: slot for slot, number in enumerate(MAGIC)}
LINE_CELLS = frozenset(frozenset(line.cells) for line in LINES)


def evaluate(state: Pattern, progress: OnProgress | None = None) -> Evaluation:
    """The exact evaluation of any position, of the placing and of the recycling.

    The first one makes the tablebase: a moment with the C kernel, some seconds without. `progress` is
    called with the share that is done.
    """
    if state.outcome is not None:
        return evaluate_finished(state.outcome.winner)
    (seat,) = state.movers
    if state.pool and not state.recycling:
        ply = _ply(state) + 1
        values = [decode(code, ply) for code in _codes_after(state, progress)]
    else:
        values = [value(state.after(move, seat)) for move in state.moves()]
    return evaluate_moves(
        [Candidate(seat, move, found) for move, found in zip(state.moves(), values, strict=True)]
    )


def count_values(state: Pattern, progress: OnProgress | None = None) -> Mapping[Value, int]:
    """How many of the moves of a position that is not over lead to each value."""
    if state.pool and not state.recycling:
        return count_codes(_codes_after(state, progress), _ply(state) + 1)
    return Counter([choice.value for choice in evaluate(state).choices])


def count_positions(start: Pattern) -> int:
    """How many positions there are. In recycling, those that share a `Position` are one."""
    placing = tablebase(returns=start.clauses.returns).count_positions(range(10))
    if start.clauses.returns is Seat.FIRST:
        return placing  # nothing is kept of recycling
    return placing + sum(1 for _ in recycling.every_position())


def tablebase(progress: OnProgress | None = None, returns: Seat = Seat.SECOND) -> Tablebase:
    """The tablebase of the placing, kept for the life of the process.

    `returns` is who returns a number when the pool is empty.
    """
    if returns not in _placing:
        _placing[returns] = solve(make_job(fits, solve_full if returns else leave_endless), progress)
    return _placing[returns]


_placing: dict[Seat, Tablebase] = {}


def _codes_after(state: Pattern, progress: OnProgress | None) -> bytes:
    """The codes after the moves that place a number, in the order of the moves."""
    by_slot = tablebase(progress, state.clauses.returns).codes_after(*_read(state))
    return b"".join([by_slot[SLOT[number]] for number in state.pool])


def group_moves(state: Pattern) -> Iterable[Hashable]:
    """A key for each move: the number, and the kind that the mover's cells become.

    The kinds of a full board say what it is worth, but nothing of the moves that return a number.
    """
    if len(state.pool) < 2:
        return state.moves()
    by_slot = tablebase(None, state.clauses.returns).kinds_after(*_read(state))
    return [(number, kind) for number in state.pool for kind in by_slot[SLOT[number]]]


def _read(state: Pattern) -> tuple[Filled, list[int]]:
    """Which cell each placed number is on, and the empty cells of the player to move."""
    first, second = ({SLOT[n]: cell for cell, n in enumerate(grid) if n} for grid in state.grids)
    return (first, second), [cell for cell, number in enumerate(state.grids[state.turn]) if not number]


def _ply(state: Pattern) -> int:
    return 9 - len(state.pool)


def value(state: Pattern) -> Value:
    """The value of a position in recycling, without the values of its moves."""
    if state.outcome is not None:
        return forced_win(state.outcome.winner, 0)
    if state.first_returned:
        return forced_win(state.turn, 1) if _can_make_line(state) else ENDLESS
    found = recycling.value(recycling_position(state))
    return ENDLESS if found is None else forced_win(*found)


def _can_make_line(state: Pattern) -> bool:
    """Whether the next swap can make a line of 15."""
    grid, (pool,) = state.grids[state.turn], state.pool
    lines = ([grid[cell] for cell in cells] for cells in _lines_in(_filled(grid)))
    return any(sum(line) - number + pool == TOTAL for line in lines for number in line)


def recycling_position(state: Pattern) -> Position:
    """What matters about a position in recycling."""
    first, second = state.grids
    lines = [sum(BITS[SLOT[first[cell]]] for cell in cells) for cells in _lines_in(_filled(first))]
    return Position(
        tuple(sorted(lines)),
        recycling.mask_of(first),
        bool(_lines_in(_filled(second))),
        recycling.mask_of(state.pool),
        state.turn,
    )


def _filled(grid: tuple[int, ...]) -> frozenset[int]:
    return frozenset(cell for cell in CELLS if grid[cell])


@cache
def _lines_in(cells: frozenset[int]) -> tuple[tuple[int, int, int], ...]:
    return tuple(line.cells for line in LINES if cells.issuperset(line.cells))


@cache
def _shapes(count: int) -> tuple[dict[tuple[Places, ...], int], tuple[int, ...]]:
    """The ways in which this many numbers can stand in full lines, and which of them each filling is."""
    shapes: dict[tuple[Places, ...], int] = {}
    of_filling = []
    for cells in permutations(CELLS, count):
        lines = [tuple(sorted(map(cells.index, line))) for line in _lines_in(frozenset(cells))]
        of_filling.append(shapes.setdefault(tuple(sorted(lines)), len(shapes)))
    return shapes, tuple(of_filling)


def fits(a: int, b: int, c: int) -> bool:
    """Whether three tokens, each a cell, lie in a line."""
    return {a, b, c} in LINE_CELLS


def solve_full(outline: Outline) -> FullOutline:
    """A full board: the second player returns the number that is best for them.

    Shapes that have the same values against everything are one kind.
    """
    mine, theirs = (slots_of(mask) for mask in outline.masks)
    (first_shapes, first_of), (second_shapes, second_of) = _shapes(5), _shapes(4)
    first_lines = [_numbers(shape, mine) for shape in first_shapes]
    second_lines = [_numbers(shape, theirs) for shape in second_shapes]
    first_kind, rows = _kinds(
        tuple(_best_return(f, s, outline.masks) for s in second_lines) for f in first_lines
    )
    second_kind, columns = _kinds(zip(*rows, strict=True))
    kinds = (
        array("H", [first_kind[shape] for shape in first_of]),
        array("H", [second_kind[shape] for shape in second_of]),
    )
    codes = bytes(chain.from_iterable(zip(*columns, strict=True)))
    return FullOutline(kinds, (len(rows), len(columns)), codes)


def leave_endless(outline: Outline) -> FullOutline:
    """A full board where the first player returns a number: nobody can force a line from there."""
    first, second = (array("H", [0]) * SIZES[slots] for slots in (5, 4))
    return FullOutline((first, second), (1, 1), bytes([ENDLESS_CODE]))


def _kinds(rows: Iterable[tuple[int, ...]]) -> tuple[list[int], list[tuple[int, ...]]]:
    """The kind of each row of codes, equal rows being one kind, and the row of each kind."""
    found: dict[tuple[int, ...], int] = {}
    return [found.setdefault(row, len(found)) for row in rows], list(found)


def _numbers(shape: tuple[Places, ...], slots: tuple[int, ...]) -> Masks:
    """The numbers in each line of a shape, as masks, smaller first."""
    return tuple(sorted(sum(BITS[slots[place]] for place in places) for places in shape))


def _best_return(first_lines: Masks, second_lines: Masks, masks: tuple[int, int]) -> int:
    """The code of a full board with these full lines, where the second player returns a number."""
    if not FIFTEEN.isdisjoint(first_lines + second_lines):
        return ENDLESS_CODE  # the game was over earlier, so nobody asks
    codes = []
    for bit in BITS:
        if bit & masks[1]:
            line = any(not bit & numbers for numbers in second_lines)
            found = recycling.value(Position(first_lines, masks[0], line, bit, Seat.FIRST))
            codes.append(ENDLESS_CODE if found is None else encode(found.winner, 10 + found.plies))
    return min(codes)


SOLVER = Solver(evaluate, count_positions, count_values=count_values, group_moves=group_moves)
