"""Third-party code, unmodified, on our games: `make test-peers` runs this in its own environment."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest

import ninefold
import ninefold.envs.gymnasium
import ninefold.envs.openspiel
from ninefold import SLUGS
from ninefold.analysis import evaluate
from ninefold.envs import evaluate_agent, exploitability
from ninefold.envs.pettingzoo import env, parallel_env

every_game = pytest.mark.parametrize("slug", SLUGS)
ROOT = Path(__file__).parent.parent
SMALL = "ninefold_conquest(size=2,first_hand=123,second_hand=123)"


def make(slug: str, **how: Any) -> Any:
    return gymnasium.make(f"ninefold/{slug.capitalize()}-v0", **how)


@every_game
def test_stable_baselines_finds_nothing_wrong(slug: str) -> None:
    from stable_baselines3.common.env_checker import check_env

    check_env(make(slug).unwrapped, warn=False)


@every_game
def test_maskable_ppo_learns_only_legal_moves_and_its_model_is_an_agent(slug: str) -> None:
    from sb3_contrib import MaskablePPO

    model = MaskablePPO("MultiInputPolicy", make(slug), n_steps=64, batch_size=32, n_epochs=1, seed=1)
    model.learn(128)
    report = evaluate_agent(model, slug, 4, "random")
    assert (report.games, report.forfeits) == (4, 0)


def test_ppo_without_masks_is_an_agent_that_forfeits() -> None:
    from stable_baselines3 import PPO

    model = PPO("MultiInputPolicy", make("shadow"), n_steps=64, batch_size=32, seed=1, device="cpu")
    report = evaluate_agent(model, "shadow", 6, "random")
    assert report.forfeits == sum(game.forfeited is game.seat for game in report.played) > 0


def test_the_example_of_self_play_learns() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "selfplay.py", "--steps", "6000"],
        capture_output=True,
        text=True,
        check=True,
    )
    before, after = (float(line.split("regret ")[1].split()[0]) for line in done.stdout.splitlines())
    assert after < before


@every_game
def test_tianshou_collects_games(slug: str) -> None:
    from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
    from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv, PettingZooEnv

    wrapped = PettingZooEnv(env(slug))
    algorithms = [
        MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=wrapped.action_space) for _ in range(2)
    ]
    both = MultiAgentOffPolicyAlgorithm(algorithms=algorithms, env=wrapped)
    many = DummyVectorEnv([lambda: PettingZooEnv(env(slug)) for _ in range(2)])
    collector = Collector(both, many, VectorReplayBuffer(20_000, 2))
    collector.reset()
    found = collector.collect(n_episode=6)
    assert found.n_collected_episodes == 6
    assert (np.abs(found.returns).max(axis=1) <= 1).all()


@every_game
def test_rllib_wraps_the_games(slug: str) -> None:
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv

    wrapped = PettingZooEnv(env(slug))
    seen, _ = wrapped.reset(seed=1)
    over, total = False, 0.0
    while not over:
        ((agent, observation),) = seen.items()
        action = int(np.flatnonzero(observation["action_mask"])[0])
        seen, rewards, terminated, truncated, _ = wrapped.step({agent: action})
        total += sum(rewards.values())
        over = terminated["__all__"] or truncated["__all__"]
    assert abs(total) <= 1


def test_rllib_wraps_the_parallel_game() -> None:
    from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv

    wrapped = ParallelPettingZooEnv(parallel_env("conquest", size=2))
    seen, _ = wrapped.reset(seed=1)
    for _ in range(40):
        actions = {agent: int(np.flatnonzero(s["action_mask"])[-1]) for agent, s in seen.items()}
        seen, _, terminated, _, _ = wrapped.step(actions)
        if terminated["__all__"]:
            break
    assert terminated["__all__"]


def test_openspiels_cfr_finds_the_value_of_a_small_conquest() -> None:
    from open_spiel.python.algorithms import cfr
    from open_spiel.python.algorithms import exploitability as spiel

    game = pyspiel.convert_to_turn_based(
        pyspiel.load_game(f"{SMALL[:-1]},start=claim:1 claim:2 claim:3)")
    )
    solver = cfr.CFRPlusSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    assert spiel.nash_conv(game, solver.average_policy()) < 0.1
    start = pyspiel.load_game(f"{SMALL[:-1]},start=claim:1 claim:2 claim:3)").new_initial_state().ours
    value = evaluate(start).first_wins
    found = expected(game.new_initial_state(), solver.average_policy())
    assert found == pytest.approx(float(2 * value - 1), abs=0.05)


def expected(state: Any, policy: Any) -> float:
    """The first player's expected return when both follow a policy."""
    if state.is_terminal():
        return float(state.returns()[0])
    parts = policy.action_probabilities(state)
    return sum(part * expected(state.child(action), policy) for action, part in parts.items())


def test_openspiels_mcts_is_an_agent() -> None:
    from open_spiel.python.algorithms import mcts

    rng = np.random.RandomState(1)
    game = pyspiel.load_game("ninefold_cross(grid=792415863)")
    bot = mcts.MCTSBot(game, 2.0, 100, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    report = evaluate_agent(bot, "cross", 10, "random", grid="792415863")
    assert report.forfeits == 0
    assert report.win_rate > 0.5


def test_openspiels_policies_are_agents() -> None:
    from open_spiel.python.policy import UniformRandomPolicy

    policy = UniformRandomPolicy(pyspiel.load_game("ninefold_cross(grid=792415863)"))
    assert exploitability(policy, "cross", grid="792415863") == exploitability(
        "random", "cross", grid="792415863"
    )


def test_positions_are_information_states() -> None:
    """There are few enough for tabular algorithms; sequences of moves would be too many."""
    from open_spiel.python.policy import TabularPolicy

    game = pyspiel.load_game("ninefold_cross(grid=792415863)")
    assert len(TabularPolicy(game).state_lookup) == 1 + 6 + 30 + 60 + 90 + 60
    assert ninefold.load("cross").start(grid="792415863").longest() == game.max_game_length()
