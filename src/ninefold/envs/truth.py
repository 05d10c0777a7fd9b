"""Ground truth for agents: what exact play says about a position, a match and a player."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from random import Random
from typing import Any

from ninefold.analysis import Choice, evaluate
from ninefold.analysis.choices import worth
from ninefold.analysis.review import review
from ninefold.core.errors import SetupError
from ninefold.core.game import Game
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.envs.table import TURNS, Table
from ninefold.match import Match, Record
from ninefold.players import Player, PlayerFailed, seat_player

Agent = Callable[[State[Any], Seat], int]  # from what everybody knows to the number of a move


def chance(state: State[Any], seat: Seat) -> Fraction:
    """The seat's exact chance to win under perfect play; an endless game counts a half."""
    return Fraction(worth(evaluate(state).value, seat).chance)


def regrets(state: State[Any], seat: Seat) -> dict[int, Fraction]:
    """By legal move: how much of its chance to win under perfect play the seat gives away with it."""
    mine = _choices(state, seat)
    chances = [Fraction(worth(choice.value, seat).chance) for choice in mine]
    best = max(chances)
    return {state.game.index(c.move): best - won for c, won in zip(mine, chances, strict=True)}


def optimal_distribution(state: State[Any], seat: Seat) -> dict[int, Fraction]:
    """Optimal probabilities by move: even among the best; in a secret choice, the optimal mixture."""
    mine = _choices(state, seat)
    if state.secret:
        return {state.game.index(c.move): c.mix for c in mine if c.mix}
    best = [choice for choice in mine if choice.best]
    return {state.game.index(choice.move): Fraction(1, len(best)) for choice in best}


def _choices(state: State[Any], seat: Seat) -> list[Choice]:
    return [choice for choice in evaluate(state).choices if choice.seat == seat]


def supervision(state: State[Any], seat: Seat) -> dict[str, Any]:
    """`value`, the seat's chance to win as a float, and `policy`, a float for each move of the game."""
    probabilities = [0.0] * len(state.game.moves)
    for action, probability in optimal_distribution(state, seat).items():
        probabilities[action] = float(probability)
    return {"value": float(chance(state, seat)), "policy": probabilities}


@dataclass(frozen=True, slots=True)
class Score:
    """A match in figures, by seat. Regret is the chance to win given away, summed over the moves."""

    winner: Seat | None  # None if the match was not finished
    moves: tuple[int, int]
    regret: tuple[Fraction, Fraction]
    accuracy: tuple[Fraction | None, Fraction | None]  # 0 to 1; None: nothing to decide


def score(record: Record) -> Score:
    """What the players of a match gave away. Raises RecordError if it is no legal match."""
    match = Match.of(record)
    played = [(one.seat, match.game.parse(one.move)) for one in match.played]
    found = review(match.states, played, None)
    first, second = ([one.cost for one in found.moves if one.seat is seat] for seat in SEATS)
    return Score(
        winner=None if match.outcome is None else match.outcome.winner,
        moves=(len(first), len(second)),
        regret=(sum(first, Fraction(0)), sum(second, Fraction(0))),
        accuracy=found.accuracy,
    )


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
