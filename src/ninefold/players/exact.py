"""Policies that know the exact value of every move: the perfect one, and nine levels below it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ninefold.analysis import Choice, Result, evaluate
from ninefold.analysis.evaluation import worth
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.players.policy import Probabilities, even


def perfect_policy(state: State[Any], seat: Seat) -> Probabilities:
    """Never gives away what it has, and wins as quickly as it can.

    When it cannot win by force it makes it hard: of the moves that hold out longest, those that leave
    the opponent the largest share of mistakes. In a secret choice it is the optimal mixture.
    """
    return _perfect(state, _choices(state, seat))


@dataclass(frozen=True, slots=True)
class LevelPolicy:
    """Perfect, but with probability `miss` it makes a mistake, any of them equally likely.

    A mistake gives up at most `cost` of the chance to win, or more if it takes the opponent at least
    `depth` moves to bring it home: higher levels see a disaster that is close. Where there is none, a
    slower win, a quicker loss or a worse margin is a mistake.
    """

    miss: Fraction
    cost: Fraction
    depth: int

    def __call__(self, state: State[Any], seat: Seat) -> Probabilities:
        mine = _choices(state, seat)
        perfect = _perfect(state, mine)
        mistakes = self._mistakes(mine)
        if not mistakes:
            return perfect
        kept = {move: part * (1 - self.miss) for move, part in perfect.items()}
        return kept | dict.fromkeys(mistakes, self.miss / len(mistakes))

    def _mistakes(self, mine: list[Choice]) -> list[Any]:
        """The moves that give up some of the chance to win, as far as this level does; else all but
        the best."""
        costs = _costs(mine)
        costly = [
            choice.move
            for choice, cost in zip(mine, costs, strict=True)
            if cost and (cost <= self.cost or (choice.value.plies or 0) >= self.depth)
        ]
        return costly or [c.move for c, cost in zip(mine, costs, strict=True) if not (cost or c.best)]


GRADES = {
    1: LevelPolicy(Fraction("0.58"), Fraction(1), 0),
    2: LevelPolicy(Fraction("0.48"), Fraction(1), 0),
    3: LevelPolicy(Fraction("0.39"), Fraction(1), 2),
    4: LevelPolicy(Fraction("0.31"), Fraction(1), 2),
    5: LevelPolicy(Fraction("0.24"), Fraction(1, 2), 2),
    6: LevelPolicy(Fraction("0.175"), Fraction(1, 2), 2),
    7: LevelPolicy(Fraction("0.115"), Fraction(1, 2), 2),
    8: LevelPolicy(Fraction("0.065"), Fraction(1, 2), 2),
    9: LevelPolicy(Fraction("0.02"), Fraction(1, 3), 2),
}


def _choices(state: State[Any], seat: Seat) -> list[Choice]:
    return [choice for choice in evaluate(state).choices if choice.seat == seat]


def _perfect(state: State[Any], mine: list[Choice]) -> Probabilities:
    if state.secret:
        return {choice.move: choice.mix for choice in mine if choice.mix}
    best = [choice.move for choice in mine if choice.best]
    seat = mine[0].seat
    won = mine[0].value.result is (Result.SECOND if seat else Result.FIRST)
    if won or len(best) == 1:  # against a won position no reply is a mistake: nothing to compare
        return even(best)
    shares = [_share_of_mistakes(state.after(move, seat), seat.other) for move in best]
    most = max(shares)
    return even([move for move, share in zip(best, shares, strict=True) if share == most])


def _share_of_mistakes(state: State[Any], seat: Seat) -> Fraction:
    """The share of the seat's moves that give up some of its chance to win."""
    costs = _costs(_choices(state, seat))
    return Fraction(sum(map(bool, costs)), len(costs) or 1)  # a game that is over leaves no mistakes


def _costs(mine: list[Choice]) -> list[Fraction | int]:
    """What each of a seat's choices, the best first, gives up of its chance to win."""
    chances = [worth(choice.value, choice.seat).chance for choice in mine]
    return [chances[0] - chance for chance in chances]
