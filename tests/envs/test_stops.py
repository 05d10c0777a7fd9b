"""A game that nobody can win anymore is truncated at that move, in every environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import pytest

import ninefold
import ninefold.envs.gymnasium
from ninefold import Seat, State
from ninefold.envs import evaluate_agent
from ninefold.envs.pettingzoo import AGENTS, env
from ninefold.envs.vector import GameVectorEnv
from tests import stops

GAME = ninefold.load("pattern")
EACH = pytest.mark.parametrize(
    "moves",
    [stops.DEAD_WHEN_PLACED.split(), stops.DEAD_WHEN_RETURNED.split()],
    ids=["placed", "returned"],
)


def actions(moves: Sequence[str]) -> list[int]:
    return [GAME.index(GAME.parse(move)) for move in moves]


@EACH
def test_pettingzoo_truncates_at_that_move(moves: list[str]) -> None:
    table = env("pattern")
    table.reset(seed=1)
    for action in actions(moves):
        assert not any(table.truncations.values())
        table.step(action)
    assert table.truncations == dict.fromkeys(AGENTS, True)
    assert table.terminations == dict.fromkeys(AGENTS, False)
    assert table.rewards == dict.fromkeys(AGENTS, 0)
    assert not table.observe(AGENTS[0])["action_mask"].any()


class Scripted:
    """An opponent that plays every other one of some moves."""

    def __init__(self, moves: Sequence[str]) -> None:
        self.left = [GAME.parse(move) for move in moves]

    def choose(self, state: State[Any], seat: Seat) -> Any:
        return self.left.pop(0)

    def close(self) -> None:
        """Nothing is held."""


@EACH
@pytest.mark.parametrize("seat", ["first", "second"])
def test_gymnasium_truncates_at_that_move(moves: list[str], seat: str) -> None:
    """Whether it is the agent's or the opponent's."""
    own = int(seat == "second")
    table = gymnasium.make("ninefold/Pattern-v0", seat=seat, opponent=Scripted(moves[1 - own :: 2]))
    table.reset(seed=1)
    for count, action in enumerate(actions(moves[own::2]), 1):
        _, reward, terminated, truncated, _ = table.step(action)
        assert (reward, terminated) == (0.0, False)
        assert truncated == (count == len(moves[own::2]))


@EACH
def test_the_vector_environment_truncates_at_that_move(moves: list[str]) -> None:
    replies = iter(actions(moves[1::2]))

    def opponent(observations: Any, masks: Any) -> Any:
        return np.full(3, next(replies))

    envs = GameVectorEnv("pattern", 3, opponent=opponent, seat="first")
    envs.reset(seed=1)
    ours = actions(moves[::2])
    for count, action in enumerate(ours, 1):
        _, rewards, terminated, truncated, _ = envs.step(np.full(3, action))
        assert not rewards.any()
        assert not terminated.any()
        assert truncated.tolist() == [count == len(ours)] * 3


@EACH
def test_openspiel_ends_there_with_nothing_for_either(moves: list[str]) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import ninefold.envs.openspiel  # noqa: F401

    state = pyspiel.load_game("ninefold_pattern").new_initial_state()
    for action in actions(moves):
        assert not state.is_terminal()
        state.apply_action(action)
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]


def test_an_agent_s_report_counts_it_as_cut_off() -> None:
    moves = stops.DEAD_WHEN_PLACED.split()
    ours = iter(actions(moves[::2]))
    found = evaluate_agent(lambda *_: next(ours), "pattern", 1, Scripted(moves[1::2]), positions=0)
    assert (found.games, found.wins, found.cut_off, found.illegal, found.moves) == (1, 0, 1, 0, 5)
