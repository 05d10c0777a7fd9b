"""The games in PettingZoo: its own conformance tests, and what they do not look at."""

from __future__ import annotations

import copy
import subprocess
import sys
from random import Random

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

import ninefold
from ninefold import SEATS, SLUGS, Seat, State
from ninefold.envs.ids import env_id
from ninefold.envs.pettingzoo import AGENTS, GameEnv, env, parallel_env
from tests.setups import Setup
from tests.setups import every_table as every_setup

# PettingZoo's tests know by name which of its own games observe a dictionary, and warn of all others.
OBSERVES_A_DICTIONARY = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
)
every_game = pytest.mark.parametrize("slug", SLUGS)


def play(game_env: GameEnv, rng: Random, moves: int = 10**6) -> list[object]:
    """Play at random, at most so many moves; everything that was seen on the way."""
    seen: list[object] = []
    for agent in game_env.agent_iter(moves):
        observation, reward, terminated, truncated, info = game_env.last()
        mask = observation["action_mask"]
        seen.append(
            (agent, observation["observation"].tobytes(), mask.tobytes(), reward, terminated, info)
        )
        over = terminated or truncated
        game_env.step(None if over else int(rng.choice(np.flatnonzero(mask))))
    return seen


@every_setup
@OBSERVES_A_DICTIONARY
def test_pettingzoo_finds_nothing_wrong(slug: str, setup: Setup) -> None:
    api_test(env(slug, **setup), num_cycles=120)


@every_game
def test_a_seed_decides_everything(slug: str) -> None:
    seed_test(lambda: env(slug), num_cycles=50)


@every_game
def test_every_render_mode_renders(slug: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda **how: env(slug, **how))
    assert capsys.readouterr().out


has_registry = pytest.mark.skipif(
    not hasattr(pettingzoo, "register"), reason="this PettingZoo has no registry"
)


@has_registry
@every_game
def test_the_games_are_in_pettingzoos_registry(slug: str) -> None:
    game_env = pettingzoo.make("aec", env_id(slug), limit=7)
    assert isinstance(game_env, GameEnv)
    assert (game_env.episode.game.slug, game_env.episode.limit) == (slug, 7)


@has_registry
def test_a_game_in_which_both_choose_at_once_is_in_the_other_registry_too() -> None:
    game_env = pettingzoo.make("parallel", "ninefold/Conquest-v0", size=2)
    assert game_env.reset(seed=1)[0]["player_0"]["observation"][-1] == 2
    assert [name for name in pettingzoo.parallel_registry if "ninefold" in name] == [
        "ninefold/Conquest-v0",
        "ninefold/ConquestFair-v0",
    ]


def test_the_options_of_a_reset_are_settings_for_one_game() -> None:
    game_env = env("shadow", target=12)
    for options, target in (({"target": 17}, 17), (None, 12), ({"anything": 1}, 12)):
        game_env.reset(seed=1, options=options)
        assert game_env.observe("player_0")["observation"][11] == target


