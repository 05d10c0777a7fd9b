"""Many games at once in Gymnasium, over the batched kernel."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray

import ninefold
import ninefold.envs.gymnasium
from ninefold import SLUGS, Seat, State
from ninefold.envs.ids import env_id
from ninefold.envs.vector import GameVectorEnv
from ninefold.players import policy_of


def legal(observation: dict[str, NDArray[Any]], rng: np.random.Generator) -> NDArray[Any]:
    """A random legal action for each game; 0 where there is none."""
    masks = observation["action_mask"]
    return np.where(masks.any(axis=1), (masks * rng.random(masks.shape)).argmax(axis=1), 0)


@pytest.mark.parametrize("seat", ["first", "second", "random"])
@pytest.mark.parametrize("slug", SLUGS)
def test_it_is_a_vector_environment(slug: str, seat: str) -> None:
    envs = gymnasium.make_vec(
        env_id(slug),
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


@pytest.mark.parametrize("action", [0, -1, 6, 1 << 40])
def test_an_illegal_move_loses_and_is_told_of(action: int) -> None:
    envs = GameVectorEnv("cross", 2, seat="first")
    envs.reset(seed=0)
    _, _, _, _, info = envs.step(np.array([0, 0]))
    assert "illegal" not in info
    legal = int(envs.action_masks()[1].argmax())
    _, rewards, terminated, _, info = envs.step(np.array([action, legal]))
    assert (rewards[0], terminated.tolist()) == (-1, [True, False])
    assert info["illegal"].tolist() == [f"Action {action} was not legal.", ""]
    assert info["_illegal"].tolist() == [True, False]
    _, _, _, _, info = envs.step(np.array([action, envs.action_masks()[1].argmax()]))  # it begins again
    assert "illegal" not in info


def make(slug: str, **how: Any) -> Any:
    return gymnasium.make_vec(env_id(slug), **how)


def rewards_of(envs: Any, steps: int, **how: Any) -> list[float]:
    """The rewards of all games that end in so many steps of random play."""
    rng = np.random.default_rng(1)
    seen, _ = envs.reset(**how)
    found: list[float] = []
    for _ in range(steps):
        seen, rewards, terminated, _, _ = envs.step(legal(seen, rng))
        found += rewards[terminated].tolist()
    return found


def test_the_perfect_opponent_never_loses_a_won_game() -> None:
    envs = make("battle", num_envs=16, opponent="perfect", seat="second")
    assert isinstance(envs.unwrapped, GameVectorEnv)
    assert set(rewards_of(envs, 15, seed=1)) == {-1.0}


def test_a_level_draws_its_moves_as_its_policy_says() -> None:
    """The first move of a game is the opponent's alone."""
    envs = make("cross", num_envs=3000, opponent="level:2", seat="second", grid="792415863")
    envs.reset(seed=1)
    owners = np.asarray(envs.unwrapped.batch.observations)[:, 11:]
    counts = np.bincount((owners == -1).argmax(axis=1), minlength=6)
    start = ninefold.load("cross").start(grid="792415863")
    policy = policy_of("level:2")
    assert policy is not None
    expected = np.zeros(6)
    for move, part in policy(start, Seat.FIRST).items():
        expected[start.game.index(move)] = 3000 * part
    assert ((counts - expected) ** 2 / expected).sum() < 20.5  # chi-squared, 5 degrees: 1 in 1000


def test_a_function_of_a_state_and_a_seat_sees_no_secret() -> None:
    asked = []

    def last(state: State[Any], seat: Seat) -> Any:
        asked.append((state.secret, state.pending))
        return state.moves(seat)[-1]

    envs = make("conquest", num_envs=8, opponent=last, seat=0, size=2)
    assert rewards_of(envs, 30, seed=2)
    assert {pending for _, pending in asked} == {()}
    assert {secret for secret, _ in asked} == {False, True}


def test_an_opponent_that_fails_loses() -> None:
    def fails(state: State[Any], seat: Seat) -> Any:
        raise ZeroDivisionError

    assert set(rewards_of(make("cross", num_envs=4, opponent=fails), 4, seed=1)) == {1.0}


def test_the_rules_and_the_kernel_play_the_same_games() -> None:
    def first_legal(seen: NDArray[np.int8], masks: NDArray[np.uint8]) -> NDArray[Any]:
        return np.asarray(masks.argmax(axis=1))

    def first_move(state: State[Any], seat: Seat) -> Any:
        return state.moves(seat)[0]

    for slug in SLUGS:
        one, other = (make(slug, num_envs=20, opponent=o) for o in (first_legal, first_move))
        assert rewards_of(one, 12, seed=3) == rewards_of(other, 12, seed=3)


@pytest.mark.parametrize("opponent", ["random", "level:4"])
def test_every_seed_of_a_list_counts(opponent: str) -> None:
    def told(seeds: list[int]) -> list[list[Any]]:
        envs = make("shadow", num_envs=len(seeds), opponent=opponent)
        seen, info = envs.reset(seed=seeds)
        found = [[seat] for seat in info["seat"].tolist()]
        for _ in range(8):
            seen, rewards, _, _, info = envs.step(seen["action_mask"].argmax(axis=1))
            for game, line in enumerate(found):
                line.append((seen["observation"][game].tolist(), rewards[game], info["seat"][game]))
        return found

    first, second, third, fourth = told([7, 8, 7, 9])
    assert first == third
    assert len({str(one) for one in (first, second, fourth)}) == 3
    assert told([9, 7])[1] == first


def test_the_options_of_a_reset_are_for_the_games_until_the_next() -> None:
    envs = make("shadow", num_envs=5, target=12)
    for options, target, seats in (({"target": 17, "seat": 1}, 17, {1}), (None, 12, {0, 1})):
        seen, info = envs.reset(seed=3, options=options)
        assert set(seen["observation"][:, 11].tolist()) == {target}
        assert set(info["seat"].tolist()) <= seats
    with pytest.raises(ninefold.SetupError):
        envs.reset(options={"size": 3})


def test_the_truth_comes_as_arrays() -> None:
    envs = make("conquest", num_envs=6, truth=True, size=2)
    seen, info = envs.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(12):
        choosing = seen["action_mask"].any(axis=1)
        assert (info["_policy"] == choosing).all()
        assert (~np.isnan(info["value"]) == choosing).all()
        assert info["policy"].sum(axis=1) == pytest.approx(choosing.astype(float))
        best = np.nanmax(np.nan_to_num(envs.unwrapped.batch.values(), nan=-1), axis=1)
        assert info["value"][choosing] == pytest.approx(best[choosing])
        lost = envs.unwrapped.batch.regrets()
        np.testing.assert_allclose(info["regrets"][choosing], lost[choosing], atol=1e-12)
        seen, _, _, _, info = envs.step(legal(seen, rng))


def test_a_game_that_goes_on_is_truncated() -> None:
    envs = GameVectorEnv("pattern", 8, limit=4, seat="first")
    seen, _ = envs.reset(seed=3)
    rng = np.random.default_rng(1)
    for _ in range(2):
        seen, rewards, terminated, truncated, _ = envs.step(legal(seen, rng))
    assert truncated.all()
    assert not terminated.any()
    assert not rewards.any()


@pytest.mark.parametrize("how", [{"seat": "third"}, {"opponent": "person"}, {"target": 9}])
def test_what_cannot_be_set_up_is_refused(how: dict[str, Any]) -> None:
    with pytest.raises(ninefold.SetupError):
        GameVectorEnv("shadow", 2, **how)
