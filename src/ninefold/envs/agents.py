"""What counts as an agent, and what its answers mean.

An agent is a player's name, or one of

    a function of a state and a seat
    a function of an observation and a mask, known by its second parameter, whose name has `mask` in it
    a model of Stable-Baselines3 or sb3-contrib: it has `predict`
    a policy of OpenSpiel, or a bot: it has `action_probabilities`, or `step` and `restart`

It answers with a move, the text of one, an action (the move's place in `game.moves`) or a distribution: a
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

from ninefold.batch import layout
from ninefold.core.errors import NinefoldError, SetupError, quoted
from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.players import Player, PlayerFailed, policy_of, seat_player
from ninefold.players.policy import PolicyPlayer, draw

Decide = Callable[[State[Any], Seat], Any]  # from what everybody knows to an answer
MOST = 1 << 17  # positions in which the answers of a player of ours are kept
CLOSE = Fraction(1, 10**6)  # how far probabilities that are floats may be from adding up to 1


def seat_agent(agent: Any, rng: Random) -> Player:
    """The agent as a player that draws from `rng`. Raises SetupError if it is none, or a person."""
    if isinstance(agent, str):
        return _named(agent, rng)
    return agent if hasattr(agent, "choose") else AgentPlayer(_decider(agent), rng)


def decider(agent: Any) -> Decide:
    """How an agent answers, for those who draw themselves. A policy is asked once for a position."""
    if isinstance(agent, str):
        player = _named(agent, Random())
        return lru_cache(MOST)(player.policy) if isinstance(player, PolicyPlayer) else player.choose
    return agent.choose if hasattr(agent, "choose") else _decider(agent)


def _named(name: str, rng: Random) -> Player:
    player = seat_player(name, rng)
    if player is None:
        raise SetupError("A person cannot be asked here: name a computer player.")
    return player


@dataclass(frozen=True, slots=True)
class AgentPlayer:
    """An agent as a player that chooses actions. Whatever goes wrong with its answer, it has failed."""

    decide: Decide
    rng: Random

    def choose(self, state: State[Any], seat: Seat) -> int:
        try:
            answer = self.decide(state, seat)
        except PlayerFailed:
            raise
        except Exception as error:  # a crash of the agent's loses its game and no other
            raise PlayerFailed(f"The agent crashed: {type(error).__name__}: {error}") from error
        parts = read_answer(state.game, answer)
        action: int = draw(parts, self.rng) if len(parts) > 1 else next(iter(parts))
        return action

    def close(self) -> None:
        """Nothing is held."""


def policy_for(agent: Any) -> Callable[[State[Any], Seat], dict[Any, Fraction]]:
    """The agent's probabilities of its legal moves; what they leave of 1 it forfeits.

    Raises SetupError if it is a person or a program: they have no policy.
    """
    decide: Decide
    if isinstance(agent, str):
        named = policy_of(agent)
        if named is None:
            raise SetupError(
                f"{quoted(agent)} has no policy: nobody knows how it would choose elsewhere."
            )
        decide = named
    else:
        decide = _decider(agent)

    def policy(state: State[Any], seat: Seat) -> dict[Any, Fraction]:
        try:
            parts = read_answer(state.game, decide(state, seat))
        except PlayerFailed:
            return {}
        moves = state.game.moves
        return {moves[action]: parts[action] for action in layout.legal(state, seat) if action in parts}

    return policy


def read_answer(game: Game, answer: Any) -> dict[int, Fraction]:
    """The probability of each action that an answer means. Raises PlayerFailed if it means none.

    The actions need not be legal, nor actions of the game at all.
    """
    if answer is None:
        raise PlayerFailed("The agent resigned.")
    if hasattr(answer, "tolist"):  # an array
        answer = answer.tolist()
    if isinstance(answer, list) and len(answer) == 1:
        (answer,) = answer
    if isinstance(answer, list):
        if len(answer) != len(game.moves):
            raise PlayerFailed(f"An array of probabilities needs {len(game.moves)}, not {len(answer)}.")
        answer = {action: part for action, part in enumerate(answer) if part}
    if not isinstance(answer, Mapping):
        return {_action(game, answer): Fraction(1)}
    parts: dict[int, Fraction] = {}
    try:
        for move, part in answer.items():
            action = _action(game, move)
            parts[action] = parts.get(action, Fraction(0)) + Fraction(part)
    except (TypeError, ValueError, OverflowError) as error:
        raise PlayerFailed(f"The agent's probabilities cannot be read: {error}") from None
    total = sum(parts.values(), Fraction(0))
    if min(parts.values(), default=Fraction(0)) < 0 or abs(total - 1) > CLOSE:
        raise PlayerFailed(f"The agent's probabilities add up to {float(total):g}, or some are negative.")
    return {action: part / total for action, part in parts.items() if part}


def _action(game: Game, move: Any) -> int:
    try:
        return index(move)
    except TypeError:
        pass
    try:
        return game.index(game.parse(move) if isinstance(move, str) else move)
    except NinefoldError as error:
        raise PlayerFailed(str(error)) from None


def _decider(agent: Any) -> Decide:
    if hasattr(agent, "predict"):
        return _model(agent)
    if hasattr(agent, "action_probabilities") or (hasattr(agent, "step") and hasattr(agent, "restart")):
        from ninefold.envs.openspiel import decide_by

        return decide_by(agent)
    if not callable(agent):
        raise SetupError(f"{quoted(repr(agent))} is not an agent: name a player, or give a function.")
    return _seeing(agent) if _wants_mask(agent) else agent


def _wants_mask(function: Callable[..., Any]) -> bool:
    try:
        names = [*signature(function).parameters]
    except (TypeError, ValueError):
        return False
    return len(names) > 1 and "mask" in names[1].lower()


def _seeing(function: Callable[..., Any]) -> Decide:
    return lambda state, seat: function(*_see(state, seat))


def _model(model: Any) -> Decide:
    """A model that predicts from the whole observation, or from the numbers it was trained on."""
    masked = "action_masks" in signature(model.predict).parameters
    whole = hasattr(getattr(model, "observation_space", None), "spaces")

    def decide(state: State[Any], seat: Seat) -> Any:
        seen, mask = _see(state, seat)
        masks = {"action_masks": mask.astype(bool)} if masked else {}
        observation = {"observation": seen, "action_mask": mask} if whole else seen
        return model.predict(observation, deterministic=True, **masks)[0]

    return decide


def _see(state: State[Any], seat: Seat) -> tuple[Any, Any]:
    """The observation and the mask, as the environments show them.

    There one is asked after the other, so whoever is asked second in a secret choice sees that the
    first has chosen, and not what.
    """
    import numpy as np

    first = state.movers[0]
    shown = state if first is seat else state.after(state.moves(first)[0], first)
    numbers = np.array(layout.observe(shown, seat), np.int8)
    return numbers, np.frombuffer(layout.mask(shown, seat), np.int8).copy()
