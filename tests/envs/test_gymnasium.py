"""The games in Gymnasium: its own checker, opponents, seats, vectors."""

from __future__ import annotations

import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import ninefold
import ninefold.envs.gymnasium  # registers the ids
from ninefold import SLUGS, Seat
from ninefold.envs.ids import env_id
from tests.setups import Setup
from tests.setups import every_table as every_setup


def make(slug: str, **how: Any) -> gymnasium.Env[Any, Any]:
    return gymnasium.make(env_id(slug), disable_env_checker=True, **how).unwrapped


def finish(env: gymnasium.Env[Any, Any], seed: int) -> list[Any]:
    """A game with random legal moves: everything that the agent was told."""
    rng = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    told: list[Any] = [(observation["observation"].tolist(), info)]
    over = False
    while not over:
        action = rng.choice(np.flatnonzero(observation["action_mask"]))
        observation, reward, terminated, truncated, info = env.step(action)
        told.append((observation["observation"].tolist(), reward, terminated, truncated, info))
        over = terminated or truncated
    return told


@every_setup
def test_gymnasium_finds_nothing_wrong(slug: str, setup: Setup) -> None:
    check_env(make(slug, **setup))
    for mode in ("ansi", "rgb_array"):
        check_env(make(slug, render_mode=mode, **setup))


@pytest.mark.parametrize("slug", SLUGS)
def test_a_seed_decides_everything(slug: str) -> None:
    assert finish(make(slug), 3) == finish(make(slug), 3)
    assert finish(make(slug), 3) != finish(make(slug), 4)


@pytest.mark.parametrize("opponent", ["random", "greedy", "level:3", "perfect"])
@pytest.mark.parametrize("slug", ["battle", "conquest", "cross"])
def test_any_player_can_be_the_opponent(slug: str, opponent: str) -> None:
    for seat in ("first", "second"):
        told = finish(make(slug, opponent=opponent, seat=seat), 1)
        assert told[-1][1] in (1.0, -1.0)
        assert {line[-1]["seat"] for line in told} == {seat == "second"}


def test_the_perfect_opponent_never_loses_a_won_game() -> None:
    env = make("battle", opponent="perfect", seat="second")  # the first player wins every battle
    for seed in range(20):
        assert finish(env, seed)[-1][1] == -1.0


def test_a_random_seat_is_drawn_for_each_game() -> None:
    env = make("cross")
    env.reset(seed=1)
    assert {env.reset()[1]["seat"] for _ in range(30)} == {0, 1}


def test_a_program_that_breaks_down_loses() -> None:
    env = make("cross", opponent=f"program:{sys.executable} -c pass", seat="first")
    env.reset(seed=0)
    _, reward, terminated, _, info = env.step(0)
    assert (reward, terminated) == (1.0, True)
    assert "The program has stopped" in info["illegal"]
    env.close()


def test_an_illegal_move_loses() -> None:
    env = make("cross", seat="first")
    env.reset(seed=0)
    env.step(0)
    _, reward, terminated, _, info = env.step(0)
    assert (reward, terminated) == (-1.0, True)
    assert "Row1 has already been claimed" in info["illegal"]


@pytest.mark.parametrize(
    ("seat", "place"), [(0, 0), (1, 1), (Seat.SECOND, 1), (np.int64(1), 1), ("second", 1)]
)
def test_a_seat_may_be_a_number(seat: Any, place: int) -> None:
    assert make("cross", seat=seat).reset(seed=1)[1]["seat"] == place


def test_an_agent_can_be_the_opponent() -> None:
    def looks(observation: Any, mask: Any) -> Any:
        return mask.argmax()

    told = [
        finish(make("conquest", opponent=opponent, size=2), 3)
        for opponent in (lambda state, seat: state.moves(seat)[0], looks)
    ]
    assert told[0] == told[1]
    with pytest.raises(ninefold.SetupError, match="is not an agent"):
        make("cross", opponent=3)


def test_the_options_of_a_reset_are_for_one_game() -> None:
    env = make("shadow", seat="first", target=12)
    observation, info = env.reset(seed=1, options={"target": 17, "seat": "second"})
    assert (observation["observation"][11], info["seat"]) == (17, 1)
    observation, info = env.reset(seed=1)
    assert (observation["observation"][11], info["seat"]) == (12, 0)
    with pytest.raises(ninefold.SetupError):
        env.reset(options={"size": 3})


def test_maskable_algorithms_can_ask_for_the_mask() -> None:
    env = gymnasium.make("ninefold/Shadow-v0")
    observation, _ = env.reset(seed=1)
    masks = env.get_wrapper_attr("action_masks")()
    assert masks.dtype == bool
    assert (masks == observation["action_mask"].astype(bool)).all()


@pytest.mark.parametrize("how", [{"seat": "third"}, {"opponent": "person"}, {"target": 9}, {"size": 3}])
def test_what_cannot_be_set_up_is_refused(how: dict[str, Any]) -> None:
    with pytest.raises(ninefold.SetupError):
        make("shadow", **how)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_vector_of_environments_can_be_made(slug: str) -> None:
    envs = gymnasium.make_vec(env_id(slug), num_envs=3, vectorization_mode="sync")
    observation, _ = envs.reset(seed=1)
    for _ in range(12):
        legal = [np.flatnonzero(mask)[:1] for mask in observation["action_mask"]]
        actions = np.array([first[0] if len(first) else 0 for first in legal])
        observation, *_ = envs.step(actions)
    assert observation["action_mask"].shape == (3, len(ninefold.load(slug).moves))
    envs.close()


def test_the_truth_comes_with_an_observation_on_request() -> None:
    env = make("conquest", size=2, truth=True, seat="first")
    _, info = env.reset(seed=0)
    assert info["value"] == pytest.approx(457 / 700)  # see docs/results.md
    assert info["policy"].sum() == pytest.approx(1)
    assert np.nanmin(info["regrets"]) == 0
    assert (np.isnan(info["regrets"]) == ~env.get_wrapper_attr("action_masks")()).all()
