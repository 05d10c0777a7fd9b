"""Many games at once for Gymnasium: a native vector environment over ninefold.batch.

`gymnasium.make_vec("ninefold/Shadow-v0", num_envs=4096, vectorization_mode="vector_entry_point")`
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ninefold.batch import CUT_OFF, LIMIT, NO_ACTION, NOBODY, ON, WON, Batch
from ninefold.core.seat import SEATS
from ninefold.envs.agents import as_planes, read_seat, seat_agent, takes_observations
from ninefold.envs.batched import choose_rows
from ninefold.envs.observations import Observation, observation_space
from ninefold.envs.truth import supervision
from ninefold.players import Chooser, PlayerFailed, policy_of
from ninefold.study.answers import distribution_of, draw_action
from ninefold.study.episode import refusal


class GameVectorEnv(VectorEnv[Observation, NDArray[Any], NDArray[Any]]):
    """One agent in many games, each like GameEnv. A game that is over begins again at the next step.

    Players of ours choose in all games at once, and so do models and functions of observations and masks.
    Any other opponent is asked game by game: a program, a function of a state and a seat, or any other
    agent (see ninefold.envs.agents). An opponent that fails, or takes more than `seconds`, loses, and the
    info says why. With `truth`, infos hold exact values; with `planes`, observations are one-hot.
    """

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
        planes: bool = False,
        seconds: float | None = None,
        **setup: Any,
    ) -> None:
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.truth = truth
        self.planes = planes
        self._seconds = seconds
        self._opponent = opponent
        self._ours = isinstance(opponent, str) and policy_of(opponent) is not None
        self._many = takes_observations(opponent)
        self._player = None if self._ours or self._many else seat_agent(opponent, Random(), seconds)
        self._wanted = read_seat(seat)
        self._batch_options: dict[str, Any] = {"limit": limit, "threads": threads}
        self._slug, self._setup = slug, setup
        self._rngs: list[np.random.Generator] | None = None  # by game, where each has a seed
        self._make_batch(setup)
        actions = len(self.batch.game.moves)
        self.seats = np.zeros(num_envs, np.int8)
        space: spaces.Space[Any] = observation_space(self.batch.game, actions, planes)
        self.single_observation_space = space
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
        if not self._ours:
            rngs = self._rngs or [self.np_random] * self.num_envs
            self._streams = [Random(int(rng.integers(2**62))) for rng in rngs]
        self._failed = [""] * self.num_envs  # why the opponent lost
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
        for game in np.flatnonzero(begins).tolist():
            self._failed[game] = ""
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
            if self._opponent == "random":  # what its policy says, without computing the probabilities
                replies = batch.sample()
            elif self._ours:
                replies = self._draw(batch.policies(self._opponent))
            else:
                replies = np.full(self.num_envs, NO_ACTION)
                games = np.flatnonzero(waiting).tolist()
                for game, reply in zip(games, self._ask(games), strict=True):
                    replies[game] = self._check_reply(game, reply)
            batch.step(np.where(waiting, replies, NO_ACTION).astype(np.int32))

    def _check_reply(self, game: int, reply: int | PlayerFailed) -> int:
        """The opponent's action. If it failed or is not legal, the opponent loses, and why is kept."""
        if isinstance(reply, int):
            if 0 <= reply < self.batch.masks.shape[1] and self.batch.masks[game, reply]:
                return reply
            seat = SEATS[self.batch.movers[game]]
            self._failed[game] = refusal(self.batch.state(game), reply, seat)
        else:
            self._failed[game] = str(reply)
        return len(self.batch.game.moves)  # not a move, so it loses

    def _draw(self, probabilities: NDArray[np.float64]) -> NDArray[Any]:
        """An action for each game; 0 where none is possible."""
        cumulative = probabilities.cumsum(axis=1)
        rngs = self._rngs
        drawn = self.np_random.random(self.num_envs) if rngs is None else [rng.random() for rng in rngs]
        return np.asarray((cumulative > (np.asarray(drawn) * cumulative[:, -1])[:, None]).argmax(axis=1))

    def _ask(self, games: list[int]) -> Sequence[int | PlayerFailed]:
        """The opponent's actions in these games, drawn from each game's own random numbers."""
        rngs = [self._streams[game] for game in games]
        self.batch.look()
        if self._player is None:
            seen, masks = self.batch.observations[games], self.batch.masks[games].astype(np.int8)
            return choose_rows(self._opponent, self.batch.game, seen, masks, rngs, self._seconds)
        return [self._ask_one(self._player, game, rng) for game, rng in zip(games, rngs, strict=True)]

    def _ask_one(self, player: Chooser, game: int, rng: Random) -> int | PlayerFailed:
        state, seat = self.batch.state(game).open_state, SEATS[self.batch.movers[game]]
        try:
            return draw_action(distribution_of(player, state, seat), rng)
        except PlayerFailed as error:
            return error

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal in each game."""
        return np.array(self.batch.masks, bool)

    def _observe(self) -> Observation:
        self.batch.look(self.seats)
        seen = np.array(self.batch.observations, np.int8)
        return {
            "observation": as_planes(self.batch.game, seen) if self.planes else seen,
            "action_mask": np.array(self.batch.masks, np.int8),
        }

    def _info(self, illegal: NDArray[np.bool_], actions: NDArray[Any]) -> dict[str, Any]:
        """All games' infos in Gymnasium's format: `_key` says which games have a value for a key."""
        info: dict[str, Any] = {"seat": self.seats.copy()}
        failed = np.array([bool(why) for why in self._failed]) if any(self._failed) else np.False_
        if illegal.any() or failed.any():
            reasons = [f"Action {action} was not legal." for action in actions]
            said = np.where(illegal, reasons, self._failed)
            info |= {"illegal": said, "_illegal": illegal | failed}
        if self.truth:
            choosing = self.batch.masks.any(axis=1)
            value = np.full(self.num_envs, np.nan)
            policy, regrets = np.zeros(self.batch.masks.shape), np.full(self.batch.masks.shape, np.nan)
            for game in np.flatnonzero(choosing):
                truth = supervision(self.batch.state(int(game)).open_state, SEATS[self.seats[game]])
                value[game], policy[game], regrets[game] = truth.values()
            for name, found in (("value", value), ("policy", policy), ("regrets", regrets)):
                info |= {name: found, f"_{name}": choosing}
        return info

    def close_extras(self, **kwargs: Any) -> None:
        """Stop the opponent if it is a program."""
        if self._player is not None:
            self._player.close()
