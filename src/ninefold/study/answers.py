"""What an agent's answer means, and what happens if there is none.

An agent answers with a move, a move's text, an action (the move's index in `game.moves`) or a
distribution: a mapping from moves or actions to probabilities, or an array with a probability for each
action. None resigns. Whatever goes wrong - an exception, an exit, a wrong type, too much time - is a
PlayerFailed, so it costs the same wherever agents are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import index
from random import Random
from time import monotonic
from typing import Any, TypeVar

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.core.turns import Played
from ninefold.match import Player, Record
from ninefold.match.seating import NAMES
from ninefold.players import Chooser, Failure, PlayerFailed, SeenRecord
from ninefold.players.policy import PolicyPlayer, draw

Decide = Callable[[State[Any], Seat], Any]  # takes the position as everybody knows it, returns an answer
T = TypeVar("T")
Parts = dict[int, Fraction]  # by action, legal or not: its probability; they add up to exactly 1
PLAYERS = tuple(Player(name, seat, "program:agent") for name, seat in zip(NAMES, SEATS, strict=True))
TOLERANCE = Fraction(1, 10**6)  # by which probabilities may miss adding up to 1, since they may be floats


def ask(decide: Decide, state: State[Any], seat: Seat, seconds: float | None = None) -> Parts:
    """Ask an agent to choose, and read its answer. Raises PlayerFailed, whatever goes wrong."""
    return guard(lambda: read_answer(state.game, decide(state, seat)), seconds)


def guard(work: Callable[[], T], seconds: float | None = None) -> T:
    """What an agent's work returns. Raises PlayerFailed, whatever goes wrong.

    If it takes more than `seconds`, it is too late. Work that never ends cannot be stopped here: run the
    agent as a program.
    """
    began = monotonic()
    try:
        found = work()
    except PlayerFailed:
        raise
    except (Exception, SystemExit) as error:
        why = f"The agent crashed: {type(error).__name__}: {error}"
        raise PlayerFailed(why, Failure.CRASHED) from error
    if seconds is not None and monotonic() - began > seconds:
        raise PlayerFailed(f"The agent did not answer within {seconds:g} seconds.", Failure.LATE)
    return found


def read_answer(game: Game, answer: Any) -> Parts:
    """The probability of each action in an answer. Raises PlayerFailed if it cannot be read.

    The actions need not be legal, nor even actions of the game.
    """
    if answer is None:
        raise PlayerFailed("The agent resigned.", Failure.RESIGNED)
    if hasattr(answer, "tolist"):  # an array
        answer = answer.tolist()
    if isinstance(answer, list) and len(answer) == 1:
        (answer,) = answer
    if isinstance(answer, list):
        if len(answer) != len(game.moves):
            raise _unreadable(f"An array of probabilities needs {len(game.moves)}, not {len(answer)}.")
        answer = {action: part for action, part in enumerate(answer) if part}
    if not isinstance(answer, Mapping):
        return {_action(game, answer): Fraction(1)}
    parts: Parts = {}
    try:
        for move, part in answer.items():
            action = _action(game, move)
            parts[action] = parts.get(action, Fraction(0)) + Fraction(part)
    except (TypeError, ValueError, OverflowError) as error:
        raise _unreadable(f"The agent's probabilities cannot be read: {error}") from None
    total = sum(parts.values(), Fraction(0))
    if min(parts.values(), default=Fraction(0)) < 0 or abs(total - 1) > TOLERANCE:
        raise _unreadable(f"The agent's probabilities add up to {float(total):g}, or some are negative.")
    return {action: part if total == 1 else part / total for action, part in parts.items() if part}


def _action(game: Game, move: Any) -> int:
    try:
        return index(move)
    except TypeError:
        pass
    try:
        return game.index(game.parse(move) if isinstance(move, str) else move)
    except NinefoldError as error:
        raise _unreadable(str(error)) from None


def _unreadable(why: str) -> PlayerFailed:
    return PlayerFailed(why, Failure.UNREADABLE)


@dataclass(frozen=True, slots=True)
class AgentPlayer:
    """An agent as a player that chooses actions, which need not be legal. `close` closes its `owner`."""

    decide: Decide
    rng: Random
    seconds: float | None = None
    owner: Any = None

    def choose(self, state: State[Any], seat: Seat, record: SeenRecord | None = None) -> int:
        return draw_action(ask(self.decide, state, seat, self.seconds), self.rng)

    def close(self) -> None:
        if hasattr(self.owner, "close"):
            self.owner.close()


def draw_action(parts: Parts, rng: Random) -> int:
    action: int = draw(parts, rng) if len(parts) > 1 else next(iter(parts))
    return action


def distribution_of(
    player: Chooser, state: State[Any], seat: Seat, record: SeenRecord | None = None
) -> Parts:
    """The player's probability of each action; a player that only names a move is sure of it.

    Raises PlayerFailed.
    """
    if isinstance(player, PolicyPlayer):
        return read_answer(state.game, player.policy(state, seat))
    if isinstance(player, AgentPlayer):
        return ask(player.decide, state, seat, player.seconds)
    return read_answer(state.game, player.choose(state, seat, record))


def record_data(state: State[Any], played: Sequence[Played], seat: Seat) -> dict[str, Any]:
    """The data of a record between two agents, with the settings that the seat knows."""
    first, second = PLAYERS
    view = state.view(seat)
    return Record(state.game.slug, view.setup, (first, second), "", tuple(played)).to_data()
