"""How well an agent plays, measured against exact values."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from random import Random
from typing import Any

from ninefold.batch import LIMIT
from ninefold.core.errors import SetupError
from ninefold.core.game import Game
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.envs.agents import policy_for, seat_agent
from ninefold.envs.episode import Episode
from ninefold.games import load
from ninefold.players import Chooser
from ninefold.study import responses
from ninefold.study.scores import chance, optimal_distribution, regrets

Z = 1.959964  # the quantile of the normal distribution for 95%


def supervision(state: State[Any], seat: Seat) -> dict[str, Any]:
    """`value`, the seat's chance to win, and `policy`, an array with the probability of each action."""
    import numpy as np

    probabilities = np.zeros(len(state.game.moves))
    for action, probability in optimal_distribution(state, seat).items():
        probabilities[action] = float(probability)
    return {"value": float(chance(state, seat)), "policy": probabilities}


@dataclass(slots=True)
class Scored:
    """One game of an agent, in figures. A forfeit counts as a choice that loses."""

    seat: Seat
    par: Fraction  # the seat's chance to win at the start under perfect play
    winner: Seat | None = None  # None if the game was cut off
    forfeited: Seat | None = None  # who lost by an illegal answer, or by giving none
    why: str = ""
    choices: int = 0
    regret: Fraction = Fraction(0)  # summed over the choices
    only: int = 0  # choices in which just one of several moves keeps the result
    found: int = 0  # of these, how many found it

    def count(self, lost: dict[int, Fraction], cost: Fraction) -> None:
        """Count one more choice, given the regrets of the legal moves and the regret of the one made."""
        self.choices += 1
        self.regret += cost
        if len(lost) > 1 and [*lost.values()].count(Fraction(0)) == 1:
            self.only += 1
            self.found += cost == 0


