"""The best response to a player: how often somebody who knows exactly how it plays can win."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from typing import Any, Self

from ninefold.analysis import evaluate, solver_of
from ninefold.core.errors import SetupError
from ninefold.core.outcome import LIMIT
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State

# Like a Policy, but the probabilities may add up to less than 1: the rest is a forfeit.
Answers = Callable[[State[Any], Seat], Mapping[Any, Fraction]]

MOST = 100_000  # positions in which a policy is asked
WIDTH = 2_000  # positions after each move that a counter-strategy follows

ONE, NONE = Fraction(1), Fraction(0)


class Response(Fraction):
    """A chance that is exact, or at least a lower bound: the true one may be higher."""

    __slots__ = ("exact",)
    exact: bool

    @classmethod
    def of(cls, value: Fraction, exact: bool) -> Self:
        found = cls(value)
        found.exact = exact
        return found

    def __repr__(self) -> str:
        shown = f"Fraction({self.numerator}, {self.denominator})"
        return shown if self.exact else f"at least {shown}"


def best_response(policy: Answers, start: State[Any], seat: Seat, *, alike: bool = False) -> Response:
    """The win chance of the best possible player in that seat against a policy in the other.

    It is exact if the policy can be asked in every position that it may meet, up to MOST of them; each
    time it is asked twice, and a policy that then answers differently is refused. `alike` says that it
    treats positions alike that no player of ours tells apart, so one of them stands for all. Otherwise a
    counter-strategy is played against the policy's real answers, and what it scores is a lower bound.

    If a policy's probabilities add up to less than 1, the rest is a forfeit. Raises SetupError.
    """
    solver = solver_of(start.game)
    count = (None if alike else solver.count_asked) or solver.count_positions
    if count(start) <= MOST:
        search = _Search(policy, seat, solver.same if alike else lambda state: state)
        return Response.of(search.chance(start), exact=True)
    strategies: list[Strategy] = [_play_perfectly]
    if solver.count_positions(start) <= MOST:
        strategies.append(_Search(policy, seat, solver.same).choose)
    return Response.of(max(_follow(one, policy, start, seat) for one in strategies), exact=False)


def exploitability(policy: Answers, start: State[Any], *, alike: bool = False) -> Response:
    """How far the best responses exceed the game's value, averaged over both seats.

    It is 0 for a policy that cannot be beaten more often than perfect play, and at most 1/2. It is exact,
    or a lower bound, as `best_response` is.
    """
    found = [best_response(policy, start, seat, alike=alike) for seat in SEATS]
    # The values of the game for the two seats add up to 1.
    return Response.of((sum(found, NONE) - 1) / 2, exact=all(one.exact for one in found))


def _ask(policy: Answers, state: State[Any], seat: Seat) -> Mapping[Any, Fraction]:
    """What a policy answers. Raises SetupError if it answers differently when asked again."""
    parts = policy(state, seat)
    if policy(state, seat) != parts:
        raise SetupError(
            "Asked twice in the same position, the agent answered differently, so it samples. Have it "
            "return the probability of each move instead."
        )
    return parts


class _Search:
    """The win chance of the best possible player in a seat against a policy, for each position."""

    def __init__(self, policy: Answers, seat: Seat, same: Callable[[Any], Hashable]) -> None:
        self.policy = policy
        self.seat = seat
        self.same = same
        self.known: dict[Hashable, tuple[Fraction, Any]] = {}  # the chance, and the best secret choice

    def chance(self, state: State[Any]) -> Fraction:
        if state.outcome is not None:
            return Fraction(state.outcome.winner is self.seat)
        key = self.same(state)
        if key not in self.known:
            self.known[key] = self._best(state)
        return self.known[key][0]

    def choose(self, state: State[Any], seat: Seat) -> Any:
        """The best move in a position. `seat` is the searching seat."""
        self.chance(state)
        if len(state.movers) > 1:
            return self.known[self.same(state)][1]
        return max(state.moves(seat), key=lambda move: self.chance(state.after(move, seat)))

    def _best(self, state: State[Any]) -> tuple[Fraction, Any]:
        other = self.seat.other
        own = [(state.after(move, self.seat), move) for move in state.moves(self.seat)]
        if other not in state.movers:
            return max((self.chance(one) for one, _ in own)), None
        parts = _ask(self.policy, state, other)  # in a secret choice, before either number is chosen
        forfeited = ONE - sum(parts.values(), NONE)
        best, chosen = Fraction(-1), None
        for one, move in own or [(state, None)]:
            ends = (part * self.chance(one.after(reply, other)) for reply, part in parts.items())
            chance = sum(ends, forfeited)
            if chance > best:
                best, chosen = chance, move
        return best, chosen


Strategy = Callable[[State[Any], Seat], Any]  # the move of a seat that has to choose


def _play_perfectly(state: State[Any], seat: Seat) -> Any:
    choices = evaluate(state).choices_of(seat)
    return max(choices, key=lambda choice: choice.mix or 0).move if state.secret else choices[0].move


def _follow(strategy: Strategy, policy: Answers, start: State[Any], seat: Seat) -> Fraction:
    """What a strategy scores against a policy, at least.

    After each move only the WIDTH likeliest positions are followed; the others count as lost. A game that
    nobody wins within LIMIT moves counts as lost, too.
    """
    won, other = NONE, seat.other
    layer = {start: ONE}
    for _ in range(LIMIT):
        later: dict[State[Any], Fraction] = {}
        for state, share in sorted(layer.items(), key=lambda item: -item[1])[:WIDTH]:
            if state.outcome is not None:
                won += share * (state.outcome.winner is seat)
                continue
            after = state.after(strategy(state, seat), seat) if seat in state.movers else state
            if other not in state.movers:
                later[after] = later.get(after, NONE) + share
                continue
            parts = _ask(policy, state, other)
            won += share * (ONE - sum(parts.values(), NONE))
            for reply, part in parts.items():
                end = after.after(reply, other)
                later[end] = later.get(end, NONE) + share * part
        layer = later
    return won
