"""Pattern Match once the pool holds a single number: who can force a line by swapping, and how soon.

No cell is filled or emptied anymore, so all that matters about a grid is which full lines it has and
which numbers stand in them. The first player's five cells hold no line, one, or two that cross; the
second player's three form a line or not. What matters about the numbers is only which of them add up
to 15, and the symmetries of a magic square preserve that. This leaves few positions, and they are
solved by retrograde analysis: a position is won in 1 if its mover can make a line, lost in n+1 if
every swap leads to one won in at most n, and won in n+1 if some swap leads to one lost in n. A
position that this never reaches is endless.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations
from typing import NamedTuple

from ninefold.core.grid import CELLS, LINES, SYMMETRIES
from ninefold.core.seat import SEATS, Seat

# The magic square, row by row: its eight lines are the eight ways to make 15 of three numbers.
MAGIC = (2, 7, 6, 9, 5, 1, 4, 3, 8)

# A set of numbers is a bit mask over the cells of the magic square.
BITS = tuple(1 << cell for cell in CELLS)
ALL = sum(BITS)
FIFTEEN = frozenset(sum(BITS[cell] for cell in line.cells) for line in LINES)
# TURNED[k][mask]: what the k-th symmetry of the magic square makes of a set.
TURNED = tuple(
    tuple(sum(BITS[to[cell]] for cell in CELLS if mask & BITS[cell]) for mask in range(ALL + 1))
    for to in SYMMETRIES
)


def mask_of(numbers: Iterable[int]) -> int:
    """These numbers as a set; 0 stands for no number."""
    return sum(BITS[MAGIC.index(number)] for number in numbers if number)


class Position(NamedTuple):
    """What matters about a position in recycling."""

    lines: tuple[int, ...]  # the numbers in each full line of the first player, smaller mask first
    first: int  # the first player's five numbers
    line: bool  # whether the second player's three cells form a line
    pool: int  # the one number in the pool, as a mask
    turn: Seat

    @property
    def second(self) -> int:
        return ALL ^ self.first ^ self.pool

    def after_swap(self, number: int) -> Position | None:
        """The position after the mover swaps this number (a mask) for the pool's; None if that wins."""
        change = number | self.pool
        if self.turn is Seat.SECOND:
            if self.line and self.second ^ change in FIFTEEN:
                return None
            return Position(self.lines, self.first, self.line, number, Seat.FIRST)
        lines = [trio ^ change if trio & number else trio for trio in self.lines]
        if not FIFTEEN.isdisjoint(lines):
            return None
        return Position(tuple(sorted(lines)), self.first ^ change, self.line, number, Seat.SECOND)


class ForcedWin(NamedTuple):
    """The winner and the number of swaps until the line when the winner hurries and the loser delays."""

    winner: Seat
    plies: int


@cache
def _turns(first: int, pool: int) -> tuple[tuple[int, ...], ...]:
    """The symmetries, as in TURNED, that make the two masks smallest."""
    smallest = min((turn[first], turn[pool]) for turn in TURNED)
    return tuple(turn for turn in TURNED if (turn[first], turn[pool]) == smallest)


def canonical(position: Position) -> Position:
    """The position that stands for all that are symmetric to this one."""
    lines, first, line, pool, turn = position
    turns = _turns(first, pool)
    images = [tuple(sorted([to[trio] for trio in lines])) for to in turns]
    return Position(min(images), turns[0][first], line, turns[0][pool], turn)


def value(position: Position) -> ForcedWin | None:
    """Who can force a win from here, and how soon; None if the position is endless."""
    return forced_wins().get(canonical(position))


def line_sets(first: int) -> Iterator[tuple[int, ...]]:
    """The ways five numbers can stand in full lines: none, one, or two that cross, but none of 15."""
    numbers = [bit for bit in BITS if bit & first]
    lines = sorted({a | b | c for a, b, c in combinations(numbers, 3)} - FIFTEEN)
    yield ()
    yield from ((line,) for line in lines)
    yield from ((a, b) for a, b in combinations(lines, 2) if (a & b).bit_count() == 1)


def every_position() -> Iterator[Position]:
    """Every canonical position in which somebody has a full line, but nobody has one of 15."""
    for five in combinations(BITS, 5):
        first = sum(five)
        for pool in (bit for bit in BITS if not bit & first):
            if (first, pool) != (_turns(first, pool)[0][first], _turns(first, pool)[0][pool]):
                continue
            for lines in line_sets(first):
                for line in (False, True):
                    if not (lines or line) or (line and ALL ^ first ^ pool in FIFTEEN):
                        continue
                    for turn in SEATS:
                        position = Position(lines, first, line, pool, turn)
                        if position == canonical(position):
                            yield position


@cache
def forced_wins() -> dict[Position, ForcedWin]:
    """All canonical positions in which one side can force a win; every other is endless."""
    found: dict[Position, ForcedWin] = {}
    before: dict[Position, list[Position]] = {}
    open_swaps: dict[Position, int] = {}  # how many of the mover's swaps are not known to lose
    wave: list[Position] = []
    for position in every_position():
        own = position.second if position.turn else position.first
        after = [position.after_swap(bit) for bit in BITS if bit & own]
        if None in after:
            found[position] = ForcedWin(position.turn, 1)
            wave.append(position)
        else:
            open_swaps[position] = len(after)
            for later in after:
                assert later is not None
                before.setdefault(canonical(later), []).append(position)
    plies = 1
    while wave:
        plies += 1
        following: list[Position] = []
        for later in wave:
            winner = found[later].winner
            for position in before.get(later, ()):
                if position in found:
                    continue
                if position.turn is not winner:
                    open_swaps[position] -= 1
                    if open_swaps[position]:
                        continue
                found[position] = ForcedWin(winner, plies)
                following.append(position)
        wave = following
    return found
