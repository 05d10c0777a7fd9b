"""Policies that know the exact value of every move: the perfect one and the nine levels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ninefold.analysis import Choice, Result, count_values, evaluate, group_moves
from ninefold.analysis.evaluation import worth
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.players.policy import Probabilities, even


def perfect_policy(state: State[Any], seat: Seat) -> Probabilities:
    """Never gives away what it has, and wins as quickly as it can.

    When it cannot force a win it sets problems: of the best moves, it makes those after which the largest
    share of the opponent's moves are mistakes. In a secret choice it plays the optimal mixture.
    """
    return perfect_among(state, evaluate(state).choices_of(seat))


@dataclass(frozen=True, slots=True)
class LevelPolicy:
    """Plays perfectly, except that with probability `miss` it makes a mistake, each equally likely.

    A mistake never loses in fewer than `depth` moves: higher levels do not overlook a loss that is close.
    If it is not sure to lose, it gives up at most `cost` of the chance to win. If there is no such
    mistake, a slower win, a quicker loss or a worse margin counts as one.
    """

    miss: Fraction
    cost: Fraction
    depth: int

    def __call__(self, state: State[Any], seat: Seat) -> Probabilities:
        mine = evaluate(state).choices_of(seat)
        return self.among(mine, perfect_among(state, mine))

    def among(self, mine: list[Choice], perfect: Probabilities) -> Probabilities:
        """The probabilities for a seat with these choices, given what the perfect player does."""
        mistakes = self._mistakes(mine)
        if not mistakes:
            return perfect
        kept = {move: part * (1 - self.miss) for move, part in perfect.items()}
        return kept | dict.fromkeys(mistakes, self.miss / len(mistakes))

    def _mistakes(self, mine: list[Choice]) -> list[Any]:
        """The moves that this level may make by mistake, of its choices, best first.

        They give up some of the chance to win, as `cost` and `depth` allow. If there are none, they are
        the moves that give up none of it but are not the best.
        """
        best = worth(mine[0].value, mine[0].seat).chance
        costly, slower = [], []
        for choice in mine:
            chance = worth(choice.value, choice.seat).chance
            if not chance and (choice.value.plies or 0) < self.depth:
                continue  # a loss that is close is not overlooked
            if chance < best and (not chance or best - chance <= self.cost):
                costly.append(choice.move)
            elif chance == best and not choice.best:
                slower.append(choice.move)
        return costly or slower


LEVEL_POLICIES = {
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


def perfect_among(
    state: State[Any], mine: list[Choice], mistakes: Callable[[Any], Fraction] | None = None
) -> Probabilities:
    """What the perfect player does with these choices.

    `mistakes`, for a caller that knows it already, gives the share of the opponent's moves that are
    mistakes after a move.
    """
    if state.secret:
        return {choice.move: choice.mix for choice in mine if choice.mix}
    best = [choice.move for choice in mine if choice.best]
    seat = mine[0].seat
    won = mine[0].value.result is (Result.SECOND if seat else Result.FIRST)
    if won or len(best) == 1:  # after a winning move no reply is a mistake: there is nothing to compare
        return even(best)
    if mistakes is None:
        groups = group_moves(state)
        one_of_each = {groups[move]: move for move in best}
        shares = {
            group: _share_of_mistakes(state.after(move, seat), seat.other)
            for group, move in one_of_each.items()
        }
        found = [shares[groups[move]] for move in best]
    else:
        found = [mistakes(move) for move in best]
    most = max(found)
    return even([move for move, share in zip(best, found, strict=True) if share == most])


def _share_of_mistakes(state: State[Any], seat: Seat) -> Fraction:
    """The share of the seat's moves that give up some of its chance to win."""
    counts: Counter[Fraction | int] = Counter()
    for value, count in count_values(state, seat).items():
        counts[worth(value, seat).chance] += count
    if not counts:  # the game is over
        return Fraction(0)
    return 1 - Fraction(counts[max(counts)], counts.total())
