"""Estimates from sampled play, for games too large to walk. The same seed gives the same games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import numpy as np

from ninefold.analysis import Choice, evaluate
from ninefold.batch import NOBODY, Batch
from ninefold.core.game import Game
from ninefold.core.outcome import LIMIT
from ninefold.core.state import Setup, State
from ninefold.lab.walk import PLAYERS
from ninefold.players import policy_of
from ninefold.players.exact import LevelPolicy, perfect_among
from ninefold.players.policy import Probabilities, draw
from ninefold.study.reports import Z, share_interval

EARLY = 2  # the first moves of many games are the same, and with the most choices they take the longest
FEW = 20  # games for each position, on average, where asking for positions pays


@dataclass(frozen=True, slots=True)
class Estimate:
    """A sampled value with its 95% interval."""

    value: float
    low: float
    high: float
    bound: bool = False  # a lower bound: the true value may be higher


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
class Winners:
    """Who won sampled games."""

    winners: Any  # by game: the seat, or NOBODY

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


@dataclass(frozen=True, slots=True)
class SampledGames(Winners):
    """Sampled games in figures, an entry for each game."""

    lengths: Any
    legal: Any  # legal moves, summed over the choices
    decisive: Any  # choices between moves of different value
    regret: Any
    behind: Any  # by game and seat: the seat's smallest chance
    last: Any  # how many moves had been made after the last decisive choice; 0 without one
    chances: Any  # by game and move number: the first player's chance before it; NaN once it is over


def sample_levels(game: Game, setup: Setup, count: int, seed: int) -> list[float]:
    """The first player's chance between equal players, through the rules alone: for edited games.

    By player, from random to the last level, `count` games each. Among games with a winner; one half if
    there is none.
    """

    @cache  # a position comes up at many levels, and often where play goes in circles
    def look(state: State[Any]) -> tuple[list[Choice], Probabilities]:
        mine = evaluate(state).choices_of(state.movers[0])
        return mine, perfect_among(state, mine)

    found = []
    for at, player in enumerate(PLAYERS[:-1]):
        policy, rng = policy_of(player), Random(seed + at)
        assert policy is not None
        winners = []
        for _ in range(count):
            state, made = game.set_up(setup, rng), 0
            while state.movers and not state.dead and made < LIMIT:
                seat = state.movers[0]
                if isinstance(policy, LevelPolicy):
                    parts = policy.among(*look(state))
                else:
                    parts = policy(state, seat)
                state, made = state.after(draw(parts, rng), seat), made + 1
            if state.outcome is not None:
                winners.append(state.outcome.winner)
        found.append(estimate(np.array(winners) == 0).value if winners else 0.5)
    return found


def _play_on(
    game: Game, setup: Setup, players: tuple[str, str], count: int, seed: int
) -> Iterator[tuple[Batch, Any, Any]]:
    """Play games between two players of ours to their end. Settings that are not given are drawn.

    Before each move: the games, which of them are still going on, and the moves about to be made. At the
    end: the finished games.
    """
    fixed: dict[str, Any] = {**setup}
    batch = Batch(game.slug, count, again=False, **fixed)
    batch.reset(seed)
    rng = np.random.default_rng(seed)
    actions = np.zeros(count, dtype=np.int32)
    made = 0
    while not batch.dones.all():
        on = ~batch.dones
        ask = ask_once if made < EARLY else Batch.policies
        movers = batch.movers[on]
        parts = np.zeros((len(movers), len(game.moves)))
        for seat in {*movers.tolist()}:
            parts[movers == seat] = ask(batch, players[seat])[on][movers == seat]
        drawn = rng.random(len(parts))[:, None] * parts.sum(axis=1, keepdims=True)
        actions[:] = 0
        actions[on] = (parts.cumsum(axis=1) > drawn).argmax(axis=1)
        yield batch, on, actions
        batch.step(actions)
        made += 1
    yield batch, ~batch.dones, actions


def ask_once(batch: Batch, player: str) -> Any:
    """The same as `batch.policies`, but asks once for games with the same position if they are many."""
    batch.look()
    seen = [row.tobytes() for row in batch.observations]
    distinct = {row: at for at, row in enumerate(seen)}
    if len(distinct) > batch.count / FEW:
        return batch.policies(player)
    places = {row: place for place, row in enumerate(distinct)}
    found = Batch.of([batch.state(at) for at in distinct.values()]).policies(player)
    return found[[places[row] for row in seen]]


def play_out(game: Game, setup: Setup, players: tuple[str, str], count: int, seed: int) -> Winners:
    """Who wins the games that `play` would sample, without the values that take it longer."""
    for batch, _, _ in _play_on(game, setup, players, count, seed):  # noqa: B007
        pass
    return Winners(np.array(batch.winners))


def play(game: Game, setup: Setup, players: tuple[str, str], count: int, seed: int) -> SampledGames:
    """Play games between two players of ours, with exact values for every choice.

    It suits games without secret choices.
    """
    lengths, legal, decisive, last = (np.zeros(count, dtype=int) for _ in range(4))
    regret, behind = np.zeros(count), np.full((count, 2), 0.5)
    chances = []
    for batch, on, actions in _play_on(game, setup, players, count, seed):
        if not on.any():
            break
        values, movers = batch.values()[on], batch.movers[on]
        best = np.nanmax(values, axis=1)
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
    winners = np.array(batch.winners)
    return SampledGames(winners, lengths, legal, decisive, regret, behind, last, np.array(chances).T)
