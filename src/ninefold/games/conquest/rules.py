"""Grid Conquest: hold the most cells when the last one is claimed.

A turn claims an empty cell or challenges one of the opponent's. Each player has the challenge
numbers 1 to 5. In a challenge both choose one of theirs in secret; the higher takes the cell, equal
numbers leave it with its owner, and both numbers are spent. Without numbers nobody can challenge.

The game ends when the last empty cell is claimed: more cells win, then the higher sum of unused
numbers. If both are equal, which is possible only with an even number of cells, sudden death
follows: turns go on, each a challenge, until one player has more cells. Sums are not compared again.
If no numbers are left and the cells are still equal, the second player wins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from ninefold.core.game import Option, one_of
from ninefold.core.move import Move
from ninefold.core.outcome import Outcome, Reason
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import ALONE, State

SIZES = (2, 3, 4)
HAND = (1, 2, 3, 4, 5)


@dataclass(frozen=True, slots=True)
class Claim(Move):
    """Claim an empty cell. Cells are numbered from 1, row by row."""

    cell: int

    def __str__(self) -> str:
        return f"claim:{self.cell}"


@dataclass(frozen=True, slots=True)
class Challenge(Move):
    """Contest one of the opponent's cells."""

    cell: int

    def __str__(self) -> str:
        return f"challenge:{self.cell}"


@dataclass(frozen=True, slots=True)
class Bid(Move):
    """Choose a number for the challenge under way, in secret."""

    number: int

    def __str__(self) -> str:
        return f"bid:{self.number}"


ConquestMove = Claim | Challenge | Bid

CLAIMS = tuple(Claim(cell) for cell in range(1, max(SIZES) ** 2 + 1))
CHALLENGES = tuple(Challenge(cell) for cell in range(1, max(SIZES) ** 2 + 1))
BIDS = {number: Bid(number) for number in range(1, 10)}  # the book's hands go to 5


@dataclass(frozen=True, slots=True)
class Holdings:
    """What decides the game, by seat."""

    cells: tuple[int, int]
    unused: tuple[int, int]  # the sums of the numbers left


@dataclass(frozen=True, slots=True)
class ConquestClauses:
    """What an edit of the game may replace. The defaults are the book's."""

    ties_take: bool = False  # whether the challenger takes the cell if the numbers are equal
    hands: tuple[tuple[int, ...], tuple[int, ...]] = (HAND, HAND)  # by seat, equally long
    order: tuple[Seat, ...] = ()  # whose turn is which; in turn, if empty

    def after_turn(self, turn: Seat, made: int) -> Seat:
        """Whose turn it is after this seat's turn, `made` of them having been completed."""
        return self.order[made % len(self.order)] if self.order else turn.other


