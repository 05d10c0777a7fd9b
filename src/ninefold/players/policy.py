"""How our players choose: exact probabilities, and the player that draws from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from random import Random
from typing import Any, Protocol

from ninefold.analysis import NoValues
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.players import Failure, PlayerFailed, SeenRecord

Probabilities = dict[Any, Fraction]  # by move; zeros are left out, the rest adds up to exactly 1


class Policy(Protocol):
    def __call__(self, state: State[Any], seat: Seat) -> Probabilities:
        """The probability of each move that the seat may choose.

        It depends only on what the seat may know, never on a pending secret of the other seat.
        """


@dataclass(frozen=True, slots=True)
class PolicyPlayer:
    """A player that draws every move from its policy."""

    policy: Policy
    rng: Random

    def choose(self, state: State[Any], seat: Seat, record: SeenRecord | None = None) -> Any:
        try:
            return draw(self.policy(state, seat), self.rng)
        except NoValues as error:
            raise PlayerFailed(str(error), Failure.CRASHED) from None

    def close(self) -> None:
        """Do nothing: a policy holds no resources."""


def draw(probabilities: Probabilities, rng: Random) -> Any:
    """Draw a move with exactly these probabilities."""
    total = lcm(*[part.denominator for part in probabilities.values()])
    drawn = rng.randrange(total)
    for move, part in probabilities.items():
        drawn -= part.numerator * (total // part.denominator)
        if drawn < 0:
            return move
    raise AssertionError("the probabilities do not add up to 1")


def even(moves: Sequence[Any]) -> Probabilities:
    """All these moves, equally likely."""
    return dict.fromkeys(moves, Fraction(1, len(moves)))
