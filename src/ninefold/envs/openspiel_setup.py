"""How a game is set up in OpenSpiel: its type, its parameters, its first position, its observer."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import replace
from math import prod
from random import Random
from typing import Any

import numpy as np
import pyspiel

from ninefold.batch import LIMIT, encoding
from ninefold.core.errors import SetupError, quote
from ninefold.core.game import Game
from ninefold.core.seat import SEATS
from ninefold.core.state import State
from ninefold.envs.ids import spiel_name

HANDS = ("first_hand", "second_hand")  # parameters of a game in which each seat has a hand of numbers


def game_type(game: Game) -> pyspiel.GameType:
    """The game's type and parameters. Each needs a default; 0, or for words "", leaves a setting open."""
    start = game.set_up(game.example.setup)
    secret = type(start).secret is not State.secret
    kinds = pyspiel.GameType
    parameters: dict[str, int | str] = {"limit": LIMIT, "planes": False, "seed": -1, "start": ""}
    parameters |= {option.name: "" if option.words else 0 for option in game.options}
    if hasattr(start, "hands") and not game.base:  # the order of turns counts the numbers spent
        parameters |= dict.fromkeys(HANDS, 0)
    return kinds(
        short_name=spiel_name(game.slug),
        long_name=game.title,
        dynamics=kinds.Dynamics.SIMULTANEOUS if secret else kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=parameters,
    )


def as_parameters(game: Game, setup: Mapping[str, int | str]) -> dict[str, int | str]:
    """A setup as OpenSpiel takes it: words as they are, everything else as a number."""
    words = {option.name for option in game.options if option.words}
    return {name: value if name in words else int(value) for name, value in setup.items()}


def begin(game: Game, parameters: Mapping[str, Any]) -> State[Any]:
    """The first position: settings, then hands, then the moves of `start`. Raises NinefoldError.

    A setting that is left open is drawn from `seed`, or taken from the game's example if the seed is -1.
    """
    names = [option.name for option in game.options]
    given = {name: parameters[name] for name in names if parameters.get(name)}
    seed = int(parameters.get("seed", -1))
    state = game.set_up({**game.example.setup, **given} if seed < 0 else given, Random(seed))
    if any(parameters.get(name) for name in HANDS):
        state = replace(state, hands=_read_hands(state, parameters))  # type: ignore[type-var]
    state = game.sequence(state, str(parameters.get("start", "")).split())
    if state.pending:
        raise SetupError("A game cannot start in the middle of a secret choice.")
    return state


def _read_hands(state: Any, parameters: Mapping[str, Any]) -> tuple[tuple[int, ...], ...]:
    hands = [
        tuple(map(int, str(parameters.get(name) or "".join(map(str, hand)))))
        for name, hand in zip(HANDS, state.hands, strict=True)
    ]
    for name, hand, full in zip(HANDS, hands, state.hands, strict=True):
        if list(hand) != sorted(set(hand) & set(full)) or len(hand) != len(hands[0]):
            shown = quote("".join(map(str, hand)))
            raise SetupError(
                f"{shown} is not a valid {name}. Give different digits from 1 to {max(full)} in "
                "ascending order, as many as in the other hand, like 135."
            )
    return tuple(hands)


def game_info(game: Game, start: State[Any], limit: int) -> pyspiel.GameInfo:
    longest = start.longest(together=True)
    return pyspiel.GameInfo(
        num_distinct_actions=len(game.moves),
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=limit if longest is None else min(limit, longest),
    )


def observation(state: State[Any], player: int) -> str:
    return " ".join(map(str, encoding.observe(state, SEATS[player])))


class SpielObserver:
    """What a player sees: the encoded position, and in an information state the setup as well.

    All moves are public, and how a position came about does not matter. So an information state is a
    position, and there are far fewer of them than sequences of moves.
    """

    def __init__(self, game: Game, kind: Any, planes: bool) -> None:
        self.recalls = kind is not None and kind.perfect_recall
        self.planes = planes
        shape = encoding.plane_shape(game) if planes else (encoding.width(game),)
        self.tensor = np.zeros(prod(shape), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: Any, player: int) -> None:
        seen = encoding.observe(state.ours, SEATS[player])
        if self.planes:
            flags = encoding.planes(state.ours.game, array("b", seen).tobytes())
            self.tensor[:] = np.frombuffer(flags, np.uint8)
        else:
            self.tensor[:] = seen

    def string_from(self, state: Any, player: int) -> str:
        if not self.recalls:
            return observation(state.ours, player)
        setup = (f"{name}={value}" for name, value in state.ours.setup.items())
        return " ".join([state.ours.game.slug, *setup, observation(state.ours, player)])
