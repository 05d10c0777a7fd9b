"""Number Cross: claim rows and columns with the larger sum.

The numbers 1 to 9 lie on a 3x3 grid in any order. The players claim one row or column each turn
until all six are claimed, three by each. A player's sum counts every claimed line in full, so a
cell in two of their lines counts twice. The larger sum wins; at 45 to 45 the second player does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from ninefold.core.game import DEAL
from ninefold.core.grid import COLUMNS, ROWS
from ninefold.core.move import Move
from ninefold.core.outcome import Outcome, Reason
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import ALONE, State
from ninefold.core.words import one_of

LINES = (*ROWS, *COLUMNS)
NAMES = ("Row1", "Row2", "Row3", "Col1", "Col2", "Col3")


@dataclass(frozen=True, slots=True)
class ClaimLine(Move):
    """Claim an unclaimed row or column, by its place in LINES."""

    line: int

    def __str__(self) -> str:
        return NAMES[self.line]


@dataclass(frozen=True, slots=True)
class ClaimedLine:
    name: str
    numbers: tuple[int, int, int]

    @property
    def total(self) -> int:
        return sum(self.numbers)


@dataclass(frozen=True, slots=True)
class Sums:
    """Each seat's lines in the order they were claimed."""

    lines: tuple[tuple[ClaimedLine, ...], tuple[ClaimedLine, ...]]

    @property
    def totals(self) -> tuple[int, int]:
        first, second = (sum(line.total for line in lines) for lines in self.lines)
        return first, second


CLAIMS = tuple(ClaimLine(line) for line in range(len(LINES)))


@dataclass(frozen=True, slots=True)
class CrossClauses:
    """What an edit of the game may replace. The defaults are the book's."""

    head_start: int = 0  # points that the second player begins with
    order: tuple[Seat, ...] = ()  # whose turn is which; in turn, if empty
    tie: Seat = Seat.SECOND  # who wins if the sums are equal


@dataclass(frozen=True, slots=True)
class Cross(State[ClaimLine]):
    clauses: ClassVar[CrossClauses] = CrossClauses()

    grid: str  # nine digits, row by row
    claimed: tuple[int, ...] = ()  # lines in the order of the claims; the first player's come first

    @property
    def setup(self) -> Mapping[str, int | str]:
        return {"grid": self.grid}

    @property
    def sums(self) -> Sums:
        first, second = (
            tuple(ClaimedLine(NAMES[line], self.numbers(line)) for line in self.lines_of(seat))
            for seat in SEATS
        )
        return Sums((first, second))

    @property
    def points(self) -> tuple[int, int]:
        """The sums so far, by seat."""
        first, second = self.sums.totals
        return first, second + self.clauses.head_start

    @property
    def tie(self) -> Seat:
        """Who wins if the sums are equal."""
        return self.clauses.tie

    def lines_of(self, seat: Seat) -> tuple[int, ...]:
        """The lines that a seat has claimed, in this order."""
        if not self.clauses.order:
            return self.claimed[seat::2]
        order = self.clauses.order[: len(self.claimed)]
        return tuple(line for line, who in zip(self.claimed, order, strict=True) if who is seat)

    def numbers(self, line: int) -> tuple[int, int, int]:
        a, b, c = LINES[line].cells
        return int(self.grid[a]), int(self.grid[b]), int(self.grid[c])

    @property
    def outcome(self) -> Outcome | None:
        if len(self.claimed) < len(LINES):
            return None
        sums = self.sums
        first, second = self.points
        if first == second:
            return Outcome(self.tie, Reason.TIE, sums)
        return Outcome(SEATS[first < second], Reason.SUM, sums)

    @property
    def movers(self) -> tuple[Seat, ...]:
        count = len(self.claimed)
        if self.clauses.order and count < len(LINES):
            return ALONE[self.clauses.order[count]]
        return ALONE[count % 2] if count < len(LINES) else ()

    @property
    def turns(self) -> tuple[Seat, ...]:
        """Whose the turns are that are left; empty where the players simply take turns."""
        return self.clauses.order[len(self.claimed) :]

    def moves(self, seat: Seat | None = None) -> tuple[ClaimLine, ...]:
        if seat is not None and seat not in self.movers:
            return ()
        claimed = self.claimed
        return tuple([claim for claim in CLAIMS if claim.line not in claimed])

    def after(self, move: ClaimLine, seat: Seat) -> Cross:
        return type(self)(self.grid, (*self.claimed, move.line))

    def longest(self, together: bool = False) -> int:
        return len(LINES) - len(self.claimed)

    def refusal(self, move: ClaimLine, seat: Seat) -> str:
        return f"{move} has already been claimed. Choose {one_of(self.moves())}."


OPTIONS = (DEAL,)


def begin(grid: str, state: type[Cross] = Cross) -> Cross:
    return state(grid)
