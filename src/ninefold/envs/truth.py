"""How an agent plays, measured against exact values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from random import Random
from typing import Any

from ninefold.batch import TURNS
from ninefold.core.errors import SetupError
from ninefold.core.game import Game
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.envs.table import Table
from ninefold.players import Player, PlayerFailed, seat_player
from ninefold.study.scores import chance, optimal_distribution, regrets

Agent = Callable[[State[Any], Seat], int]  # from what everybody knows to the number of a move


def supervision(state: State[Any], seat: Seat) -> dict[str, Any]:
    """`value`, the seat's chance to win as a float, and `policy`, a float for each move of the game."""
    probabilities = [0.0] * len(state.game.moves)
    for action, probability in optimal_distribution(state, seat).items():
        probabilities[action] = float(probability)
    return {"value": float(chance(state, seat)), "policy": probabilities}


@dataclass(frozen=True, slots=True)
class Report:
    """How an agent did. A game that was cut off is not won; `illegal` ones are lost, by the agent or by
    its opponent, for an answer that is no legal move."""

    games: int
    wins: int
    cut_off: int
    illegal: int
    moves: int
    regret: Fraction  # summed over all moves

    @property
    def win_rate(self) -> float:
        return self.wins / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true rate lies with 95 % confidence (Wilson's interval)."""
        n, rate, z = self.games, self.win_rate, 1.959964
        middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
        spread = z / (1 + z * z / n) * sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
        return middle - spread, middle + spread

    @property
    def regret_per_move(self) -> float:
        return float(self.regret / self.moves) if self.moves else 0.0


def evaluate_agent(
    agent: Agent | str,
    game: Game | str,
    n: int,
    opponent: str = "perfect",
    *,
    seed: int = 0,
    turns: int = TURNS,
    **setup: int | str,
) -> Report:
    """Let an agent play n games, by turns as first and second, and compare each move with exact play.

    The agent is a function from the position and its seat to the number of a move, or one of our
    players by name. What a position hides from both, it hides from the agent: secret choices are asked
    for in the position before them. Settings that are not given are drawn for each game.
    """
    rng = Random(seed)
    table = Table(game if isinstance(game, str) else game.slug, turns, **setup)
    other = seated(opponent, rng)
    own = seated(agent, rng) if isinstance(agent, str) else Function(agent)
    wins = cut_off = illegal = moves = 0
    regret = Fraction(0)
    for number in range(n):
        seat = SEATS[number % 2]
        table.reset(rng.getrandbits(32))
        while not (table.terminated or table.truncated):
            mover, state = table.state.movers[0], table.open_state
            try:
                move = (own if mover is seat else other).choose(state, mover)
            except PlayerFailed as error:
                table.forfeit(mover, str(error))
                break
            action = move if isinstance(move, int) else table.game.index(move)
            if mover is seat:
                moves += 1
                regret += regrets(state, mover).get(action, Fraction(0))
            table.play(action, mover)
        wins += table.winner is seat
        cut_off += table.truncated
        illegal += bool(table.illegal)
    own.close()
    other.close()
    return Report(n, wins, cut_off, illegal, moves, regret)


@dataclass(frozen=True, slots=True)
class Function:
    """A function as a player."""

    agent: Agent

    def choose(self, state: State[Any], seat: Seat) -> int:
        return int(self.agent(state, seat))

    def close(self) -> None:
        """Nothing is held."""


def seated(name: str, rng: Random) -> Player:
    """The computer player of that name."""
    player = seat_player(name, rng)
    if player is None:
        raise SetupError("A person cannot be asked here: name a computer player.")
    return player
