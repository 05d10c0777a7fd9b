"""Many games at once for Gymnasium: a native vector environment over ninefold.batch.

`gymnasium.make_vec("ninefold/Shadow-v0", num_envs=4096, vectorization_mode="vector_entry_point")`
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ninefold.batch import CUT_OFF, LIMIT, NO_ACTION, NOBODY, ON, WON, Batch
from ninefold.batch.plain import PlainGames
from ninefold.core.seat import SEATS
from ninefold.envs.agents import AgentPlayer, Decide, decision_function
from ninefold.envs.episode import read_seat
from ninefold.envs.observations import Observation, observation_space
from ninefold.envs.truth import supervision
from ninefold.players import PlayerFailed, kind

IN_KERNEL = ("random", "perfect", "level")  # players that choose in all games at once
BatchAgent = Callable[
    [NDArray[np.int8], NDArray[np.uint8]], NDArray[Any]
]  # observations, masks -> actions


class GameVectorEnv(VectorEnv[Observation, NDArray[Any], NDArray[Any]]):
    """One agent in many games, each like GameEnv. A game that is over begins again at the next step.

    The fastest opponents choose in all games at once: `random`, `perfect`, a level, or a function of all
    observations and masks. Any other is asked game by game: another player's name, a function of a state
    and a `seat`, or any other agent (see ninefold.envs.agents). Asking game by game and `truth` need
    positions, so the rules play the games then, not the kernel; the games stay the same.
    """

    _decide: Decide | None = None  # asked game by game
    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        slug: str,
        num_envs: int = 1,
        opponent: Any = "random",
        seat: str | int = "random",
        limit: int = LIMIT,
        threads: int = 1,
        render_mode: str | None = None,
        truth: bool = False,
        **setup: Any,
    ) -> None:
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.truth = truth
        self._batch_agent: BatchAgent | None = opponent if _takes_arrays(opponent) else None
        self._name = kind(opponent) if isinstance(opponent, str) else ""
        if self._batch_agent is None and not self._name.startswith(IN_KERNEL):
            self._decide = decision_function(opponent)
        self._wanted = read_seat(seat)
        plain = self._decide is not None or truth
        self._batch_options: dict[str, Any] = {"limit": limit, "threads": threads, "plain": plain}
        self._slug, self._setup = slug, setup
        self._rngs: list[np.random.Generator] | None = None  # by game, where each has a seed
        self._make_batch(setup)
        actions = len(self.batch.game.moves)
        self.seats = np.zeros(num_envs, np.int8)
        self.single_observation_space: spaces.Space[Any] = observation_space(self.batch.game, actions)
        self.single_action_space: spaces.Space[Any] = spaces.Discrete(actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def _make_batch(self, setup: dict[str, Any]) -> None:
        self.batch = Batch(self._slug, self.num_envs, **self._batch_options, **setup)
        self._setup_in_use = setup

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin all games, from one seed or one per game; options are a seat and settings for them."""
        settings = dict(options or {})
        self._seat_in_use = read_seat(settings.pop("seat")) if "seat" in settings else self._wanted
        if (setup := {**self._setup, **settings}) != self._setup_in_use:
            self._make_batch(setup)
        if seed is None or isinstance(seed, int):
            super().reset(seed=seed)
            self._rngs = None
            self.batch.reset(int(self.np_random.integers(2**62)))
        else:
            seeds = [int(self.np_random.integers(2**62)) if one is None else int(one) for one in seed]
            self._rngs = [np.random.default_rng(one) for one in seeds]
            self.batch.reset(seeds)
        self._choose_seats(np.ones(self.num_envs, bool))
        self._let_opponent_play()
        return self._observe(), self._info(np.zeros(self.num_envs, bool), self.seats)

    def _choose_seats(self, where: NDArray[np.bool_]) -> None:
        if self._seat_in_use is not None:
            self.seats[where] = self._seat_in_use
        elif self._rngs is None:
            self.seats[where] = self.np_random.integers(0, 2, int(where.sum()), np.int8)
        else:
            for game in np.flatnonzero(where):
                self.seats[game] = self._rngs[game].integers(2)

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        batch = self.batch
        begins = batch.status != ON
        refused = len(batch.game.moves)  # not a move: an agent must not pass NO_ACTION and skip its turn
        chosen = np.asarray(actions)
        chosen = np.where((chosen < 0) | (chosen > refused), refused, chosen).astype(np.int32)
        legal = np.append(batch.masks, np.zeros((self.num_envs, 1), np.uint8), axis=1)
        illegal = ~begins & (legal[np.arange(self.num_envs), chosen] == 0)
        batch.step(chosen)
        self._choose_seats(begins)
        self._let_opponent_play()
        rewards = np.where(batch.winners == NOBODY, 0.0, np.where(batch.winners == self.seats, 1.0, -1.0))
        over = batch.status == WON, batch.status == CUT_OFF
        return self._observe(), rewards, *over, self._info(illegal, np.asarray(actions))

    def _let_opponent_play(self) -> None:
        """Let the opponent play until it is the agent's turn in every game that goes on."""
        batch = self.batch
        while (waiting := (batch.status == ON) & (batch.movers != self.seats)).any():
            if self._decide is not None:
                replies = np.full(self.num_envs, NO_ACTION)
                replies[waiting] = [self._ask(game) for game in np.flatnonzero(waiting).tolist()]
            elif self._batch_agent is not None:
                batch.look()
                replies = np.asarray(self._batch_agent(batch.observations, batch.masks))
            elif self._name == "random":
                replies = batch.sample()
            else:
                replies = self._draw(batch.policies(self._name))
            batch.step(np.where(waiting, replies, NO_ACTION).astype(np.int32))

    def _draw(self, probabilities: NDArray[np.float64]) -> NDArray[Any]:
        """An action for each game; 0 where none is possible."""
        cumulative = probabilities.cumsum(axis=1)
        rngs = self._rngs
        drawn = self.np_random.random(self.num_envs) if rngs is None else [rng.random() for rng in rngs]
        return np.asarray((cumulative > (np.asarray(drawn) * cumulative[:, -1])[:, None]).argmax(axis=1))

    def _ask(self, game: int) -> int:
        """The opponent's action in one game, drawn from the game's own random numbers."""
        assert self._decide is not None
        row = self._games.rows[game]
        try:
            return AgentPlayer(self._decide, row.stream).choose(row.state.open_state, row.mover)
        except PlayerFailed:
            return len(self.batch.game.moves)  # not a move, so it loses

    @property
    def _games(self) -> PlainGames:
        games = self.batch._games
        assert isinstance(games, PlainGames)
        return games

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal in each game."""
        return np.array(self.batch.masks, bool)

    def _observe(self) -> Observation:
        self.batch.look(self.seats)
        return {
            "observation": np.array(self.batch.observations, np.int8),
            "action_mask": np.array(self.batch.masks, np.int8),
        }

    def _info(self, illegal: NDArray[np.bool_], actions: NDArray[Any]) -> dict[str, Any]:
        """All games' infos in Gymnasium's format: `_key` says which games have a value for a key."""
        info: dict[str, Any] = {"seat": self.seats.copy()}
        if illegal.any():
            reasons = [f"Action {action} was not legal." for action in actions]
            info |= {"illegal": np.where(illegal, reasons, ""), "_illegal": illegal}
        if self.truth:
            choosing = self.batch.masks.any(axis=1)
            value = np.full(self.num_envs, np.nan)
            policy = np.zeros(self.batch.masks.shape)
            for game in np.flatnonzero(choosing):
                truth = supervision(self._games.rows[game].state.open_state, SEATS[self.seats[game]])
                value[game], policy[game] = truth["value"], truth["policy"]
            info |= {"value": value, "_value": choosing, "policy": policy, "_policy": choosing}
        return info

    def close_extras(self, **kwargs: Any) -> None:
        """Stop the opponent if it is a program."""
        owner = getattr(self._decide, "__self__", None)
        if owner is not None and hasattr(owner, "close"):
            owner.close()


def _takes_arrays(opponent: Any) -> bool:
    """Whether an opponent is a function of all observations and masks at once."""
    agents = ("predict", "choose", "restart", "action_probabilities")
    if not callable(opponent) or any(hasattr(opponent, name) for name in agents):
        return False
    try:
        return "seat" not in signature(opponent).parameters
    except ValueError:
        return True
