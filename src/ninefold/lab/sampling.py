"""Estimates from sampled play, for games too large to walk. The same seed gives the same games."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from ninefold.batch import NOBODY, Batch
from ninefold.core.game import Game
from ninefold.core.outcome import LIMIT
from ninefold.core.state import Setup
from ninefold.players import policy_of
from ninefold.players.policy import draw
from ninefold.study.reports import Z, share_interval


@dataclass(frozen=True, slots=True)
class Estimate:
    """A sampled value with its 95% interval."""

    value: float
    low: float
    high: float


def estimate(above: Any, below: Any = None) -> Estimate:
    """The ratio of two expectations from their values by game; without `below`, a mean."""
    above = np.asarray(above, dtype=float)
    below = np.ones(len(above)) if below is None else np.asarray(below, dtype=float)
    mean = below.mean()
    if not mean:
        return Estimate(float("nan"), 0.0, 1.0)
    value = above.mean() / mean
    if {*above} | {*below} <= {0.0, 1.0}:  # a share of the games that `below` counts
        return Estimate(float(value), *share_interval(value, int(below.sum())))
    spread = Z * (above - value * below).std(ddof=1) / mean / len(above) ** 0.5
    return Estimate(float(value), float(value - spread), float(value + spread))


@dataclass(frozen=True, slots=True)
class SampledGames:
    """Sampled games in figures, an entry for each game."""

    winners: Any  # the seat, or NOBODY
    lengths: Any
    legal: Any  # legal moves, summed over the choices
    decisive: Any  # choices between moves of different value
    regret: Any
    behind: Any  # by game and seat: the seat's smallest chance
    last: Any  # how many moves had been made after the last decisive choice; 0 without one
    chances: Any  # by game and move number: the first player's chance before it; NaN once it is over

    @property
    def won(self) -> Any:
        return self.winners != NOBODY

    def chance(self, seat: int) -> Estimate:
        """A seat's win chance among the games with a winner."""
        return estimate(self.winners == seat, self.won)

    @property
    def score(self) -> Estimate:
        """The first player's score; a game that nobody wins counts one half."""
        return estimate((self.winners == 0) + 0.5 * ~self.won)


def sample_rules(game: Game, setup: Setup, player: str, count: int, seed: int) -> Estimate:
    """The first player's chance between equal players, through the rules alone: for edited games.

    Among games with a winner; one half if there is none.
    """
    policy, rng = policy_of(player), Random(seed)
    assert policy is not None
    winners = []
    for _ in range(count):
        state, made = game.set_up(setup, rng), 0
        while state.movers and not state.dead and made < LIMIT:
            seat = state.movers[0]
            state, made = state.after(draw(policy(state, seat), rng), seat), made + 1
        if state.outcome is not None:
            winners.append(state.outcome.winner)
    return estimate(np.array(winners) == 0) if winners else Estimate(0.5, 0.0, 1.0)


def play(game: Game, setup: Setup, players: tuple[str, str], count: int, seed: int) -> SampledGames:
    """Play games between two players of ours, with exact values for every choice.

    The settings that are not given are drawn. It suits games without secret choices.
    """
    fixed: dict[str, Any] = {**setup}
    batch = Batch(game.slug, count, again=False, **fixed)
    batch.reset(seed)
    rng = np.random.default_rng(seed)
    lengths, legal, decisive, last = (np.zeros(count, dtype=int) for _ in range(4))
    regret, behind = np.zeros(count), np.full((count, 2), 0.5)
    chances = []
    while not batch.dones.all():
        on = ~batch.dones
        values, movers = batch.values()[on], batch.movers[on]
        best = np.nanmax(values, axis=1)
        parts = np.zeros(values.shape)
        for seat in {*movers.tolist()}:
            parts[movers == seat] = batch.policies(players[seat])[on][movers == seat]
        actions = np.zeros(count, dtype=np.int32)
        drawn = rng.random(len(parts))[:, None] * parts.sum(axis=1, keepdims=True)
        actions[on] = (parts.cumsum(axis=1) > drawn).argmax(axis=1)
        lengths[on] += 1
        legal[on] += (~np.isnan(values)).sum(axis=1)
        real = best > np.nanmin(values, axis=1)
        decisive[on] += real
        last[on] = np.where(real, lengths[on], last[on])
        regret[on] += best - values[np.arange(len(values)), actions[on]]
        first = np.where(movers == 0, best, 1 - best)
        behind[on] = np.minimum(behind[on], np.stack([first, 1 - first], axis=1))
        now = np.full(count, np.nan)
        now[on] = first
        chances.append(now)
        batch.step(actions)
    winners = np.array(batch.winners)
    return SampledGames(winners, lengths, legal, decisive, regret, behind, last, np.array(chances).T)
