"""Pattern Match, solved: placing by one table (see `tables`), recycling by going back from the wins.

In the table the numbers of the pool are the slots, in the order of a magic square so that a slots'
line is a sum of 15, and the cells of a player's own grid are the tokens. Its full outlines, where the
second player returns a number, take their values from `pattern_recycling`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import cache
from itertools import chain, permutations

from ninefold.analysis import pattern_recycling as recycling
from ninefold.analysis.evaluation import (
    ENDLESS,
    Candidate,
    Evaluation,
    Progress,
    Value,
    evaluate_finished,
    evaluate_moves,
    forced_win,
)
from ninefold.analysis.outlines import Outline, slots_of
from ninefold.analysis.pattern_recycling import BITS, FIFTEEN, MAGIC, Ring
from ninefold.analysis.tables import (
    ENDLESS_CODE,
    Full,
    Tables,
    code,
    decoded,
    job,
    solved,
)
from ninefold.core.grid import CELLS, LINES
from ninefold.core.seat import Seat
from ninefold.games.pattern.rules import Pattern

Places = tuple[int, ...]  # which numbers of a filling, by their order in it
SLOT = {number: slot for slot, number in enumerate(MAGIC)}
LINE_CELLS = frozenset(frozenset(line.cells) for line in LINES)


def evaluate(state: Pattern, progress: Progress | None = None) -> Evaluation:
    """The exact evaluation of any position, of the placing and of the recycling.

    The first one makes the table: a moment with the C kernel, some seconds without; `progress` is
    told the part that is done.
    """
    if state.outcome is not None:
        return evaluate_finished(state.outcome.winner)
    if state.pool and not state.recycling:
        tables(progress)
    (seat,) = state.movers
    return evaluate_moves(
        [Candidate(seat, move, value(state.after(move, seat))) for move in state.moves()]
    )


def count_positions(start: Pattern) -> int:
    """How many positions there are. In recycling, positions that `Ring` does not tell apart are one."""
    return tables().positions(range(10)) + sum(1 for _ in recycling.rings())


def tables(progress: Progress | None = None) -> Tables:
    """The table of the placing, kept for the life of the process."""
    global _placing
    if _placing is None:
        _placing = solved(job(fits, full), progress)
    return _placing


_placing: Tables | None = None


def value(state: Pattern) -> Value:
    """The value of a position without that of its moves."""
    if state.outcome is not None:
        return forced_win(state.outcome.winner, 0)
    if state.recycling:
        found = recycling.value(ring_of(state))
        return ENDLESS if found is None else forced_win(*found)
    first, second = ({SLOT[n]: cell for cell, n in enumerate(grid) if n} for grid in state.grids)
    return decoded(tables().code((first, second)), len(first) + len(second))


def ring_of(state: Pattern) -> Ring:
    """A position of the recycling, as far as it matters."""
    first, second = state.grids
    lines = [sum(BITS[SLOT[first[cell]]] for cell in cells) for cells in _lines_in(_filled(first))]
    return Ring(
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
    """The ways this many numbers can stand in full lines, and the way of each filling."""
    shapes: dict[tuple[Places, ...], int] = {}
    of_filling = []
    for cells in permutations(CELLS, count):
        lines = [tuple(sorted(map(cells.index, line))) for line in _lines_in(frozenset(cells))]
        of_filling.append(shapes.setdefault(tuple(sorted(lines)), len(shapes)))
    return shapes, tuple(of_filling)


def fits(a: int, b: int, c: int) -> bool:
    """Whether three tokens, each a cell, lie in a line."""
    return {a, b, c} in LINE_CELLS


def full(outline: Outline) -> Full:
    """All numbers are placed: the second player returns the one that is best for them.

    Shapes with the same values throughout are one kind.
    """
    mine, theirs = (slots_of(mask) for mask in outline.masks)
    (first_shapes, first_of), (second_shapes, second_of) = _shapes(5), _shapes(4)
    first_lines = [_numbers(shape, mine) for shape in first_shapes]
    second_lines = [_numbers(shape, theirs) for shape in second_shapes]
    first_kind, rows = _kinds(
        tuple(_returned(f, s, outline.masks) for s in second_lines) for f in first_lines
    )
    second_kind, columns = _kinds(zip(*rows, strict=True))
    kinds = (
        array("H", [first_kind[shape] for shape in first_of]),
        array("H", [second_kind[shape] for shape in second_of]),
    )
    codes = bytes(chain.from_iterable(zip(*columns, strict=True)))
    return Full(kinds, (len(rows), len(columns)), codes)


def _kinds(rows: Iterable[tuple[int, ...]]) -> tuple[list[int], list[tuple[int, ...]]]:
    """The kind of each row of codes, equal rows being one kind, and the row of each kind."""
    found: dict[tuple[int, ...], int] = {}
    return [found.setdefault(row, len(found)) for row in rows], list(found)


def _numbers(shape: tuple[Places, ...], slots: tuple[int, ...]) -> tuple[int, ...]:
    """The numbers in each line of a shape, as masks, smaller first."""
    return tuple(sorted(sum(BITS[slots[place]] for place in places) for places in shape))


def _returned(first_lines: tuple[int, ...], second_lines: tuple[int, ...], masks: tuple[int, int]) -> int:
    """The code of a full board with these full lines, the second player to return a number."""
    if not FIFTEEN.isdisjoint(first_lines + second_lines):
        return ENDLESS_CODE  # the game was over before: any code will do
    codes = []
    for bit in BITS:
        if bit & masks[1]:
            line = any(not bit & numbers for numbers in second_lines)
            found = recycling.value(Ring(first_lines, masks[0], line, bit, Seat.FIRST))
            codes.append(ENDLESS_CODE if found is None else code(found.winner, 10 + found.plies))
    return min(codes)
