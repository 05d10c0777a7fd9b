"""Many games at once in Gymnasium, over the batched kernel."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray

import ninefold
import ninefold.envs.gymnasium
from ninefold import SLUGS
from ninefold.envs.vector import GameVectorEnv


def legal(observation: dict[str, NDArray[Any]], rng: np.random.Generator) -> NDArray[Any]:
    """A random legal action for each game; 0 where there is none."""
    masks = observation["action_mask"]
    return np.where(masks.any(axis=1), (masks * rng.random(masks.shape)).argmax(axis=1), 0)


@pytest.mark.parametrize("seat", ["first", "second", "random"])
@pytest.mark.parametrize("slug", SLUGS)
def test_it_is_a_vector_environment(slug: str, seat: str) -> None:
    envs = gymnasium.make_vec(
        f"ninefold/{slug.capitalize()}-v0",
        num_envs=64,
        vectorization_mode="vector_entry_point",
        seat=seat,
    )
    rng = np.random.default_rng(1)
    seen, info = envs.reset(seed=1)
    over = np.zeros(64, bool)
    games = wins = 0
    for _ in range(60):
        assert envs.observation_space.contains(seen)
        assert (seen["observation"][:, 0] == info["seat"]).all()
        assert (seen["action_mask"].any(axis=1) == ~over).all()
        before = over
        seen, rewards, terminated, truncated, info = envs.step(legal(seen, rng))
        over = terminated | truncated
        assert not (over & before).any()  # a game that was over has begun again
        assert (rewards[before] == 0).all()
        assert (np.abs(rewards) == terminated).all()
        games += int(over.sum())
        wins += int((rewards > 0).sum())
    assert games > 64
    assert 0 < wins < games
    if seat != "random":
        assert (info["seat"] == (seat == "second")).all()
    envs.close()


def test_a_seed_decides_everything_and_threads_nothing() -> None:
    told = []
    for threads in (1, 3):
        envs = GameVectorEnv("conquest", 1000, threads=threads)
        rng = np.random.default_rng(2)
        seen, _ = envs.reset(seed=4)
        rewards = []
        for _ in range(20):
            seen, reward, *_ = envs.step(legal(seen, rng))
            rewards.append(reward.tolist())
        told.append((seen["observation"].tobytes(), rewards))
    assert told[0] == told[1]


def test_a_function_can_be_the_opponent() -> None:
    asked = []

    def last(seen: NDArray[np.int8], masks: NDArray[np.uint8]) -> NDArray[Any]:
        asked.append(seen[:, 0].copy())
        return np.asarray(masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1))

    envs = GameVectorEnv("cross", 4, opponent=last, seat="first", grid="123456789")
    seen, _ = envs.reset(seed=0)
    for _ in range(3):
        seen, rewards, terminated, _, _ = envs.step(seen["action_mask"].argmax(axis=1))
    # Rows 6 + 15 + 24 against columns 18 + 15 + 12: a tie, which the second player wins.
    assert terminated.all()
    assert (rewards == -1).all()
    assert all((seats == 1).all() for seats in asked)


@pytest.mark.parametrize("action", [0, -1, 6])
def test_an_illegal_move_loses(action: int) -> None:
    envs = GameVectorEnv("cross", 2, seat="first")
    envs.reset(seed=0)
    envs.step(np.array([0, 0]))
    _, rewards, terminated, _, _ = envs.step(np.array([action, action]))
    assert (rewards.tolist(), terminated.tolist()) == ([-1, -1], [True, True])


def test_a_game_that_goes_on_is_truncated() -> None:
    envs = GameVectorEnv("pattern", 8, turns=4, seat="first")
    seen, _ = envs.reset(seed=3)
    rng = np.random.default_rng(1)
    for _ in range(2):
        seen, rewards, terminated, truncated, _ = envs.step(legal(seen, rng))
    assert truncated.all()
    assert not terminated.any()
    assert not rewards.any()


@pytest.mark.parametrize("how", [{"seat": "third"}, {"opponent": "perfect"}, {"target": 9}])
def test_what_cannot_be_set_up_is_refused(how: dict[str, Any]) -> None:
    with pytest.raises(ninefold.SetupError):
        GameVectorEnv("shadow", 2, **how)
