"""What perfect play makes of a position, and of every move in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from ninefold.core.seat import Seat

Progress = Callable[[float], None]  # told the part that is done, up to 1


class Result(StrEnum):
    """Who wins when both play perfectly."""

    FIRST = "first"
    SECOND = "second"
    MIXED = "mixed"  # it depends on chance in optimal play
    ENDLESS = "endless"  # neither can force an end


@dataclass(frozen=True, slots=True)
class Value:
    """Always about the first player, whoever moves.

    `first_wins` is the exact probability that the first player wins, 1 or 0 if one side can force
    it, None if endless. `plies` counts the moves still to be made (a challenge and its two bids
    are three) when the winner hurries and the loser delays, None unless one side can force a win.
    `margin` is the first player's final sum minus the second's in the games of sums, else None.
    """

    result: Result
    first_wins: Fraction | None
    plies: int | None = None
    margin: int | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal move and the value of the game after it.

    `best` marks the moves that a perfect player may make: no worse in result, then in plies, then in
    margin. In a secret choice, a move's value is the smallest for its seat over all optimal mixtures of
    the opponent; where its seat can force the win, that against the best reply, so that only what keeps
    the win is a win. Where chance decides, `best` are therefore exactly the moves that some optimal
    mixture uses. `mix` is the probability of this move in one optimal mixture of the seat, always the
    same one; None where the choice is not secret.
    """

    seat: Seat
    move: Any
    value: Value
    best: bool
    mix: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The value of a position, and its choices, best first; both seats' where both choose."""

    value: Value
    choices: tuple[Choice, ...]

    @property
    def result(self) -> Result:
        return self.value.result

    @property
    def first_wins(self) -> Fraction | None:
        return self.value.first_wins

    @property
    def plies(self) -> int | None:
        return self.value.plies

    @property
    def margin(self) -> int | None:
        return self.value.margin
