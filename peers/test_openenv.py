"""OpenEnv's own server and client run our episodes, with the prompts and scores of our own runner."""

from __future__ import annotations

from collections.abc import Iterator
from socket import socket
from threading import Thread
from time import monotonic, sleep
from typing import Any

import pytest
import uvicorn
from openenv import GenericEnvClient
from peers.episodes import COUNT, GAMES, asked, expected, script

from ninefold import SetupError
from ninefold.text.openenv_server import PositionEnvironment, app

SETS = {"games": [*GAMES], "count": COUNT}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error"))
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    until = monotonic() + 60
    while not server.started and monotonic() < until:
        sleep(0.05)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join()


def test_prompts_and_scores_are_those_of_our_own_runner(address: str) -> None:
    lines = expected()
    with GenericEnvClient(base_url=address).sync() as env:
        for question in asked():
            said: Any = env.reset(
                seed=1, **SETS, twin=str(question.twin), retries=1, question=question.id
            )
            for text in script(question):
                assert not said.done
                assert said.reward is None
                said = env.step({"text": text})
            line = lines[question.id]
            assert said.done
            assert said.reward == -line["regret"]
            assert said.observation["failure"] == line["failure"]
            assert said.observation["messages"] == line["prompt"]


@pytest.mark.parametrize(
    "wrong", [{"question": "cross-99"}, {"count": 0}, {"count": 10**7}, {"retries": -1}, {"games": ["x"]}]
)
def test_what_cannot_be_asked_is_refused_with_a_sentence(wrong: dict[str, Any]) -> None:
    with pytest.raises(SetupError):
        PositionEnvironment().reset(seed=1, **{**SETS, **wrong})


def test_a_seed_asks_the_same_in_every_session(address: str) -> None:
    with (
        GenericEnvClient(base_url=address).sync() as one,
        GenericEnvClient(base_url=address).sync() as two,
    ):
        drawn = []
        for seed in range(12):
            first, second = (env.reset(seed=seed, **SETS).observation for env in (one, two))
            assert first == second
            drawn.append(first["question"])
        assert len(set(drawn)) > 4
        one.step({"text": "Answer: nothing"})  # the other session goes on
        assert two.step({"text": "Answer: nothing"}).done
