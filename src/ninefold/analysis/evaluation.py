"""What perfect play makes of a position, and of every move in it.

Every solver hands the value after each legal move to `evaluate_moves` (one seat moves) or to `rank`
(both choose in secret) and gets the choices best first, with their `best` flags. Values are always
about the first player; `worth` is the only place that looks at them from a seat's own side.

    candidates = [Candidate(seat, move, forced_win(Seat.FIRST, plies=4)) for move in state.moves()]
    return evaluate_moves(candidates)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, NamedTuple

from ninefold.core.errors import NinefoldError
from ninefold.core.seat import Seat

OnProgress = Callable[[float], None]  # called with the share of the work that is done, up to 1
NEVER, ALWAYS = Fraction(0), Fraction(1)
HALF = Fraction(1, 2)


class NoValues(NinefoldError):
    """There are no exact values for a position; the message says why."""


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
    `margin` is the first player's final sum minus the second's in the taking games, else None.
    """

    result: Result
    first_wins: Fraction | None
    plies: int | None = None
    margin: int | None = None


ENDLESS = Value(Result.ENDLESS, None)


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal move and the value of the game after it.

    `best` marks the moves that a perfect player may make: as good as any other in result, then in
    plies, then in margin.

    In a secret choice, a move's value is the smallest for its seat over all optimal mixtures of the
    opponent, so where chance decides, `best` marks exactly the moves that some optimal mixture uses.
    Where the seat can force a win, a move's value is what the best reply leaves of it, so only the
    moves that keep the win count as wins. `mix` is the probability of this move in one optimal
    mixture of the seat, always the same one; None where the choice is not secret.
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

    def choices_of(self, seat: Seat) -> list[Choice]:
        """A seat's choices, best first."""
        return [choice for choice in self.choices if choice.seat is seat]

    def mixture(self, seat: Seat) -> list[tuple[Any, Fraction]]:
        """How often a seat makes each move of a secret choice, without those that it never makes."""
        return [(choice.move, choice.mix) for choice in self.choices_of(seat) if choice.mix]

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


class Candidate(NamedTuple):
    """A choice before it is ranked: the move, the value after it, its probability in a mixture."""

    seat: Seat
    move: Any
    value: Value
    mix: Fraction | None = None


class Worth(NamedTuple):
    """A value from one seat's side: the larger, the better."""

    chance: Fraction | int  # that this seat wins, 0 to 1; an endless game counts as one half
    pace: int  # larger for an earlier win and for a later loss
    margin: int  # this seat's sum minus the other's


def forced_win(winner: Seat, plies: int, margin: int | None = None) -> Value:
    """The value where this seat can force a win, with the game `plies` moves from its end."""
    if winner is Seat.FIRST:
        return Value(Result.FIRST, ALWAYS, plies, margin)
    return Value(Result.SECOND, NEVER, plies, margin)


def back_up(value: Value, plies: int = 1) -> Value:
    """The value of a position from which perfect play reaches this value in `plies` moves."""
    if value.plies is None:
        return value
    return Value(value.result, value.first_wins, value.plies + plies, value.margin)


def worth(value: Value, seat: Seat) -> Worth:
    """What a value, which is about the first player, is worth to a seat."""
    margin = value.margin or 0
    if seat is Seat.SECOND:
        margin = -margin
    if value.result is Result.ENDLESS:
        return Worth(HALF, 0, margin)
    if value.result is Result.MIXED:
        assert value.first_wins is not None
        return Worth(value.first_wins if seat is Seat.FIRST else 1 - value.first_wins, 0, margin)
    plies = value.plies or 0
    wins = (value.result is Result.FIRST) == (seat is Seat.FIRST)
    return Worth(1, -plies, margin) if wins else Worth(0, plies, margin)


def rank(candidates: Iterable[Candidate]) -> tuple[Choice, ...]:
    """The candidates as choices, best first for their seat; one seat's after the other's.

    A seat's candidates come in the fixed order of the moves. Among equals the one with the larger
    probability in the mixture goes first, then that order decides. All that equal the first are `best`.
    """
    by_seat: dict[Seat, list[tuple[Worth, Candidate]]] = {}
    for candidate in candidates:
        pair = (worth(candidate.value, candidate.seat), candidate)
        by_seat.setdefault(candidate.seat, []).append(pair)
    choices: list[Choice] = []
    for group in by_seat.values():
        group.sort(key=lambda pair: (*pair[0], pair[1].mix or 0), reverse=True)  # stable: ties keep order
        top = group[0][0]
        choices += [Choice(c.seat, c.move, c.value, here == top, c.mix) for here, c in group]
    return tuple(choices)


def evaluate_moves(candidates: Iterable[Candidate]) -> Evaluation:
    """The evaluation of a position where one seat moves: the value of its best move, backed up."""
    choices = rank(candidates)
    return Evaluation(back_up(choices[0].value), choices)


def evaluate_finished(winner: Seat, margin: int | None = None) -> Evaluation:
    """The evaluation of a position where the game is over."""
    return Evaluation(forced_win(winner, 0, margin), ())
