"""Players that know the exact value of every move: the perfect one, and nine levels below it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from ninefold.analysis import Choice, Evaluation, Result, Value, evaluate
from ninefold.analysis.choices import worth
from ninefold.core.seat import Seat
from ninefold.core.state import State

LOOKED_INTO = 12  # how many equally good moves the perfect player compares by the replies they leave


class PerfectPlayer:
    """Never gives away what it has, and wins as quickly as it can.

    When it cannot win by force it makes it hard: among the moves that hold out longest, the one
    that leaves the opponent the most ways to go wrong. In a secret choice it draws from the optimal
    mixture.
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, state: State[Any], seat: Seat) -> Any:
        found = evaluate(state)
        mine = [choice for choice in found.choices if choice.seat == seat]
        if state.secret:
            return _drawn(mine, self._rng)
        best = [choice for choice in mine if choice.best]
        if _forced(found.value, seat) or len(best) == 1:
            return self._rng.choice(best).move
        some = self._rng.sample(best, min(len(best), LOOKED_INTO))
        return max(some, key=lambda choice: _ways_to_go_wrong(state, choice)).move

    def close(self) -> None:
        pass


def _forced(value: Value, seat: Seat) -> bool:
    return value.result is (Result.SECOND if seat else Result.FIRST)


def _drawn(choices: list[Choice], rng: Random) -> Any:
    """A move from the seat's optimal mixture, in exact proportions."""
    drawn = Fraction(rng.random())
    for choice in choices:
        drawn -= choice.mix or 0
        if drawn < 0:
            return choice.move
    return choices[0].move


def _ways_to_go_wrong(state: State[Any], choice: Choice) -> Fraction:
    """The share of the opponent's replies that lose something by the opponent's own measure."""
    later = state.after(choice.move, choice.seat)
    if later.outcome is not None:
        return Fraction(0)
    replies = [reply for reply in evaluate(later).choices if reply.seat == choice.seat.other]
    wrong = sum(_cost(reply.value, replies[0].value, reply.seat) > 0 for reply in replies)
    return Fraction(wrong, len(replies))


def _cost(value: Value, best: Value, seat: Seat) -> Fraction:
    """What a move with this value throws away of the seat's chance to win."""
    return Fraction(worth(best, seat).chance - worth(value, seat).chance)


@dataclass(frozen=True, slots=True)
class Grade:
    """How a level plays: it goes astray with probability `miss`.

    Astray, it throws something away where it can. It gives up at most `cost` of the chance to win,
    or more if it takes the opponent at least `depth` moves to bring it home: higher levels see a
    disaster that is close.
    """

    miss: float
    cost: Fraction
    depth: int


GRADES = {
    1: Grade(0.58, Fraction(1), 0),
    2: Grade(0.48, Fraction(1), 0),
    3: Grade(0.39, Fraction(1), 2),
    4: Grade(0.31, Fraction(1), 2),
    5: Grade(0.24, Fraction(1, 2), 2),
    6: Grade(0.175, Fraction(1, 2), 2),
    7: Grade(0.115, Fraction(1, 2), 2),
    8: Grade(0.065, Fraction(1, 2), 2),
    9: Grade(0.02, Fraction(1, 3), 2),
}


class LevelPlayer:
    """A player of level 1 to 9: perfect, but for the moves where it goes astray."""

    def __init__(self, level: int, rng: Random) -> None:
        self._grade = GRADES[level]
        self._rng = rng
        self._perfect = PerfectPlayer(rng)

    def choose(self, state: State[Any], seat: Seat) -> Any:
        if self._rng.random() < self._grade.miss and (astray := self._astray(evaluate(state), seat)):
            return self._rng.choice(astray).move
        return self._perfect.choose(state, seat)

    def _astray(self, found: Evaluation, seat: Seat) -> list[Choice]:
        """The moves that throw something away, as far as this level does that; else any but the best."""
        mine = [choice for choice in found.choices if choice.seat == seat]
        best = mine[0].value
        costs = [(_cost(choice.value, best, seat), choice) for choice in mine]
        costly = [
            choice
            for cost, choice in costs
            if 0 < cost <= self._grade.cost
            or (cost > 0 and (choice.value.plies or 0) >= self._grade.depth)
        ]
        return costly or [choice for cost, choice in costs if cost == 0 and not choice.best]

    def close(self) -> None:
        self._perfect.close()
