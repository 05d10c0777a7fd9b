"""Number Grid Battle: take the cells with the larger sum.

The numbers 1 to 9 lie on a 3x3 grid in any order. The players take one cell each turn until none
is left, the first player five and the second four. The larger sum wins. Equal sums, which nine
numbers adding up to 45 do not allow, would be lost by the player who took the last cell.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from ninefold.core.game import DEAL
from ninefold.core.grid import CELLS, cell_text
from ninefold.core.move import Move
from ninefold.core.outcome import Outcome, Reason
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import ALONE, State


@dataclass(frozen=True, slots=True)
class Take(Move):
    """Take an unclaimed cell."""

    cell: int

    def __str__(self) -> str:
        return cell_text(self.cell, origin=0)


@dataclass(frozen=True, slots=True)
class Scores:
    points: tuple[int, int]  # by seat


TAKES = tuple(Take(cell) for cell in CELLS)


def decide(points: tuple[int, int], last: Seat) -> Outcome:
    """The result of these sums when `last` took the last cell."""
    first, second = points
    if first == second:
        return Outcome(last.other, Reason.TIE, Scores(points))
    return Outcome(SEATS[first < second], Reason.SUM, Scores(points))


@dataclass(frozen=True, slots=True)
class BattleClauses:
    """What an edit of the game may replace. The defaults are the book's."""

    head_start: int = 0  # points that the second player begins with
    order: tuple[Seat, ...] = ()  # whose turn is which; in turn, if empty


@dataclass(frozen=True, slots=True)
class Battle(State[Take]):
    clauses: ClassVar[BattleClauses] = BattleClauses()

    grid: str  # nine digits, row by row
    owners: tuple[Seat | None, ...] = (None,) * 9

    @property
    def setup(self) -> Mapping[str, int | str]:
        return {"grid": self.grid}

    @property
    def points(self) -> tuple[int, int]:
        """The sums so far, by seat."""
        first, second = 0, self.clauses.head_start
        for digit, owner in zip(self.grid, self.owners, strict=True):
            if owner is Seat.FIRST:
                first += int(digit)
            elif owner is Seat.SECOND:
                second += int(digit)
        return first, second

    @property
    def outcome(self) -> Outcome | None:
        return None if None in self.owners else decide(self.points, last=self.tie.other)

    @property
    def tie(self) -> Seat:
        """Who wins if the sums are equal: the player who does not take the last cell."""
        return self.clauses.order[-1].other if self.clauses.order else Seat.SECOND

    @property
    def movers(self) -> tuple[Seat, ...]:
        unclaimed = self.owners.count(None)
        if self.clauses.order and unclaimed:
            return ALONE[self.clauses.order[-unclaimed]]
        return ALONE[unclaimed % 2 == 0] if unclaimed else ()

    @property
    def turns(self) -> tuple[Seat, ...]:
        """Whose the turns are that are left; empty where the players simply take turns."""
        return self.clauses.order[len(self.owners) - self.owners.count(None) :]

    def moves(self, seat: Seat | None = None) -> tuple[Take, ...]:
        if seat is not None and seat not in self.movers:
            return ()
        return tuple([TAKES[cell] for cell, owner in enumerate(self.owners) if owner is None])

    def after(self, move: Take, seat: Seat) -> Battle:
        owners = self.owners
        return type(self)(self.grid, (*owners[: move.cell], seat, *owners[move.cell + 1 :]))

    def longest(self, together: bool = False) -> int:
        return self.owners.count(None)

    def refusal(self, move: Take, seat: Seat) -> str:
        return f"The {self.grid[move.cell]} has already been claimed. Choose one that is free."


OPTIONS = (DEAL,)


def begin(grid: str, state: type[Battle] = Battle) -> Battle:
    return state(grid)