def test_a_position_can_be_drawn_as_text_without_numpy() -> None:
    code = (
        "import sys; sys.modules['numpy'] = None\n"
        "import ninefold, ninefold.envs\n"
        "from ninefold.envs.render import render_text\n"
        "print(render_text(ninefold.load('cross').start(grid='792415863')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "7" in done.stdout


def test_both_act_at_once_in_conquest() -> None:
    for size in (2, 3, 4):
        parallel_api_test(parallel_env("conquest", size=size), num_cycles=100)
    parallel_seed_test(lambda: parallel_env("conquest"), num_cycles=50)


@every_game
def test_games_without_secrets_have_no_parallel_environment(slug: str) -> None:
    if type(ninefold.load(slug).start(rng=Random(0))).secret is not State.secret:
        return  # somebody chooses in secret
    with pytest.raises(ninefold.SetupError, match=r"nobody chooses in secret: use env\('"):
        parallel_env(slug)


@every_setup
def test_a_copy_in_mid_game_goes_on_alike(slug: str, setup: Setup) -> None:
    for moves in (1, 4, 6):
        one = env(slug, **setup)
        one.reset(seed=5)
        play(one, Random(1), moves)
        other = copy.deepcopy(one)
        continued = play(one, Random(2))
        assert play(other, Random(2)) == continued
        assert len(continued) > 1
        for game_env in (one, other):
            game_env.reset()
        assert one.episode.state == other.episode.state  # drawn alike, too


@every_setup
def test_masks_are_the_legal_moves(slug: str, setup: Setup) -> None:
    game_env = env(slug, **setup)
    moves = game_env.episode.game.moves
    for seed in range(5):
        rng = Random(seed)
        game_env.reset(seed=seed)
        while not (game_env.episode.terminated or game_env.episode.truncated):
            state = game_env.episode.state
            for seat in SEATS:
                mask = game_env.observe(AGENTS[seat])["action_mask"]
                assert tuple(moves[k] for k in np.flatnonzero(mask)) == state.moves(seat)
            game_env.step(
                int(rng.choice(np.flatnonzero(game_env.observe(game_env.agent_selection)["action_mask"])))
            )
        assert not any(game_env.observe(agent)["action_mask"].any() for agent in AGENTS)


@every_game
def test_the_winner_gets_1_and_the_loser_minus_1(slug: str) -> None:
    game_env = env(slug)
    decided = 0
    for seed in range(20):
        game_env.reset(seed=seed)
        last = [part for part in play(game_env, Random(seed)) if part[4]]  # type: ignore[index]
        if (winner := game_env.episode.winner) is not None:
            assert {part[0]: part[3] for part in last} == {  # type: ignore[index]
                AGENTS[winner]: 1,
                AGENTS[winner.other]: -1,
            }
            assert game_env.episode.state.outcome is not None
            assert game_env.episode.state.outcome.winner is winner
            decided += 1
    assert decided


def test_a_game_that_goes_on_is_truncated_and_nobody_has_lost() -> None:
    game_env = env("pattern", limit=5)
    game_env.reset()
    for text in ("1@1,1", "2@1,1", "3@1,2", "4@1,2", "6@2,1"):
        assert not any(game_env.truncations.values())
        game_env.step(game_env.episode.game.index(game_env.episode.game.parse(text)))
    assert game_env.truncations == dict.fromkeys(AGENTS, True)
    assert game_env.terminations == dict.fromkeys(AGENTS, False)
    assert game_env.rewards == dict.fromkeys(AGENTS, 0)


@pytest.mark.parametrize("action", [0, 81, -1])
def test_an_illegal_move_loses_and_says_why(action: int) -> None:
    game_env = env("shadow", target=15)
    game_env.reset()
    game_env.step(0)
    game_env.step(action)
    assert game_env.rewards == {"player_0": 1, "player_1": -1}
    assert game_env.terminations == dict.fromkeys(AGENTS, True)
    assert game_env.infos["player_1"]["illegal"].endswith(".")


def test_an_agent_that_has_to_choose_cannot_send_none() -> None:
    game_env = env("cross")
    game_env.reset()
    with pytest.raises(ValueError, match="player_0 has to choose"):
        game_env.step(None)


def test_the_challenger_is_asked_first_and_neither_sees_the_others_number() -> None:
    seen = set()
    for bid in range(1, 6):
        game_env = env("conquest")
        game_env.reset()
        for text in ("claim:5", "challenge:5", f"bid:{bid}"):
            game_env.step(game_env.episode.game.index(game_env.episode.game.parse(text)))
        assert game_env.agent_selection == AGENTS[Seat.FIRST]
        seen.add(game_env.observe(AGENTS[Seat.FIRST])["observation"].tobytes())
        assert game_env.observe(AGENTS[Seat.SECOND])["observation"][30] == bid
    assert len(seen) == 1


def test_who_has_no_choice_waits() -> None:
    game_env = parallel_env("conquest")
    seen, _ = game_env.reset()
    assert np.flatnonzero(seen["player_1"]["action_mask"]).tolist() == [37]
    claim, challenge, bid = (
        game_env.episode.game.index(game_env.episode.game.parse(text))
        for text in ("claim:1", "challenge:1", "bid:1")
    )
    game_env.step({"player_0": claim, "player_1": 37})
    seen = game_env.step({"player_0": 37, "player_1": challenge})[0]
    for agent in AGENTS:
        assert np.flatnonzero(seen[agent]["action_mask"]).tolist() == list(range(bid, bid + 5))
    game_env.step({"player_0": bid, "player_1": bid + 1})
    assert game_env.episode.state.view(None).boards[0].cells[0].owner is Seat.SECOND


def test_who_waits_instead_of_choosing_loses() -> None:
    game_env = parallel_env("conquest")
    game_env.reset()
    _, rewards, terminations, _, infos = game_env.step({"player_0": 37, "player_1": 37})
    assert rewards == {"player_0": -1, "player_1": 1}
    assert all(terminations.values())
    assert "37 is not a move" in infos["player_0"]["illegal"]


def test_the_picture_shows_whose_a_cell_is() -> None:
    game_env = env("shadow", target=15, render_mode="rgb_array")
    game_env.reset()
    pictures = [game_env.render()]
    for text in ("5@1,1", "5@3,3"):
        game_env.step(game_env.episode.game.index(game_env.episode.game.parse(text)))
        pictures.append(game_env.render())
    empty, first, both = (np.asarray(picture) for picture in pictures)
    assert empty.shape == (208, 208, 3)
    changed = np.argwhere((empty != first).any(axis=2))
    assert changed.min(axis=0).tolist() == [52, 52]
    assert changed.max(axis=0).tolist() == [99, 99]
    assert first[52, 52].tolist() != both[156, 156].tolist() != empty[156, 156].tolist()


def test_the_truth_comes_with_an_observation_on_request() -> None:
    game_env = env("cross", grid="792415863", truth=True)
    game_env.reset()
    info = game_env.infos["player_0"]
    best = [k for k, probability in enumerate(info["policy"]) if probability]
    assert info["value"] in (0.0, 1.0)
    assert sum(info["policy"]) == pytest.approx(1)
    assert {info["regrets"][k] for k in best} == {0.0}
    assert best
    assert game_env.infos["player_1"] == {}
    assert env("cross").episode.game.moves[best[0]] in game_env.episode.state.moves()
