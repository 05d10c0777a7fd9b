"""What counts as an agent, and what its answers mean.

An agent is a player's name, or one of

    a function of a state and a seat
    a function of an observation and a mask, recognized by a second parameter with `mask` in its name
    a model of Stable-Baselines3 or sb3-contrib, recognized by `predict`
    an OpenSpiel policy or bot, recognized by `action_probabilities`, or `step` and `restart`

It answers with a move, a move's text, an action (the move's index in `game.moves`) or a distribution: a
mapping from moves or actions to probabilities, or an array with a probability for each action. None
resigns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from inspect import signature
from operator import index
from random import Random
from typing import Any

from ninefold.batch import encoding
from ninefold.core.errors import NinefoldError, SetupError, quote
from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.players import Chooser, Failure, PlayerFailed, SeenRecord, policy_of, seat_player
from ninefold.players.policy import PolicyPlayer, draw

Decide = Callable[[State[Any], Seat], Any]  # takes the position as everybody knows it, returns an answer
CACHED = 1 << 17  # positions in which one of our players' answers are kept
TOLERANCE = Fraction(1, 10**6)  # by which probabilities may miss adding up to 1, since they may be floats


def seat_agent(agent: Any, rng: Random) -> Chooser:
    """The agent as a player that draws from `rng`. Raises SetupError if it is a person or no agent."""
    if isinstance(agent, str):
        return _seat_named(agent, rng)
    return agent if hasattr(agent, "choose") else AgentPlayer(_adapt_agent(agent), rng)


def decision_function(agent: Any) -> Decide:
    """A function that asks the agent, for a caller that draws from distributions itself.

    If the agent is one of our players, each position's policy is computed only once.
    """
    if isinstance(agent, str):
        player = _seat_named(agent, Random())
        return lru_cache(CACHED)(player.policy) if isinstance(player, PolicyPlayer) else player.choose
    return agent.choose if hasattr(agent, "choose") else _adapt_agent(agent)


def _seat_named(name: str, rng: Random) -> Chooser:
    player = seat_player(name, rng)
    if player is None:
        raise SetupError("A person cannot be asked here: name a computer player.")
    return player


@dataclass(frozen=True, slots=True)
class AgentPlayer:
    """An agent as a player that chooses actions. Anything wrong with its answer raises PlayerFailed."""

    decide: Decide
    rng: Random

    def choose(self, state: State[Any], seat: Seat, record: SeenRecord | None = None) -> int:
        try:
            answer = self.decide(state, seat)
        except PlayerFailed:
            raise
        except Exception as error:  # an agent that crashes loses this game and no other
            why = f"The agent crashed: {type(error).__name__}: {error}"
            raise PlayerFailed(why, Failure.CRASHED) from error
        parts = read_answer(state.game, answer)
        action: int = draw(parts, self.rng) if len(parts) > 1 else next(iter(parts))
        return action

    def close(self) -> None:
        """Do nothing: an agent holds no resources."""


def policy_for(agent: Any) -> Callable[[State[Any], Seat], dict[Any, Fraction]]:
    """A function that returns the agent's probability of each legal move.

    If they add up to less than 1, the rest is the probability of a forfeit.
    Raises SetupError for a person or a program: they have no policy.
    """
    decide: Decide
    if isinstance(agent, str):
        named = policy_of(agent)
        if named is None:
            raise SetupError(f"{quote(agent)} has no policy: name a computer player, or give an agent.")
        decide = named
    else:
        decide = _adapt_agent(agent)

    def policy(state: State[Any], seat: Seat) -> dict[Any, Fraction]:
        try:
            parts = read_answer(state.game, decide(state, seat))
        except PlayerFailed:
            return {}
        moves = state.game.moves
        return {moves[action]: parts[action] for action in encoding.legal(state, seat) if action in parts}

    return policy


def read_answer(game: Game, answer: Any) -> dict[int, Fraction]:
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
            why = f"An array of probabilities needs {len(game.moves)}, not {len(answer)}."
            raise PlayerFailed(why, Failure.UNREADABLE)
        answer = {action: part for action, part in enumerate(answer) if part}
    if not isinstance(answer, Mapping):
        return {_action(game, answer): Fraction(1)}
    parts: dict[int, Fraction] = {}
    try:
        for move, part in answer.items():
            action = _action(game, move)
            parts[action] = parts.get(action, Fraction(0)) + Fraction(part)
    except (TypeError, ValueError, OverflowError) as error:
        why = f"The agent's probabilities cannot be read: {error}"
        raise PlayerFailed(why, Failure.UNREADABLE) from None
    total = sum(parts.values(), Fraction(0))
    if min(parts.values(), default=Fraction(0)) < 0 or abs(total - 1) > TOLERANCE:
        why = f"The agent's probabilities add up to {float(total):g}, or some are negative."
        raise PlayerFailed(why, Failure.UNREADABLE)
    return {action: part / total for action, part in parts.items() if part}


def _action(game: Game, move: Any) -> int:
    try:
        return index(move)
    except TypeError:
        pass
    try:
        return game.index(game.parse(move) if isinstance(move, str) else move)
    except NinefoldError as error:
        raise PlayerFailed(str(error), Failure.UNREADABLE) from None


def _adapt_agent(agent: Any) -> Decide:
    if hasattr(agent, "predict"):
        return _ask_model(agent)
    if hasattr(agent, "action_probabilities") or (hasattr(agent, "step") and hasattr(agent, "restart")):
        from ninefold.envs.openspiel import ask_openspiel

        return ask_openspiel(agent)
    if not callable(agent):
        raise SetupError(f"{quote(repr(agent))} is not an agent: name a player, or give a function.")
    return _ask_with_mask(agent) if _wants_mask(agent) else agent


def _wants_mask(function: Callable[..., Any]) -> bool:
    try:
        names = [*signature(function).parameters]
    except (TypeError, ValueError):
        return False
    return len(names) > 1 and "mask" in names[1].lower()


def _ask_with_mask(function: Callable[..., Any]) -> Decide:
    return lambda state, seat: function(*_observe(state, seat))


def _ask_model(model: Any) -> Decide:
    """A function that asks a model, with the mask in the observation if it was trained that way."""
    masked = "action_masks" in signature(model.predict).parameters
    whole = hasattr(getattr(model, "observation_space", None), "spaces")

    def decide(state: State[Any], seat: Seat) -> Any:
        seen, mask = _observe(state, seat)
        masks = {"action_masks": mask.astype(bool)} if masked else {}
        observation = {"observation": seen, "action_mask": mask} if whole else seen
        return model.predict(observation, deterministic=True, **masks)[0]

    return decide


def _observe(state: State[Any], seat: Seat) -> tuple[Any, Any]:
    """The observation and the mask, as the environments show them.

    They ask one seat after the other, so in a secret choice the seat that is asked second sees that the
    first has chosen, but not what.
    """
    import numpy as np

    first = state.movers[0]
    shown = state if first is seat else state.after(state.moves(first)[0], first)
    numbers = np.array(encoding.observe(shown, seat), np.int8)
    return numbers, np.frombuffer(encoding.mask(shown, seat), np.int8).copy()
