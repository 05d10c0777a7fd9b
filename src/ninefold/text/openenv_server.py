"""Positions as an environment of OpenEnv, for whatever reaches one by its address.

    uvicorn ninefold.text.openenv_server:app

An episode is one decision: `reset` asks, `step` takes the model's answer. The reward is minus the exact
regret, so it is 0 for a best move; an answer that failed and may be corrected gets no reward yet.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from threading import Lock
from typing import Any
from uuid import uuid4

from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State

from ninefold.core.errors import SetupError
from ninefold.games import SLUGS
from ninefold.study.positions import COUNT
from ninefold.text.episode import TextEpisode
from ninefold.text.prompt import Message, TextTask
from ninefold.text.runs import TextQuestion, questions
from ninefold.text.twins import Twin

SESSIONS = 64  # at the same time
MOST = 1000  # positions per game: whoever asks for a large set makes the other sessions wait
LOCK = Lock()  # held while sets are made


@lru_cache(maxsize=32)
def _find(
    games: tuple[str, ...], count: int, seed: int, task: TextTask, twin: Twin
) -> dict[str, TextQuestion]:
    sets = questions(games, count, seed, [task], [twin])
    return {one.id: one for one in sets if one.twin is twin}


class AnswerAction(Action):  # type: ignore[misc]
    text: str


class AskedObservation(Observation):  # type: ignore[misc]
    messages: list[Message]  # all that was said so far; the last one asks
    failure: str = ""
    question: str = ""  # which one it is


class PositionEnvironment(Environment[AnswerAction, AskedObservation, State]):  # type: ignore[misc]
    """One position per episode. The same seed asks the same question, in every session."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._rng, self._state = Random(), State()
        self._episode: TextEpisode | None = None

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any
    ) -> AskedObservation:
        """Ask a question, drawn by the seed.

        Settings: `games`, `count` and `set_seed` choose the sets, `twin` and `listed` what is asked,
        `retries` how often an answer that failed may be corrected, and `question` names one of them.
        Raises SetupError.
        """
        rng = self._rng if seed is None else Random(seed)
        task = TextTask(bool(kwargs.get("listed")), retries=int(kwargs.get("retries", 0)))
        games, twin = tuple(kwargs.get("games", SLUGS)), Twin(kwargs.get("twin", ""))
        count, set_seed = int(kwargs.get("count", COUNT)), int(kwargs.get("set_seed", 0))
        if count > MOST:
            raise SetupError(f"A set has at most {MOST:,} positions per game here.")
        with LOCK:
            found = _find(games, count, set_seed, task, twin)
        name = kwargs.get("question") or rng.choice([*found] or [""])
        if name not in found:
            raise SetupError("There is no such question in these sets.")
        asked = found[name]
        self._state = State(episode_id=episode_id or str(uuid4()))
        self._question = asked.id
        self._episode = TextEpisode.of(asked.position, asked.task, asked.twin)
        return self._observe(self._episode)

    def step(
        self, action: AnswerAction, timeout_s: float | None = None, **kwargs: Any
    ) -> AskedObservation:
        if self._episode is None or self._episode.done:
            raise ValueError("The episode is over: reset to begin another one.")
        self._episode.hear(action.text)
        self._state.step_count += 1
        return self._observe(self._episode)

    def _observe(self, episode: TextEpisode) -> AskedObservation:
        return AskedObservation(
            messages=episode.messages,
            failure=str(episode.failure or ""),
            question=self._question,
            done=episode.done,
            reward=-float(episode.regret) if episode.done else None,
        )

    @property
    def state(self) -> State:
        return self._state


app = create_app(
    PositionEnvironment, AnswerAction, AskedObservation, "ninefold", max_concurrent_envs=SESSIONS
)
