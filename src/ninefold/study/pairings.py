"""Exact scores between players that have policies: no games are played, nothing is sampled."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import Any, NamedTuple

from ninefold.analysis import solver_of
from ninefold.analysis.evaluation import HALF
from ninefold.core.errors import SetupError
from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.games import load
from ninefold.players.policy import Policy

MOST = 200_000  # positions that are looked at


class ExactScore(NamedTuple):
    """The exact expected score of a player against another: by its seat, and the mean of both."""

    first: Fraction
    second: Fraction

    @property
    def score(self) -> Fraction:
        return (self.first + self.second) / 2


def exact_score(
    one: Policy, other: Policy, game: Game | str, *, most: int = MOST, **setup: int | str
) -> ExactScore:
    """The chance of one player against another in either seat, averaged over all deals that are open.

    Both must treat positions alike that no player of ours tells apart, as ours do: boards that differ in
    which cells are whose, grids with the same sums. Raises SetupError if there are more than `most`
    positions, or if play can go in circles, as in most of Pattern Match.
    """
    found = load(game) if isinstance(game, str) else game
    given = {option.name: option.default for option in found.options if option.default is not None}
    deals = [*solver_of(found).deals(found, {**given, **setup})]
    total = sum(count for _, count in deals)
    chances: dict[bool, Fraction] = {}
    for swapped in (False, True) if one != other else (False,):
        search = _Search((other, one) if swapped else (one, other), found, most)
        wins = (search.chance(found.set_up(deal)) * count for deal, count in deals)
        chances[swapped] = sum(wins, Fraction(0)) / total
    return ExactScore(chances[False], 1 - chances.get(True, chances[False]))


class _Search:
    """The first seat's chance in each position; a position that nobody can win counts as one half."""

    def __init__(self, policies: tuple[Policy, Policy], game: Game, most: int) -> None:
        self.policies = policies
        self.game = game
        self.same = solver_of(game).same
        self.most = most
        self.known: dict[Hashable, Fraction | None] = {}  # None while it is being found

    def chance(self, state: State[Any]) -> Fraction:
        if state.outcome is not None:
            return Fraction(state.outcome.winner is Seat.FIRST)
        if state.dead:
            return HALF
        key = self.same(state)
        if key not in self.known:
            if len(self.known) >= self.most:
                raise SetupError(
                    f"There are more than {self.most:,} positions that these players can reach in "
                    f"{self.game.title}: too many for an exact score."
                )
            self.known[key] = None
            self.known[key] = self._chance(state)
        known = self.known[key]
        if known is None:
            raise SetupError(f"These players can go in circles in {self.game.title}: no exact score.")
        return known

    def _chance(self, state: State[Any]) -> Fraction:
        movers = state.movers
        ends = [(state, Fraction(1))]
        for seat in movers:  # in a secret choice, both are asked before either number is chosen
            parts = self.policies[seat](state, seat)
            ends = [
                (after.after(move, seat), share * part)
                for after, share in ends
                for move, part in parts.items()
            ]
        return sum((share * self.chance(after) for after, share in ends), Fraction(0))
