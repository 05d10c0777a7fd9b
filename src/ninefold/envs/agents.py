"""What counts as an agent.

An agent is a player's name, or one of

    a function of a state and a seat
    a function of an observation and a mask
    a function of observations and masks: those of many games at once, with an answer for each
    a model of Stable-Baselines3 or sb3-contrib, recognized by `predict`
    an OpenSpiel policy or bot, recognized by `action_probabilities`, or `step` and `restart`
    an object with `choose`, like the players of ninefold.players

ninefold.study.answers says what it may answer, and what happens if it fails.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from fractions import Fraction
from functools import partial
from inspect import Parameter, signature
from random import Random
from typing import Any

from ninefold.batch import encoding
from ninefold.core.errors import SetupError, quote
from ninefold.core.game import Game
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.players import Chooser, PlayerFailed, policy_of, seat_player
from ninefold.study.answers import AgentPlayer, Decide, ask
from ninefold.study.responses import Answers

# A function of a game, and the observations and masks of many; it returns an answer for each.
AskMany = Callable[[Game, Any, Any], Sequence[Any]]


def read_seat(seat: object) -> Seat | None:
    """The seat for `first`, `second`, 0 or 1, and None for `random`. Raises SetupError."""
    if seat == "random":
        return None
    for one in SEATS:
        if seat == one or seat == str(one):
            return one
    raise SetupError(f"{quote(str(seat))} is not a seat. It must be first (0), second (1) or random.")


def seat_agent(agent: Any, rng: Random, seconds: float | None = None) -> Chooser:
    """The agent as a player that draws from `rng` and has so many seconds for a move.

    A program has the seconds that its name says. Raises SetupError if it is a person or no agent.
    """
    if not isinstance(agent, str):
        return AgentPlayer(adapt_agent(agent), rng, seconds, agent)
    player = seat_player(agent, rng)
    if player is None:
        raise SetupError("A person cannot be asked here: name a computer player.")
    return player


def policy_for(agent: Any, seconds: float | None = None) -> tuple[Answers, bool]:
    """A function that returns the agent's probability of each legal move, and whether it is ours.

    An agent that fails, or takes more than `seconds` for a move, forfeits.

    If they add up to less than 1, the rest is the probability of a forfeit.
    Raises SetupError for a person or a program: they have no policy.
    """
    if isinstance(agent, str):
        named = policy_of(agent)
        if named is None:
            raise SetupError(f"{quote(agent)} has no policy: name a computer player, or give an agent.")
        return named, True
    decide = adapt_agent(agent)

    def policy(state: State[Any], seat: Seat) -> dict[Any, Fraction]:
        try:
            parts = ask(decide, state, seat, seconds)
        except PlayerFailed:
            return {}
        moves = state.game.moves
        return {moves[action]: parts[action] for action in encoding.legal(state, seat) if action in parts}

    return policy, False


def adapt_agent(agent: Any) -> Decide:
    """A function that asks the agent in one position. Raises SetupError if it is no agent."""
    if hasattr(agent, "choose"):
        return lambda state, seat: agent.choose(state, seat)
    if hasattr(agent, "action_probabilities") or (hasattr(agent, "step") and hasattr(agent, "restart")):
        from ninefold.envs.openspiel import ask_openspiel

        return ask_openspiel(agent)
    many = ask_many(agent)
    return (lambda state, seat: agent(state, seat)) if many is None else partial(_ask_one, many)


def _ask_one(many: AskMany, state: State[Any], seat: Seat) -> Any:
    seen, mask = _observe(state, seat)
    return many(state.game, seen[None], mask[None])[0]


def takes_observations(agent: Any) -> bool:
    """Whether an agent takes observations, so that it can be asked in many games at once."""
    others = ("choose", "restart", "action_probabilities")
    if isinstance(agent, str) or any(hasattr(agent, name) for name in others):
        return False
    return ask_many(agent) is not None


def ask_many(agent: Any) -> AskMany | None:
    """A function that asks the agent in many games at once, if it takes observations; else None."""
    if hasattr(agent, "predict"):
        return _ask_model(agent)
    if not callable(agent):
        raise SetupError(f"{quote(repr(agent))} is not an agent: name a player, or give a function.")
    match what_it_takes(agent):
        case Takes.MANY:
            return lambda _, seen, masks: agent(seen, masks)
        case Takes.ONE:
            return lambda _, seen, masks: [agent(*one) for one in zip(seen, masks, strict=True)]
    return None


class Takes(Enum):
    """What a function takes."""

    STATE = "a state and a seat"
    ONE = "an observation and a mask"
    MANY = "observations and masks"


def what_it_takes(function: Callable[..., Any]) -> Takes:
    """What a function takes, by the names of its two parameters. Raises SetupError if they do not say."""
    try:
        parameters = [*signature(function).parameters.values()]
    except (TypeError, ValueError):  # it is not written in Python
        return Takes.STATE
    names = [one.name.lower() for one in parameters if one.kind is not Parameter.KEYWORD_ONLY]
    first, second = (*names, "", "")[:2]
    if second and ("mask" in second or first.startswith("obs")):
        return Takes.MANY if second.endswith("masks") or first == "observations" else Takes.ONE
    starred = parameters and parameters[0].kind is Parameter.VAR_POSITIONAL
    if starred or (second and (first == "state" or second == "seat")):
        return Takes.STATE
    raise SetupError(
        f"The names of ({', '.join(names)}) do not say what this agent takes. Call them (state, seat), "
        "(observation, mask), or (observations, masks) if it answers for many games at once."
    )


def _ask_model(model: Any) -> AskMany:
    """A function that asks a model: for its distribution if it has one, else for its actions.

    The model gets the mask in the observation, and one-hot planes, if it was trained that way.
    """
    masked = "action_masks" in signature(model.predict).parameters
    space = getattr(model, "observation_space", None)
    inner = getattr(space, "spaces", None)
    shape = getattr(inner["observation"] if inner else space, "shape", ())
    policy: Any = getattr(model, "policy", None)

    def decide(game: Game, seen: Any, mask: Any) -> Any:
        masks = {"action_masks": mask.astype(bool)} if masked else {}
        shown = as_planes(game, seen) if len(shape) == 2 else seen
        observation = {"observation": shown, "action_mask": mask} if inner else shown
        if not hasattr(policy, "get_distribution"):
            return model.predict(observation, deterministic=True, **masks)[0]
        policy.set_training_mode(False)
        tensor, _ = policy.obs_to_tensor(observation)
        return policy.get_distribution(tensor, **masks).distribution.probs.detach().cpu().numpy()

    return decide


def as_planes(game: Game, seen: Any) -> Any:
    """Observations as one-hot planes."""
    import numpy as np

    found = np.frombuffer(encoding.planes(game, seen.astype(np.int8).tobytes()), np.int8)
    return found.reshape(*seen.shape[:-1], *encoding.plane_shape(game))


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
