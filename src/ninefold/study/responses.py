"""The best response to a known policy, in games small enough to ask the policy in every position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from ninefold.analysis import solver_of
from ninefold.core.errors import SetupError
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State

# Like a Policy, but the probabilities may add up to less than 1: the rest is a forfeit.
Answers = Callable[[State[Any], Seat], Mapping[Any, Fraction]]

MOST = 100_000  # positions in which a policy is asked


def best_response(policy: Answers, start: State[Any], seat: Seat) -> Fraction:
    """The exact win chance of the best possible player in that seat against a policy in the other.

    The policy is asked once in every position that it may meet. If its probabilities add up to less than
    1, the rest is a forfeit. In Grid Conquest, positions that differ only in which cells are whose form a
    class, and it is asked in one position of each. Raises SetupError if the game has too many positions.
    """
    game = start.game
    solver = solver_of(game)
    positions = solver.count_positions(start)
    if positions > MOST:
        raise SetupError(
            f"{game.title} has {positions:,} positions: too many to ask a player in every one. "
            "An exact best response needs a smaller game, such as battle, cross or conquest."
        )
    return _Search(policy, seat, solver.representative).chance(start)


def exploitability(policy: Answers, start: State[Any]) -> Fraction:
    """How far the best responses exceed the game's value, averaged over both seats.

    It is 0 for a policy that cannot be beaten more often than perfect play, and at most 1/2.
    """
    # The values of the game for the two seats add up to 1.
    return sum((best_response(policy, start, seat) for seat in SEATS), Fraction(-1)) / 2


class _Search:
    """The win chance of the best possible player in a seat against a policy, for each position."""

    def __init__(self, policy: Answers, seat: Seat, representative: Callable[[Any], State[Any]]) -> None:
        self.policy = policy
        self.seat = seat
        self.representative = representative
        self.known: dict[State[Any], Fraction] = {}

    def chance(self, position: State[Any]) -> Fraction:
        state = self.representative(position)
        if state not in self.known:
            self.known[state] = self._chance(state)
        return self.known[state]

    def _chance(self, state: State[Any]) -> Fraction:
        if state.outcome is not None:
            return Fraction(state.outcome.winner is self.seat)
        own = [state.after(move, self.seat) for move in state.moves(self.seat)]
        other = self.seat.other
        if other not in state.movers:
            return max(map(self.chance, own))
        parts = self.policy(state, other)  # in a secret choice, before either number is chosen
        forfeited = 1 - sum(parts.values(), Fraction(0))
        return max(
            sum((part * self.chance(one.after(move, other)) for move, part in parts.items()), forfeited)
            for one in own or [state]
        )