@dataclass(frozen=True, slots=True)
class Report:
    """How an agent did. `first` and `second` report on the games in that seat alone.

    A game that was cut off is not a win. A forfeit - an illegal answer, a crash, a timeout, a
    resignation - loses the game, and counts as a choice that gives up the whole chance to win that was
    left. `moves` counts the agent's choices, including forfeits.
    """

    played: tuple[Scored, ...] = field(repr=False)

    @property
    def first(self) -> Report:
        return Report(tuple(game for game in self.played if game.seat is Seat.FIRST))

    @property
    def second(self) -> Report:
        return Report(tuple(game for game in self.played if game.seat is Seat.SECOND))

    @property
    def games(self) -> int:
        return len(self.played)

    @property
    def wins(self) -> int:
        return sum(game.winner is game.seat for game in self.played)

    @property
    def cut_off(self) -> int:
        return sum(game.winner is None for game in self.played)

    @property
    def forfeits(self) -> int:
        """Games that the agent lost by an illegal answer, or by giving none."""
        return sum(game.forfeited is game.seat for game in self.played)

    @property
    def opponent_forfeits(self) -> int:
        return sum(game.forfeited is game.seat.other for game in self.played)

    @property
    def illegal(self) -> int:
        """Games that were forfeited, by the agent or by its opponent."""
        return self.forfeits + self.opponent_forfeits

    @property
    def reasons(self) -> dict[str, int]:
        """Why games were forfeited, and how often."""
        return dict(Counter(game.why for game in self.played if game.why).most_common())

    @property
    def moves(self) -> int:
        return sum(game.choices for game in self.played)

    @property
    def regret(self) -> Fraction:
        """Summed over all choices."""
        return sum((game.regret for game in self.played), Fraction(0))

    @property
    def win_rate(self) -> float:
        return self.wins / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval of the win rate (Wilson's)."""
        n, rate = self.games, self.win_rate
        if not n:
            return 0.0, 1.0
        middle = (rate + Z * Z / (2 * n)) / (1 + Z * Z / n)
        spread = Z / (1 + Z * Z / n) * sqrt(rate * (1 - rate) / n + Z * Z / (4 * n * n))
        return middle - spread, middle + spread

    @property
    def par(self) -> Fraction:
        """What perfect play by both sides would score from the same starts, in the same seats."""
        return sum((game.par for game in self.played), Fraction(0)) / (self.games or 1)

    @property
    def regret_per_move(self) -> float:
        """The mean over all choices; 0 if there were none."""
        return float(self.regret / self.moves) if self.moves else 0.0

    @property
    def regret_interval(self) -> tuple[float, float]:
        """The 95% confidence interval of the regret per choice.

        The choices within a game depend on each other, so the sample is games: this is the interval of a
        ratio of sums over games. It needs at least two games, and many to be reliable.
        """
        if self.games < 2 or not self.moves:
            return 0.0, 1.0
        mean = self.regret / self.moves
        squares = sum((game.regret - mean * game.choices) ** 2 for game in self.played)
        spread = Z * sqrt(squares * self.games / (self.games - 1)) / self.moves
        return max(0.0, float(mean) - spread), min(1.0, float(mean) + spread)

    @property
    def accuracy(self) -> float | None:
        """Of the choices in which just one of several moves keeps the result, the share that found it.

        None if there were no such choices. A forfeit does not find it.
        """
        only = sum(game.only for game in self.played)
        return sum(game.found for game in self.played) / only if only else None


def evaluate_agent(
    agent: Any,
    game: Game | str,
    n: int,
    opponent: Any = "perfect",
    *,
    seed: int = 0,
    limit: int = LIMIT,
    **setup: int | str,
) -> Report:
    """Let an agent play n games, alternating seats, and compare each choice with exact play.

    ninefold.envs.agents says what an agent is and what it may answer; the opponent is an agent, too. In
    a secret choice, both are asked in the position before anybody has chosen, so neither sees a pending
    secret. Settings that are not given are drawn for each game.
    """
    if n < 1:
        raise SetupError(f"{n} games: there must be at least one.")
    rng = Random(seed)
    episode = Episode(game if isinstance(game, str) else game.slug, limit, **setup)
    own, other = seat_agent(agent, rng), seat_agent(opponent, rng)
    played = []
    try:
        for number in range(n):
            episode.reset(rng.getrandbits(32))
            played.append(_play_and_score(episode, SEATS[number % 2], own, other))
    finally:
        own.close()
        other.close()
    return Report(tuple(played))


def _play_and_score(episode: Episode, seat: Seat, own: Chooser, other: Chooser) -> Scored:
    """Play one game between the agent and its opponent."""
    scored = Scored(seat, chance(episode.state, seat))
    while not (episode.terminated or episode.truncated):
        mover, state = episode.state.movers[0], episode.state.open_state
        action = episode.ask(own if mover is seat else other, mover)
        if mover is seat:
            lost = regrets(state, seat)
            # An illegal answer, or none at all, costs all that was left.
            scored.count(lost, chance(state, seat) if episode.illegal else lost[action])
        if episode.illegal:
            scored.forfeited, scored.why = mover, episode.illegal
    scored.winner = episode.winner
    return scored


def best_response(agent: Any, game: Game | str, seat: Seat | int, **setup: int | str) -> Fraction:
    """The exact win chance of the best possible player in that seat against the agent's policy.

    The agent is a player's name or a deterministic agent (see ninefold.envs.agents), which may answer
    with a distribution. It is asked in every position of the game; in Grid Conquest, positions that
    differ only in which cells are whose count as one. Works for battle, cross and conquest. Raises
    SetupError for the other games, which have too many positions, and if a setting without a default is
    not given.
    """
    return responses.best_response(policy_for(agent), _begin(game, setup), Seat(seat))


def exploitability(agent: Any, game: Game | str, **setup: int | str) -> Fraction:
    """How far the best responses to an agent exceed the game's value, averaged over both seats."""
    return responses.exploitability(policy_for(agent), _begin(game, setup))


def _begin(game: Game | str, setup: dict[str, int | str]) -> State[Any]:
    return (load(game) if isinstance(game, str) else game).set_up(setup)
