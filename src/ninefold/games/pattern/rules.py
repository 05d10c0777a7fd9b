"""Pattern Match: a line of 15 on your own grid, with numbers from one shared pool.

Each player has a 3x3 grid; the numbers 1 to 9 lie in a pool, once each. A turn takes a number from
the pool and puts it on an empty cell of the mover's own grid. A full row, column or diagonal that
adds up to 15 wins at once.

When the pool is empty, the numbers are recycled. The player to move, always the second, returns
one of their numbers to the pool, and the cell stays empty for good. From then on the pool holds one
number, and each turn swaps one of the mover's numbers with it. Play goes on until a line is made, or
until the position is dead: numbers come and go, but the cells that are in use stay the same, so if
they hold no line on either grid, nobody can win anymore.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import ClassVar

from ninefold.core.grid import CELLS, LINES, cell_text
from ninefold.core.move import Move
from ninefold.core.outcome import Outcome, Reason, Threat, made_line, open_threats
from ninefold.core.seat import Seat
from ninefold.core.state import ALONE, State

NUMBERS = frozenset(range(1, 10))
TOTAL = 15


@dataclass(frozen=True, slots=True)
class Place(Move):
    """Put a number from the pool on an empty cell of your grid."""

    number: int
    cell: int

    def __str__(self) -> str:
        return f"{self.number}@{cell_text(self.cell)}"


@dataclass(frozen=True, slots=True)
class Return(Move):
    """Put the number on this cell back into the empty pool."""

    cell: int

    def __str__(self) -> str:
        return f"return@{cell_text(self.cell)}"


@dataclass(frozen=True, slots=True)
class Swap(Move):
    """Exchange the number on this cell for the one in the pool."""

    cell: int

    def __str__(self) -> str:
        return f"swap@{cell_text(self.cell)}"


PatternMove = Place | Return | Swap

PLACES = {(number, cell): Place(number, cell) for number in sorted(NUMBERS) for cell in CELLS}
RETURNS = tuple(Return(cell) for cell in CELLS)
SWAPS = tuple(Swap(cell) for cell in CELLS)


@cache  # there are only about 20,000 different lists of moves: build each once
def _places(pool: tuple[int, ...], empty: tuple[int, ...]) -> tuple[Place, ...]:
    """Every number of the pool on every empty cell."""
    return tuple([PLACES[number, cell] for number in pool for cell in empty])


@dataclass(frozen=True, slots=True)
class PatternClauses:
    """What an edit of the game may replace. The default is the book's, as we read it."""

    returns: Seat = Seat.SECOND  # who returns a number when the pool is empty


@dataclass(frozen=True, slots=True)
class Pattern(State[PatternMove]):
    clauses: ClassVar[PatternClauses] = PatternClauses()

    grids: tuple[tuple[int, ...], tuple[int, ...]] = ((0,) * 9, (0,) * 9)  # by seat; 0 is empty
    turn: Seat = Seat.FIRST
    outcome: Outcome | None = field(default=None, compare=False)
    first_returned: bool = False  # never by the book; of the second player the grids tell

    @property
    def setup(self) -> Mapping[str, int | str]:
        return {}

    @property
    def pool(self) -> tuple[int, ...]:
        return tuple(sorted(NUMBERS.difference(*self.grids)))

    @property
    def recycling(self) -> bool:
        """Whether a number was returned. If it was the second player's, the grids hold five and three."""
        first, second = self.grids
        return self.first_returned or (first.count(0) == 4 and second.count(0) == 6)

    @property
    def dead(self) -> bool:
        if self.grids[0].count(0) > 4 and not self.first_returned:  # there are numbers left to place
            return False
        return not any(all(grid[cell] for cell in line.cells) for grid in self.grids for line in LINES)

    @property
    def movers(self) -> tuple[Seat, ...]:
        return ALONE[self.turn] if self.outcome is None else ()

    def moves(self, seat: Seat | None = None) -> tuple[PatternMove, ...]:
        if self.outcome is not None or (seat is not None and seat != self.turn):
            return ()
        grid = self.grids[self.turn]
        if self.recycling:
            return tuple([SWAPS[cell] for cell in CELLS if grid[cell]])
        pool = self.pool
        if not pool:
            return tuple([RETURNS[cell] for cell in CELLS if grid[cell]])
        return _places(pool, tuple([cell for cell in CELLS if not grid[cell]]))

    def after(self, move: PatternMove, seat: Seat) -> Pattern:
        match move:
            case Place(number, cell):
                pass
            case Swap(cell):
                (number,) = self.pool
            case Return(cell):
                number = 0
        grid = (*self.grids[seat][:cell], number, *self.grids[seat][cell + 1 :])
        grids = (self.grids[0], grid) if seat else (grid, self.grids[1])
        made = made_line(grid, cell, TOTAL)
        outcome = Outcome(seat, Reason.LINE, made) if made else None
        first_returned = self.first_returned or (isinstance(move, Return) and seat is Seat.FIRST)
        turn = seat.other
        if isinstance(move, Place) and len(self.pool) == 1:
            turn = self.clauses.returns
        return type(self)(grids, turn, outcome, first_returned)

    def threats(self, seat: Seat) -> tuple[Threat, ...]:
        """Empty in recycling, where every swap changes which lines the next one can complete."""
        if self.recycling:
            return ()
        grid = self.grids[seat]
        return open_threats(grid, tuple(number == 0 for number in grid), self.pool, TOTAL)

    def refusal(self, move: PatternMove, seat: Seat) -> str:
        pool = self.pool
        match move:
            case Place() if not pool or self.recycling:
                return f"All the numbers are placed. Now you {'swap' if pool else 'return'} one of yours."
            case Place(number, _) if number not in pool:
                return f"The {number} is no longer in the pool."
            case Place(_, cell):
                return f"Cell {cell_text(cell)} of your grid is taken. Choose an empty one."
            case Return() if pool:
                return "You can return a number only when the pool is empty."
            case Swap() if not self.recycling:
                return "You can swap only after a number has been returned to the pool."
            case _:
                return f"You have no number at {cell_text(move.cell)}."


def begin(state: type[Pattern] = Pattern) -> Pattern:
    return state()