@dataclass(frozen=True, slots=True)
class Conquest(State[ConquestMove]):
    clauses: ClassVar[ConquestClauses] = ConquestClauses()

    size: int
    owners: tuple[Seat | None, ...]
    hands: tuple[tuple[int, ...], tuple[int, ...]] = (HAND, HAND)  # by seat
    turn: Seat = Seat.FIRST  # whose turn it is; in a challenge, the challenger
    challenged: int | None = None  # the cell under challenge
    bids: tuple[int | None, int | None] = (None, None)  # by seat, while a challenge is open
    cells_alone: bool = False  # sudden death has begun, so sums do not count anymore

    @property
    def setup(self) -> Mapping[str, int | str]:
        return {"size": self.size}

    @property
    def holdings(self) -> Holdings:
        count = self.owners.count
        return Holdings((count(SEATS[0]), count(SEATS[1])), (sum(self.hands[0]), sum(self.hands[1])))

    @property
    def outcome(self) -> Outcome | None:
        if None in self.owners or self.challenged is not None:
            return None
        held = self.holdings
        reason, (first, second) = Reason.CELLS, held.cells
        if first == second and not self.cells_alone:
            reason, (first, second) = Reason.UNUSED, held.unused
        if first != second:
            return Outcome(SEATS[first < second], reason, held)
        return None if self.hands[self.turn] else Outcome(Seat.SECOND, Reason.SPENT, held)

    @property
    def sudden_death(self) -> bool:
        """Whether the board is full and the game goes on."""
        return None not in self.owners and self.outcome is None

    @property
    def secret(self) -> bool:
        return self.challenged is not None

    @property
    def pending(self) -> tuple[Seat, ...]:
        return tuple([seat for seat in SEATS if self.bids[seat] is not None])

    @property
    def open_state(self) -> Conquest:
        return replace(self, bids=(None, None)) if self.pending else self

    @property
    def movers(self) -> tuple[Seat, ...]:
        if self.challenged is None:
            return () if self.outcome else ALONE[self.turn]
        both = (self.turn, self.turn.other)
        return tuple([seat for seat in both if self.bids[seat] is None and self.hands[seat]])

    def moves(self, seat: Seat | None = None) -> tuple[ConquestMove, ...]:
        movers = self.movers
        if not movers or (seat is not None and seat not in movers):
            return ()
        mover = movers[0] if seat is None else seat
        if self.challenged is not None:
            return tuple([BIDS[number] for number in self.hands[mover]])
        owners = self.owners
        moves: list[ConquestMove] = [CLAIMS[i] for i, owner in enumerate(owners) if owner is None]
        if self.hands[mover]:
            opponent = mover.other
            moves += [CHALLENGES[i] for i, owner in enumerate(owners) if owner is opponent]
        return tuple(moves)

    def after(self, move: ConquestMove, seat: Seat) -> Conquest:
        match move:
            case Claim(cell):
                owners = self._with_owner(cell, seat)
                return type(self)(self.size, owners, self.hands, self._after_turn(seat))
            case Challenge(cell):
                return type(self)(self.size, self.owners, self.hands, seat, challenged=cell)
            case Bid(number):
                bids = (self.bids[0], number) if seat else (number, self.bids[1])
                bidding = type(self)(self.size, self.owners, self.hands, self.turn, self.challenged, bids)
                return bidding if bidding.movers else bidding._decide_challenge()

    def _decide_challenge(self) -> Conquest:
        """The position after the challenge. A defender without numbers counts as having chosen 0."""
        assert self.challenged is not None
        challenger, defender = self.turn, self.turn.other
        first, second = self.bids
        bid, reply = self.bids[challenger] or 0, self.bids[defender] or 0
        wins = bid > reply or (bid == reply and self.clauses.ties_take)
        owners = self._with_owner(self.challenged, challenger) if wins else self.owners
        hands = (
            tuple([n for n in self.hands[0] if n != first]),
            tuple([n for n in self.hands[1] if n != second]),
        )
        turn = self._after_turn(challenger)
        return type(self)(self.size, owners, hands, turn, cells_alone=None not in owners)

    def _after_turn(self, seat: Seat) -> Seat:
        return self.clauses.after_turn(seat, self._made + 1)

    @property
    def _made(self) -> int:
        """How many turns have been completed: each claims a cell, or spends a number of both seats."""
        spent = len(self.clauses.hands[0]) - len(self.hands[0])
        return len(self.owners) - self.owners.count(None) + spent

    @property
    def turns(self) -> tuple[Seat, ...]:
        """Whose the next turns are, this one first; empty where the players simply take turns."""
        order = self.clauses.order
        if not order or self.outcome is not None:
            return ()
        done = self._made % len(order)
        return (*order[done:], *order[:done])

    def _with_owner(self, cell: int, seat: Seat) -> tuple[Seat | None, ...]:
        return (*self.owners[: cell - 1], seat, *self.owners[cell:])

    def longest(self, together: bool = False) -> int:
        """At most, every empty cell is claimed and every number is spent in a challenge."""
        if self.outcome:
            return 0
        made = 0 if self.challenged is None else 1 + len(self.pending)
        return self.owners.count(None) + (2 if together else 3) * len(self.hands[self.turn]) - made

    def refusal(self, move: ConquestMove, seat: Seat) -> str:
        if isinstance(move, Bid):
            if self.challenged is None:
                return "You choose a number only in a challenge. Claim or challenge a cell."
            return f"Number {move.number} has already been used."
        if self.challenged is not None:
            return f"Cell {self.challenged} is being challenged. Choose one of your numbers."
        if move.cell > len(self.owners):
            return f"There is no cell {move.cell}. Cells are numbered 1 to {len(self.owners)}."
        owner = self.owners[move.cell - 1]
        if isinstance(move, Claim):
            if None not in self.owners:
                return "All cells are claimed. In sudden death, every turn is a challenge."
            whose = "yours" if owner is seat else "your opponent's"
            return f"Cell {move.cell} is not empty. It is {whose}."
        if seat.other not in self.owners:
            return "Your opponent has no cells to challenge."
        if not self.hands[seat]:
            return "You have no numbers left to challenge with."
        whose = "your own" if owner is seat else "empty"
        return f"Cell {move.cell} is {whose}. You can challenge only your opponent's cells."


OPTIONS = (
    Option(
        name="size",
        allowed="2, 3 or 4",
        read=one_of(SIZES),
        values=lambda: SIZES,
        default=3,
    ),
)


def begin(size: int, state: type[Conquest] = Conquest) -> Conquest:
    return state(size, (None,) * size**2, state.clauses.hands)
