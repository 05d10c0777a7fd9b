"""Silent Auction: bid for three prizes, one after the other.

Each player has the bids one, two and three. For every prize both choose one of theirs in secret. The
higher bid wins the prize, equal bids win nothing, and both bids are spent. The larger sum of prizes wins;
the second player wins a tie.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import permutations

from ninefold.core.game import Option, one_of
from ninefold.core.move import Move
from ninefold.core.outcome import Outcome, Reason
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State

NAMES = ("one", "two", "three")
ORDERS = tuple(int("".join(order)) for order in permutations("123"))


@dataclass(frozen=True, slots=True)
class Bid(Move):
    amount: int

    def __str__(self) -> str:
        return f"bid:{NAMES[self.amount - 1]}"


BIDS = tuple(Bid(amount) for amount in (1, 2, 3))


@dataclass(frozen=True, slots=True)
class Auction(State[Bid]):
    prizes: int  # three digits, in the order in which they are up
    spent: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())  # by seat, in the order of the prizes
    chosen: tuple[int, int] = (0, 0)  # by seat, while the other one chooses; 0 for none

    @property
    def setup(self) -> Mapping[str, int | str]:
        return {"prizes": self.prizes}

    def winners(self) -> tuple[Seat | None, ...]:
        """Who has won each prize so far."""
        pairs = zip(*self.spent, strict=True)
        return tuple(None if one == two else SEATS[one < two] for one, two in pairs)

    def score(self, seat: Seat) -> int:
        won = zip(str(self.prizes), self.winners(), strict=False)
        return sum(int(prize) for prize, winner in won if winner is seat)

    def hand(self, seat: Seat) -> tuple[int, ...]:
        return tuple(amount for amount in (1, 2, 3) if amount not in self.spent[seat])

    @property
    def outcome(self) -> Outcome | None:
        if len(self.spent[0]) < 3:
            return None
        first, second = map(self.score, SEATS)
        if first == second:
            return Outcome(Seat.SECOND, Reason.TIE)
        return Outcome(SEATS[first < second], Reason.SUM)

    @property
    def secret(self) -> bool:
        return len(self.spent[0]) < 3

    @property
    def pending(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in SEATS if self.chosen[seat])

    @property
    def open_state(self) -> Auction:
        return replace(self, chosen=(0, 0))

    @property
    def movers(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in SEATS if self.secret and not self.chosen[seat])

    def moves(self, seat: Seat | None = None) -> tuple[Bid, ...]:
        mover = seat if seat is not None else (*self.movers, None)[0]
        return (
            tuple(BIDS[n - 1] for n in self.hand(mover))
            if mover in self.movers and mover is not None
            else ()
        )

    def after(self, move: Bid, seat: Seat) -> Auction:
        first, second = (self.chosen[0], move.amount) if seat else (move.amount, self.chosen[1])
        if not (first and second):
            return Auction(self.prizes, self.spent, (first, second))
        return Auction(self.prizes, ((*self.spent[0], first), (*self.spent[1], second)))

    def longest(self, together: bool = False) -> int:
        return (3 - len(self.spent[0])) * (1 if together else 2) - len(self.pending)

    def refusal(self, move: Bid, seat: Seat) -> str:
        return f"Your {NAMES[move.amount - 1]} is spent."


OPTIONS = (
    Option(
        name="prizes",
        allowed="the digits 1 to 3 in any order, like 213",
        read=one_of(ORDERS),
        values=lambda: ORDERS,
        draw=lambda rng: rng.choice(ORDERS),
        on_board=True,
    ),
)


def begin(prizes: int) -> Auction:
    return Auction(prizes)
