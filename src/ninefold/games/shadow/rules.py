"""Shadow Grid Duel: three of your own numbers in a line that add up to the target.

The players share a 3x3 grid. Each has the numbers 1 to 9 and can use each of them once. A turn puts
one of them on an empty cell. Three numbers of the same player in a row, column or diagonal that add
up to the target win at once. A full board without such a line is lost by the player who filled it:
always the first, who places the ninth number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import ClassVar

from ninefold.core.game import Option, one_of
from ninefold.core.grid import CELLS, cell_text
from ninefold.core.move import Move
from ninefold.core.outcome import Outcome, Reason, Threat, made_line, open_threats
from ninefold.core.seat import Seat
from ninefold.core.state import ALONE, State

NUMBERS = tuple(range(1, 10))
SIGNED = (frozenset(NUMBERS), frozenset(-number for number in NUMBERS))  # by seat, as on the grid
TARGETS = range(10, 21)


@dataclass(frozen=True, slots=True)
class Place(Move):
    """Put one of your numbers on an empty cell."""

    number: int
    cell: int

    def __str__(self) -> str:
        return f"{self.number}@{cell_text(self.cell)}"


PLACES = {(number, cell): Place(number, cell) for number in NUMBERS for cell in CELLS}


class _Places(dict[tuple[bool, ...], tuple[Place, ...]]):
    """The moves of one hand, by which cells are taken: every number on every empty cell."""

    def __init__(self, hand: frozenset[int]) -> None:
        self._numbers = sorted(map(abs, hand))

    def __missing__(self, taken: tuple[bool, ...]) -> tuple[Place, ...]:
        empty = [cell for cell in CELLS if not taken[cell]]
        self[taken] = tuple([PLACES[number, cell] for number in self._numbers for cell in empty])
        return self[taken]


_places = cache(_Places)  # there are only about 20,000 different lists of moves: build each once


@dataclass(frozen=True, slots=True)
class ShadowClauses:
    """What an edit of the game may replace. The default is the book's."""

    # Who wins a full board without a line, at an even target and at an odd one.
    full: tuple[Seat, Seat] = (Seat.SECOND, Seat.SECOND)


@dataclass(frozen=True, slots=True)
class Shadow(State[Place]):
    """In `cells`, the second player's numbers are negative and 0 is empty."""

    clauses: ClassVar[ShadowClauses] = ShadowClauses()

    target: int
    cells: tuple[int, ...] = (0,) * 9
    outcome: Outcome | None = field(default=None, compare=False)

    @property
    def setup(self) -> Mapping[str, int | str]:
        return {"target": self.target}

    @property
    def movers(self) -> tuple[Seat, ...]:
        if self.outcome is not None:
            return ()
        return ALONE[self.cells.count(0) % 2 == 0]

    @property
    def full_board(self) -> Seat:
        """Who wins a full board without a line."""
        return self.clauses.full[self.target % 2]

    def own(self, seat: Seat) -> tuple[int, ...]:
        """The seat's numbers on the grid; 0 where it has none."""
        sign = -1 if seat else 1
        return tuple([n * sign if n * sign > 0 else 0 for n in self.cells])

    def hand(self, seat: Seat) -> tuple[int, ...]:
        """The numbers the seat has not used yet."""
        return tuple(sorted(map(abs, SIGNED[seat].difference(self.cells))))

    def moves(self, seat: Seat | None = None) -> tuple[Place, ...]:
        movers = self.movers
        if not movers or (seat is not None and seat not in movers):
            return ()
        cells = self.cells
        return _places(SIGNED[movers[0]].difference(cells))[tuple(map(bool, cells))]

    def after(self, move: Place, seat: Seat) -> Shadow:
        placed = list(self.cells)
        placed[move.cell] = -move.number if seat else move.number
        cells = tuple(placed)
        made = made_line(cells, move.cell, -self.target if seat else self.target)
        outcome = None
        if made is not None:
            outcome = Outcome(seat, Reason.LINE, made)
        elif 0 not in cells:
            outcome = Outcome(self.full_board, Reason.FULL)
        return type(self)(self.target, cells, outcome)

    def threats(self, seat: Seat) -> tuple[Threat, ...]:
        free = tuple(number == 0 for number in self.cells)
        return open_threats(self.own(seat), free, self.hand(seat), self.target)

    def longest(self, together: bool = False) -> int:
        return 0 if self.outcome else self.cells.count(0)

    def refusal(self, move: Place, seat: Seat) -> str:
        if move.number not in self.hand(seat):
            return f"You have already used your {move.number}. You can use each number only once."
        return f"Cell {cell_text(move.cell)} is taken. Choose an empty one."


OPTIONS = (
    Option(
        name="target",
        allowed="a whole number from 10 to 20",
        read=one_of(TARGETS),
        values=lambda: TARGETS,
        draw=lambda rng: rng.choice(TARGETS),
        asked=True,
    ),
)


def begin(target: int, state: type[Shadow] = Shadow) -> Shadow:
    return state(target)
