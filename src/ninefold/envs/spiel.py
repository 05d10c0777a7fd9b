"""What OpenSpiel is told of a game before it is played, and what its players see."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from ninefold.batch import TURNS, layout
from ninefold.core.game import Game
from ninefold.core.seat import SEATS
from ninefold.core.state import State


def game_type(game: Game) -> pyspiel.GameType:
    """The kind of game, with a value for every setting, since OpenSpiel has none that are left open."""
    start = game.set_up(game.example.setup)
    secret = type(start).secret is not State.secret
    kinds = pyspiel.GameType
    return kinds(
        short_name=f"ninefold_{game.slug}",
        long_name=game.title,
        dynamics=kinds.Dynamics.SIMULTANEOUS if secret else kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification={"turns": TURNS} | {k: int(v) for k, v in start.setup.items()},
    )


def game_info(game: Game, turns: int) -> pyspiel.GameInfo:
    return pyspiel.GameInfo(
        num_distinct_actions=len(game.moves),
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=turns,
    )


def observation(state: State[Any], player: int) -> str:
    return " ".join(map(str, layout.observe(state, SEATS[player])))


class SpielObserver:
    """What a player sees: with perfect recall the moves so far, else the numbers of the layout."""

    def __init__(self, game: Game, kind: Any) -> None:
        self.recalls = kind is not None and kind.perfect_recall
        self.tensor = np.zeros(layout.width(game), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: Any, player: int) -> None:
        self.tensor[:] = layout.observe(state.ours, SEATS[player])

    def string_from(self, state: Any, player: int) -> str:
        if not self.recalls:
            return observation(state.ours, player)
        setup = (f"{name}={value}" for name, value in state.ours.setup.items())
        return " ".join([state.ours.game.slug, *setup, *state.played])
