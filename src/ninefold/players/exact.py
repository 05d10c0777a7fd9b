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
    """How a level plays: it misses the best move with probability `miss`.

    A miss may throw away at most `cost` of the chance to win, or more if it takes the opponent at
    least `depth` moves to bring it home: nearby disasters are seen by higher levels.
    """

    miss: float
    cost: Fraction
    depth: int


GRADES = {
    1: Grade(0.90, Fraction(1), 0),
    2: Grade(0.72, Fraction(1), 0),
    3: Grade(0.56, Fraction(1, 2), 2),
    4: Grade(0.43, Fraction(1, 2), 2),
    5: Grade(0.32, Fraction(1, 3), 2),
    6: Grade(0.22, Fraction(1, 4), 3),
    7: Grade(0.14, Fraction(1, 5), 3),
    8: Grade(0.08, Fraction(1, 6), 4),
    9: Grade(0.03, Fraction(1, 8), 4),
}


class LevelPlayer:
    """A player of level 1 to 9. A miss is any move that is not best, within what its grade allows."""

    def __init__(self, level: int, rng: Random) -> None:
        self._grade = GRADES[level]
        self._rng = rng
        self._perfect = PerfectPlayer(rng)

    def choose(self, state: State[Any], seat: Seat) -> Any:
        if self._rng.random() < self._grade.miss and (misses := self._misses(evaluate(state), seat)):
            return self._rng.choice(misses).move
        return self._perfect.choose(state, seat)

    def _misses(self, found: Evaluation, seat: Seat) -> list[Choice]:
        mine = [choice for choice in found.choices if choice.seat == seat]
        best = mine[0].value
        return [
            choice
            for choice in mine
            if not choice.best
            and (
                _cost(choice.value, best, seat) <= self._grade.cost
                or (choice.value.plies or 0) >= self._grade.depth
            )
        ]

    def close(self) -> None:
        self._perfect.close()
