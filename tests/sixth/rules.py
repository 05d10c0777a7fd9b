"""Last Straw: do not be the one who brings the load to the target.

The numbers 1 to 9 lie on a 3x3 grid. The players take one each turn, and every number that is taken
is added to one shared load. Whoever brings the load to the target or beyond it loses at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ninefold.core.game import Option, one_of
from ninefold.core.move import Move
from ninefold.core.outcome import Outcome, Reason
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import ALONE, State

NUMBERS = range(1, 10)
TARGETS = range(21, 24)


@dataclass(frozen=True, slots=True)
class Take(Move):
    """Take a number that nobody has taken."""

    number: int

    def __str__(self) -> str:
        return f"take:{self.number}"


TAKES = tuple(Take(number) for number in NUMBERS)


@dataclass(frozen=True, slots=True)
class Straw(State[Take]):
    target: int
    owners: tuple[Seat | None, ...] = (None,) * len(NUMBERS)  # by number

    @property
    def setup(self) -> Mapping[str, int | str]:
        return {"target": self.target}

    @property
    def load(self) -> int:
        return self.score(Seat.FIRST) + self.score(Seat.SECOND)

    def score(self, seat: Seat) -> int:
        return sum(number for number in NUMBERS if self.owners[number - 1] is seat)

    @property
    def turn(self) -> Seat:
        return SEATS[self.owners.count(None) % 2 == 0]

    @property
    def outcome(self) -> Outcome | None:
        """Whoever took last has overloaded it, so the one to move has won."""
        return Outcome(self.turn, Reason.RULE) if self.load >= self.target else None

    @property
    def movers(self) -> tuple[Seat, ...]:
        return () if self.outcome else ALONE[self.turn]

    def moves(self, seat: Seat | None = None) -> tuple[Take, ...]:
        if not self.movers or (seat is not None and seat not in self.movers):
            return ()
        return tuple(take for take in TAKES if self.owners[take.number - 1] is None)

    def after(self, move: Take, seat: Seat) -> Straw:
        owners = self.owners
        return Straw(self.target, (*owners[: move.number - 1], seat, *owners[move.number :]))

    def refusal(self, move: Take, seat: Seat) -> str:
        return f"The {move.number} is gone. Take a number that is still there."


OPTIONS = (
    Option(
        name="target",
        allowed="a whole number from 21 to 23",
        read=one_of(TARGETS),
        values=lambda: TARGETS,
        draw=lambda rng: rng.choice(TARGETS),
    ),
)


def begin(target: int) -> Straw:
    return Straw(target)
