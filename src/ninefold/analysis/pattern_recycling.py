"""Pattern Match with the pool empty but for one number: who can force a line by swapping, how soon.

No cell is filled or emptied any more, so a grid matters only by the full lines it has and by the
numbers in them. The first player's five cells hold no line, one, or two that cross; the second
player's three are a line or not. Nor does it matter which numbers they are, but which of them add up
to 15: the symmetries of a magic square keep that. This leaves few *rings* (positions of this kind),
each valued by going back from the wins: a ring is won in 1 if its mover can make a line, lost in n+1
if every swap leads to a ring won in at most n, won in n+1 if one leads to a ring lost in n. What is
never reached like this is endless.
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
# TURNED[k][mask]: the set after the k-th symmetry of the magic square.
TURNED = tuple(
    tuple(sum(BITS[to[cell]] for cell in CELLS if mask & BITS[cell]) for mask in range(ALL + 1))
    for to in SYMMETRIES
)


def mask_of(numbers: Iterable[int]) -> int:
    """A set of numbers; 0 stands for no number."""
    return sum(BITS[MAGIC.index(number)] for number in numbers if number)


class Ring(NamedTuple):
    """A position in recycling, as far as it matters."""

    lines: tuple[int, ...]  # the numbers in each full line of the first player, smaller mask first
    first: int  # the first player's five numbers
    line: bool  # whether the second player's three cells are a line
    pool: int  # the one number in the pool, as a mask
    turn: Seat

    @property
    def second(self) -> int:
        return ALL ^ self.first ^ self.pool

    def swapped(self, number: int) -> Ring | None:
        """The ring after the mover gave this number (a mask) for the pool's; None if that wins."""
        change = number | self.pool
        if self.turn is Seat.SECOND:
            if self.line and self.second ^ change in FIFTEEN:
                return None
            return Ring(self.lines, self.first, self.line, number, Seat.FIRST)
        lines = [trio ^ change if trio & number else trio for trio in self.lines]
        if not FIFTEEN.isdisjoint(lines):
            return None
        return Ring(tuple(sorted(lines)), self.first ^ change, self.line, number, Seat.SECOND)


class Forced(NamedTuple):
    """The winner and the number of swaps until the line when the winner hurries and the loser delays."""

    winner: Seat
    plies: int


@cache
def _turns(first: int, pool: int) -> tuple[tuple[int, ...], ...]:
    """The symmetries, as in TURNED, that make the two masks smallest."""
    smallest = min((turn[first], turn[pool]) for turn in TURNED)
    return tuple(turn for turn in TURNED if (turn[first], turn[pool]) == smallest)


def standard(ring: Ring) -> Ring:
    """The ring that stands for all that are symmetric to this one."""
    lines, first, line, pool, turn = ring
    turns = _turns(first, pool)
    standards = [tuple(sorted([to[trio] for trio in lines])) for to in turns]
    return Ring(min(standards), turns[0][first], line, turns[0][pool], turn)


def value(ring: Ring) -> Forced | None:
    """Who can force a win from here, and how soon; None if the ring is endless."""
    return forced().get(standard(ring))


def line_sets(first: int) -> Iterator[tuple[int, ...]]:
    """The ways five numbers can stand in full lines: none, one, or two that cross, none of 15."""
    numbers = [bit for bit in BITS if bit & first]
    lines = sorted({a | b | c for a, b, c in combinations(numbers, 3)} - FIFTEEN)
    yield ()
    yield from ((line,) for line in lines)
    yield from ((a, b) for a, b in combinations(lines, 2) if (a & b).bit_count() == 1)


def rings() -> Iterator[Ring]:
    """Every standard ring in which somebody has a line to make and nobody has made one."""
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
                        ring = Ring(lines, first, line, pool, turn)
                        if ring == standard(ring):
                            yield ring


@cache
def forced() -> dict[Ring, Forced]:
    """All standard rings in which one side can force a win; every other is endless."""
    found: dict[Ring, Forced] = {}
    before: dict[Ring, list[Ring]] = {}
    open_swaps: dict[Ring, int] = {}  # how many swaps of the mover are not known to lose
    wave: list[Ring] = []
    for ring in rings():
        own = ring.second if ring.turn else ring.first
        after = [ring.swapped(bit) for bit in BITS if bit & own]
        if None in after:
            found[ring] = Forced(ring.turn, 1)
            wave.append(ring)
        else:
            open_swaps[ring] = len(after)
            for later in after:
                assert later is not None
                before.setdefault(standard(later), []).append(ring)
    plies = 1
    while wave:
        plies += 1
        following: list[Ring] = []
        for later in wave:
            winner = found[later].winner
            for ring in before.get(later, ()):
                if ring in found:
                    continue
                if ring.turn is not winner:
                    open_swaps[ring] -= 1
                    if open_swaps[ring]:
                        continue
                found[ring] = Forced(winner, plies)
                following.append(ring)
        wave = following
    return found
