"""One-hot planes on request, in every environment: the same observation, written in another way."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pyspiel
import pytest

import ninefold.envs.openspiel  # noqa: F401
from ninefold import SLUGS
from ninefold.envs.gymnasium import GameEnv
from ninefold.envs.ids import spiel_name
from ninefold.envs.pettingzoo import AGENTS, env, parallel_env
from ninefold.envs.vector import GameVectorEnv

LOW = -9  # the value of the first plane


def numbers(planes: Any) -> list[int]:
    """The observation that the planes stand for."""
    assert set(np.unique(planes).tolist()) == {0, 1}
    assert (planes.sum(axis=-2) == 1).all()
    found: list[int] = (planes.argmax(axis=-2) + LOW).tolist()
    return found


@pytest.mark.parametrize("slug", SLUGS)
def test_pettingzoo_s_planes_are_the_observation(slug: str) -> None:
    plain, planes = env(slug), env(slug, planes=True)
    for table in (plain, planes):
        table.reset(seed=3)
        table.step(int(table.observe(table.agent_selection)["action_mask"].argmax()))
    for agent in AGENTS:
        compare(plain.observe(agent), planes.observe(agent), planes.observation_space(agent))


def test_the_parallel_environment_s_planes_are_the_observation() -> None:
    plain, planes = parallel_env("conquest"), parallel_env("conquest", planes=True)
    for agent in AGENTS:
        one, other = (table.reset(seed=3)[0][agent] for table in (plain, planes))
        compare(one, other, planes.observation_space(agent))


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("kind", [GameEnv, GameVectorEnv])
def test_gymnasium_s_planes_are_the_observation(kind: Any, slug: str) -> None:
    plain, planes = (kind(slug, planes=wanted, seat="second") for wanted in (False, True))
    compare(plain.reset(seed=5)[0], planes.reset(seed=5)[0], planes.observation_space)


def compare(plain: Any, planes: Any, space: Any) -> None:
    assert space.contains(planes)
    assert numbers(planes["observation"]) == plain["observation"].tolist()
    assert (plain["action_mask"] == planes["action_mask"]).all()


@pytest.mark.parametrize("slug", SLUGS)
def test_planes_are_the_tensor(slug: str) -> None:
    plain, planes = (pyspiel.load_game(f"{spiel_name(slug)}({how})") for how in ("", "planes=True"))
    for player in (0, 1):
        one, other = (game.new_initial_state() for game in (plain, planes))
        shaped = np.array(other.observation_tensor(player)).reshape(planes.observation_tensor_shape())
        assert numbers(shaped) == one.observation_tensor(player)


def test_an_id_that_names_its_module_needs_no_import() -> None:
    code = "import gymnasium; gymnasium.make('ninefold.envs.gymnasium:ninefold/Cross-v0').reset(seed=1)"
    subprocess.run([sys.executable, "-c", code], check=True)
