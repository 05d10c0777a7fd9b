"""Batched play against the rules: every step of many seeded games, all games, all setups."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from array import array
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

import ninefold
from ninefold import SEATS, SLUGS, Seat, State
from ninefold.analysis import conquest
from ninefold.batch import CUT_OFF, NO_ACTION, NOBODY, ON, WON, Batch, encoding, kernel, playouts
from ninefold.batch.fast import KINDS
from ninefold.batch.plain import PlainGames, RandomStream
from ninefold.games.conquest.rules import Conquest
from ninefold.study import regrets
from tests import setups
from tests.setups import NAMES, Setup

needs_c = pytest.mark.skipif(kernel() != "C kernel", reason="the C kernel is not built")
WITH_DRAWN_SETTINGS = [
    slug for slug, game in setups.GAMES.items() if any(option.draw for option in game.options)
]
TABLES: list[tuple[str, Setup]] = [*setups.TABLES, *((slug, {}) for slug in WITH_DRAWN_SETTINGS)]
TABLE_IDS = [*NAMES, *(f"{slug}-drawn" for slug in WITH_DRAWN_SETTINGS)]
every_setup = pytest.mark.parametrize(("slug", "setup"), TABLES, ids=TABLE_IDS)
LARGEST = {"size": 4}  # its exact tables take seconds to make
every_quick_setup = pytest.mark.parametrize(
    ("slug", "setup"), [table for table in TABLES if table[1] != LARGEST]
)


def snapshot(games: Batch) -> dict[str, list[int] | list[list[int]]]:
    """Everything that a batch reports, for both seats."""
    found: dict[str, list[int] | list[list[int]]] = {
        "movers": [m if s == ON else 0 for m, s in zip(games.movers, games.status, strict=True)],
        "status": games.status.tolist(),
        "winners": games.winners.tolist(),
    }
    for seat in SEATS:
        games.look(memoryview(bytes([seat] * games.count)))
        found[f"seen by {seat}"] = games.observations.tolist()
        found[f"legal for {seat}"] = games.masks.tolist()
    return found


def assert_twins_agree(slug: str, setup: Setup, count: int, steps: int, seed: int) -> None:
    """Step for step, with some moves that are not legal and some games left alone."""
    fast, plain = (Batch(slug, count, limit=40, plain=plain, **setup) for plain in (False, True))
    rng = Random(seed)
    for games in (fast, plain):
        games.reset(seed)
    finished = 0
    for _ in range(steps):
        assert snapshot(fast) == snapshot(plain)
        actions = fast.sample()
        assert actions.tolist() == plain.sample().tolist()
        for _ in range(count // 50):
            actions[rng.randrange(count)] = rng.randrange(-1, len(fast.game.moves) + 2)
        for games in (fast, plain):
            games.step(actions)
        finished += count - fast.status.tolist().count(ON)
    assert finished > count / 2


@needs_c
@every_setup
def test_the_kernel_follows_the_rules_step_by_step(slug: str, setup: Setup) -> None:
    assert_twins_agree(slug, setup, count=120, steps=45, seed=1)


@needs_c
@pytest.mark.long
@every_setup
def test_the_kernel_follows_the_rules_step_by_step_in_many_games(slug: str, setup: Setup) -> None:
    for seed in (2, 3):
        assert_twins_agree(slug, setup, count=300, steps=90, seed=seed)


def assert_playouts_agree(slug: str, setup: Setup, count: int, seed: int, limit: int = 200) -> None:
    fast, plain = (
        playouts(slug, count, seed=seed, limit=limit, plain=plain, **setup) for plain in (False, True)
    )
    assert fast.winners.tolist() == plain.winners.tolist()
    assert fast.lengths.tolist() == plain.lengths.tolist()


@needs_c
@every_setup
def test_whole_games_end_as_the_rules_say(slug: str, setup: Setup) -> None:
    assert_playouts_agree(slug, setup, count=600 if slug == "pattern" else 250, seed=3)


@needs_c
@pytest.mark.long
@every_setup
def test_many_whole_games_end_as_the_rules_say(slug: str, setup: Setup) -> None:
    for seed in (4, 5):
        assert_playouts_agree(slug, setup, count=2000, seed=seed)


@needs_c
@pytest.mark.parametrize("limit", [1, 2, 9, 10, 11, 12, 13, 50])
def test_any_limit_cuts_off_alike(limit: int) -> None:
    for slug in SLUGS:
        assert_playouts_agree(slug, {}, count=100, seed=limit, limit=limit)


@pytest.mark.parametrize("plain", [pytest.param(False, marks=needs_c), True])
@pytest.mark.parametrize("slug", SLUGS)
def test_masks_are_the_legal_moves_and_observations_the_layout(slug: str, plain: bool) -> None:
    """Against a replay through `play`, which shares nothing with either twin."""
    count = 40
    games = Batch(slug, count, again=False, plain=plain)
    games.reset(9)
    streams = [RandomStream(9, number) for number in range(count)]
    states = [PlainGames(games.game, 1, 200, _defaults(slug))._begin(stream) for stream in streams]
    for _ in range(30):
        games.look()
        for number, state in enumerate(states):
            if games.status[number] != ON:
                assert not np.asarray(games.masks)[number].any()
                continue
            seat = SEATS[games.movers[number]]
            assert seat is state.movers[0]
            legal = [games.game.moves[k] for k in np.flatnonzero(np.asarray(games.masks)[number])]
            assert tuple(legal) == state.moves(seat)
            assert np.asarray(games.observations)[number].tolist() == encoding.observe(state, seat)
        actions = games.sample()
        going_on = [number for number in range(count) if games.status[number] == ON]
        games.step(actions)
        for number in going_on:
            states[number] = states[number].play(
                games.game.moves[actions[number]], states[number].movers[0]
            )
            outcome, dead = states[number].outcome, states[number].dead
            assert games.status[number] == (WON if outcome else CUT_OFF if dead else ON)
            assert games.winners[number] == (NOBODY if outcome is None else outcome.winner)


def _defaults(slug: str) -> dict[str, int | str]:
    return {o.name: o.default for o in ninefold.load(slug).options if o.default is not None}


@needs_c
@pytest.mark.parametrize("slug", SLUGS)
def test_the_number_of_threads_changes_nothing(slug: str) -> None:
    found = []
    count = 3000 if slug in KINDS else 30  # without a kernel there are no threads
    for threads in (1, 2, 3, 7):
        games = Batch(slug, count, threads=threads)
        games.reset(5)
        for _ in range(30):
            games.step(games.sample())
        games.look()
        arrays = (games.observations, games.masks, games.movers, games.status, games.winners)
        result = playouts(slug, count, seed=5, threads=threads)
        found.append([bytes(array) for array in (*arrays, result.winners, result.lengths)])
    assert found[0] == found[1] == found[2] == found[3]


@pytest.mark.parametrize("plain", [pytest.param(False, marks=needs_c), True])
def test_a_game_hangs_on_the_seed_and_its_own_number_only(plain: bool) -> None:
    many = playouts("conquest", 300, seed=8, plain=plain)
    few = playouts("conquest", 100, seed=8, plain=plain)
    other = playouts("conquest", 100, seed=9, plain=plain)
    assert few.lengths.tolist() == many.lengths.tolist()[:100] != other.lengths.tolist()


@pytest.mark.parametrize("plain", [pytest.param(False, marks=needs_c), True])
def test_every_legal_move_is_equally_likely(plain: bool) -> None:
    games = Batch("battle", 9000, plain=plain)
    games.reset(1)
    counts = np.bincount(np.asarray(games.sample()), minlength=9)
    assert counts.sum() == 9000
    assert ((counts - 1000) ** 2 / 1000).sum() < 26.1  # chi-squared, 8 degrees: 1 in 1000


@pytest.mark.parametrize("plain", [pytest.param(False, marks=needs_c), True])
def test_games_begin_again_only_where_that_is_wanted(plain: bool) -> None:
    for again in (True, False):
        games = Batch("cross", 5, again=again, plain=plain)
        games.reset()
        for _ in range(6):
            games.step(games.sample())
        assert games.status.tolist() == [WON] * 5
        winners = games.winners.tolist()
        games.step([0, 0, NO_ACTION, 3, 99])
        if again:
            assert games.status.tolist() == [ON, ON, WON, ON, ON]
        else:
            assert games.status.tolist() == [WON] * 5
            assert games.winners.tolist() == winners


@pytest.mark.parametrize("plain", [pytest.param(False, marks=needs_c), True])
def test_actions_may_come_as_a_list_an_array_or_words(plain: bool) -> None:
    found = []
    for actions in ([3, 4], np.array([3, 4]), np.array([3, 4], np.int32), array("q", [3, 4])):
        games = Batch("battle", 2, plain=plain, grid="123456789")
        games.reset()
        games.step(actions)
        games.look()
        found.append(np.asarray(games.observations).tolist())
    assert found[0] == found[1] == found[2] == found[3]
    assert found[0][0] == [1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, -1, 0, 0, 0, 0, 0]
    with pytest.raises(ValueError, match="There are 2 games"):
        games.step([3])


SEATS_OF_THREE = [0, 1, 1]
SEAT_ARRAYS = [
    SEATS_OF_THREE,
    tuple(SEATS_OF_THREE),
    bytes(SEATS_OF_THREE),
    array("q", SEATS_OF_THREE),
    [SEATS[seat] for seat in SEATS_OF_THREE],
    *(
        np.array(SEATS_OF_THREE, kind)
        for kind in (int, np.int8, np.uint8, np.int16, np.int32, np.uint64, bool)
    ),
    np.array([*SEATS_OF_THREE, 0, 0, 0])[[0, 5, 1, 5, 2, 5]][::2],  # every other one
]


@pytest.mark.parametrize("plain", [pytest.param(False, marks=needs_c), True])
def test_seats_may_come_as_any_array_of_whole_numbers(plain: bool) -> None:
    """NumPy's own kind of whole numbers has eight bytes each."""
    games = Batch("battle", 3, plain=plain)
    games.reset()
    for seats in SEAT_ARRAYS:
        games.look(seats)
        assert np.asarray(games.observations)[:, 0].tolist() == SEATS_OF_THREE
        assert np.asarray(games.masks).any(axis=1).tolist() == [True, False, False]


@pytest.mark.parametrize("plain", [pytest.param(False, marks=needs_c), True])
def test_what_is_no_seat_is_refused(plain: bool) -> None:
    games = Batch("battle", 3, plain=plain)
    games.reset()
    for seats in (
        [0, 7, 0],
        np.array([0, 1, 2]),
        np.array([0, -1, 0], np.int8),
        [0, 256, 1],
        [0, 1 << 40, 0],
    ):
        with pytest.raises(ValueError, match=r"is not a seat|is too large"):
            games.look(seats)
    with pytest.raises(ValueError, match="There are 3 games: a seat is needed for each"):
        games.look([0, 1])
    with pytest.raises(TypeError):
        games.look(np.array([0.0, 1.0, 1.0]))


def assert_values_are_exact(slug: str, setup: Setup, count: int, seed: int) -> None:
    fast, plain = (Batch(slug, count, plain=plain, **setup) for plain in (False, True))
    valued = 0
    for games in (fast, plain):
        games.reset(seed)
    for _ in range(26):
        found, expected = fast.values(), plain.values()
        np.testing.assert_array_equal(found, expected)
        fast.look()
        assert (np.isnan(found) == ~fast.masks.astype(bool)).all()
        valued += int(fast.masks.sum())
        actions = fast.sample()
        plain.sample()
        for games in (fast, plain):
            games.step(actions)
    assert valued > 20 * count


FEW = {"shadow": 2, "pattern": 12}


@needs_c
@every_quick_setup
def test_values_are_what_evaluate_says_of_every_legal_move(slug: str, setup: Setup) -> None:
    assert_values_are_exact(slug, setup, count=FEW.get(slug, 20), seed=1)


@needs_c
@pytest.mark.long
@every_setup
def test_many_values_are_what_evaluate_says(slug: str, setup: Setup) -> None:
    assert_values_are_exact(slug, setup, count=10 * FEW.get(slug, 20), seed=2)


@needs_c
@pytest.mark.parametrize("size", [2, 3])
def test_a_secret_choice_has_the_same_values_whoever_has_chosen(size: int) -> None:
    games = Batch("conquest", 5, size=size)
    games.reset(1)
    claim, challenge, bid = (
        games.game.index(games.game.parse(t)) for t in ("claim:1", "challenge:1", "bid:1")
    )
    games.step([claim] * 5)
    games.step([challenge] * 5)
    games.step([bid + number for number in range(5)])
    found = games.values()[:, bid : bid + 5]
    assert (found == found[0]).all()


def assert_policies_are_exact(slug: str, setup: Setup, count: int, seed: int, names: list[str]) -> None:
    fast, plain = (Batch(slug, count, plain=plain, **setup) for plain in (False, True))
    for games in (fast, plain):
        games.reset(seed)
    for step in range(9 if slug == "shadow" else 22):
        name = names[step % len(names)]
        np.testing.assert_allclose(fast.policies(name), plain.policies(name), rtol=1e-12, atol=0)
        actions = fast.sample()
        plain.sample()
        for games in (fast, plain):
            games.step(actions)


PLAYERS = ["perfect", "random", "greedy", "sight:2", *(f"level:{level}" for level in (1, 3, 6, 9))]


@needs_c
@every_quick_setup
def test_policies_are_those_of_the_players(slug: str, setup: Setup) -> None:
    few = {"shadow": 1, "pattern": 3}
    assert_policies_are_exact(slug, setup, few.get(slug, 10), 1, PLAYERS)


@needs_c
@pytest.mark.long
@every_setup
def test_many_policies_are_those_of_the_players(slug: str, setup: Setup) -> None:
    for name in PLAYERS:
        assert_policies_are_exact(slug, setup, 6 if slug == "shadow" else 20, 2, [name])


@pytest.mark.parametrize(
    ("name", "why"),
    [("person", "has no policy"), ("program:cat", "has no policy"), ("deep", "is not a player")],
)
def test_who_has_no_policy_is_refused(name: str, why: str) -> None:
    with pytest.raises(ninefold.NinefoldError, match=why):
        Batch("cross", 2).policies(name)


def wander(slug: str, rng: Random, most: int, **setup: int | str) -> State[Any]:
    """A position of a random game; it may be over, dead, or have a pending secret."""
    state = ninefold.load(slug).start(rng=rng, **setup)
    for _ in range(rng.randrange(most)):
        if not state.movers or state.dead:
            break
        seat = state.movers[0]
        state = state.after(rng.choice(state.moves(seat)), seat)
    return state


def mixed_positions(slug: str, count: int, seed: int) -> list[State[Any]]:
    """Positions of all settings and stages, those with a pending secret and finished ones too."""
    rng = Random(f"{slug} {seed}")
    sizes = [{"size": size} for size in (2, 3, 4)] if slug == "conquest" else [{}]
    return [wander(slug, rng, 26, **rng.choice(sizes)) for _ in range(count)]


@needs_c
@pytest.mark.parametrize("slug", SLUGS)
def test_any_positions_make_a_batch_and_come_out_of_it_again(slug: str) -> None:
    states = mixed_positions(slug, 150, seed=1)
    fast, plain = Batch.of(states, seed=5), Batch.of(states, seed=5, plain=True)
    for _ in range(3):
        for at in range(len(states)):
            assert fast.state(at) == plain.state(at)
            assert fast.state(at).outcome == plain.state(at).outcome
        assert fast.status.tolist() == plain.status.tolist()
        assert fast.winners.tolist() == plain.winners.tolist()
        for games in (fast, plain):
            games.look()
        assert (fast.masks == plain.masks).all()
        on = fast.status == ON
        assert (fast.observations[on] == plain.observations[on]).all()
        actions = fast.sample()
        assert (actions[on] == plain.sample()[on]).all()
        for games in (fast, plain):
            games.step(actions)
    assert [Batch.of(states).state(at) for at in range(len(states))] == states
    assert fast.clone().state(7) == fast.state(7)
    with pytest.raises(IndexError, match="There are 150 games"):
        fast.state(150)
    for wrong in ([], [ninefold.load("pattern").start(), ninefold.load("conquest").start()]):
        with pytest.raises(ninefold.SetupError, match="positions of one game"):
            Batch.of(wrong)


@needs_c
@pytest.mark.parametrize("slug", SLUGS)
def test_positions_with_different_settings_have_their_values_policies_and_regrets(slug: str) -> None:
    states = mixed_positions(slug, 30, seed=2)
    fast, plain = Batch.of(states), Batch.of(states, plain=True)
    np.testing.assert_allclose(fast.values(), plain.values(), rtol=1e-12, atol=0)
    np.testing.assert_allclose(fast.regrets(), plain.regrets(), rtol=0, atol=1e-12)
    for name in ("random", "greedy", "sight:1", "sight:4"):
        np.testing.assert_allclose(fast.policies(name), plain.policies(name), rtol=1e-12, atol=0)
    lost = fast.regrets()
    for at, state in enumerate(states):
        if state.movers and not state.dead:
            found = regrets(state.open_state, state.movers[0])
            assert {a: float(part) for a, part in found.items()} == pytest.approx(
                {a: lost[at, a] for a in np.flatnonzero(~np.isnan(lost[at])).tolist()}
            )
        else:
            assert np.isnan(lost[at]).all()


@needs_c
def test_a_mistake_that_costs_exactly_what_a_level_allows_is_one_it_makes() -> None:
    """One third is no double: the levels must not depend on which side of it a double falls."""
    states = [s for s in every_class(2) if Fraction(1, 3) in regrets(s, s.movers[0]).values()]
    assert len(states) > 10
    fast, plain = (Batch.of(states, plain=plain).policies("level:9") for plain in (False, True))
    np.testing.assert_allclose(fast, plain, rtol=1e-12, atol=0)


def every_class(size: int) -> list[State[Any]]:
    """A position of Grid Conquest for each that its solver tells apart, with a choice to make."""
    states: list[State[Any]] = []
    for one in conquest.every_position(size):
        (first, second), empty = one.cells, one.empty
        owners = (*[Seat.FIRST] * first, *[Seat.SECOND] * second, *[None] * empty)
        state = Conquest(size, owners, one.hands, one.turn, cells_alone=one.cells_alone)
        if state.movers:
            states.append(state)
            states += [state.play(m) for m in state.moves() if str(m).startswith("challenge")][:1]
    return states


@pytest.mark.parametrize("plain", [pytest.param(False, marks=needs_c), True])
@pytest.mark.parametrize("how", ["clone", "copy", "deepcopy", "pickle", "state"])
@pytest.mark.parametrize("slug", SLUGS)
def test_a_copy_goes_on_alike_and_apart(slug: str, how: str, plain: bool) -> None:
    games = Batch(slug, 20, limit=30, plain=plain)
    games.reset(3)
    for _ in range(4):
        games.step(games.sample())
    if how == "state":
        other = Batch(slug, 20, limit=30, plain=plain)
        other.set_state(pickle.loads(pickle.dumps(games.get_state())))
    else:
        copies: dict[str, Callable[[Batch], Batch]] = {
            "clone": Batch.clone,
            "copy": copy.copy,
            "deepcopy": copy.deepcopy,
            "pickle": lambda games: pickle.loads(pickle.dumps(games)),
        }
        other = copies[how](games)
    before = snapshot(other)
    assert snapshot(games) == before
    kept = games.get_state()
    found = []
    for _ in range(12):
        games.step(games.sample())
        found.append(snapshot(games))
    assert snapshot(other) == before
    for later in found:
        other.step(other.sample())
        assert snapshot(other) == later
    games.set_state(kept)
    assert snapshot(games) == before


def test_a_state_of_other_games_is_refused() -> None:
    with pytest.raises(ValueError, match="not a state of 3 games"):
        Batch("cross", 3).set_state(Batch("cross", 2).get_state())


@pytest.mark.parametrize("plain", [pytest.param(False, marks=needs_c), True])
def test_a_seed_for_each_game_begins_equal_games_with_equal_seeds(plain: bool) -> None:
    games = Batch("battle", 4, plain=plain)
    games.reset([5, 6, 5, -1])
    games.look()
    first, second, third, fourth = np.asarray(games.observations).tolist()
    assert first == third != second != fourth
    alone = Batch("battle", 1, plain=plain)
    alone.reset(5)
    alone.look()
    assert alone.observations[0].tolist() == first
    with pytest.raises(ValueError, match="a seed for each"):
        games.reset([1, 2])


@pytest.mark.parametrize("slug", SLUGS)
def test_planes_have_a_1_where_an_entry_has_the_value(slug: str) -> None:
    games = Batch(slug, 6)
    games.reset(2)
    for _ in range(5):
        games.step(games.sample())
    planes = games.planes()
    low, high = games.game.bounds
    assert planes.shape == (6, high - low + 1, encoding.width(games.game))
    assert (planes.sum(axis=1) == 1).all()
    assert (planes.argmax(axis=1) + low == games.observations).all()


def test_rewards_and_dones_tell_who_won_what_is_over() -> None:
    games = Batch("pattern", 300, again=False)
    games.reset(4)
    for _ in range(60):
        games.step(games.sample())
    won, over = games.status == WON, games.status != ON
    assert games.dones.dtype == bool
    assert (games.dones == over).all()
    assert won.any()
    assert (over & ~won).any()
    assert (games.rewards.sum(axis=1) == 0).all()
    assert (games.rewards[won, games.winners[won]] == 1).all()
    assert not games.rewards[~won].any()


def test_without_numpy_the_arrays_are_memoryviews() -> None:
    code = (
        "import sys; sys.modules['numpy'] = None\n"
        "from ninefold.batch import Batch, playouts\n"
        "games = Batch('battle', 2, grid='792415863'); games.reset(1); games.step(games.sample())\n"
        "games.look([1, 1])\n"
        "assert isinstance(games.observations, memoryview)\n"
        "print(games.observations.shape, games.masks.tolist()[0].count(1), games.rewards.tolist())\n"
        "print(games.values().shape, games.planes().shape, games.dones.tolist())\n"
        "print(playouts('cross', 5).wins)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    wins = playouts("cross", 5).wins
    assert done.stdout.splitlines() == [
        "(2, 20) 8 [[0, 0], [0, 0]]",
        "(2, 9) (2, 30, 20) [False, False]",
        f"{wins}",
    ]


def test_what_cannot_be_set_up_is_refused() -> None:
    for how in ({"count": 0}, {"count": 2, "target": 9}, {"count": 2, "size": 3}):
        with pytest.raises(ninefold.SetupError):
            Batch("shadow", **how)  # type: ignore[arg-type]


@pytest.mark.parametrize("plain", [pytest.param(False, marks=needs_c), True])
def test_a_game_is_cut_off_at_the_move_after_which_nobody_can_win(plain: bool) -> None:
    """With the true number of moves: the ninth number, or the one that is returned, is the last."""
    result = playouts("pattern", 300, seed=1, plain=plain, limit=60)
    ended = zip(result.winners, result.lengths, strict=True)
    cut_off = [length for winner, length in ended if winner == NOBODY]
    assert set(cut_off) == {9, 10, 60}
    assert 0.17 < (cut_off.count(9) + cut_off.count(10)) / 300 < 0.23


def test_without_the_kernel_the_rules_do_the_work() -> None:
    code = "import ninefold.batch as b; print(b.kernel(), b.playouts('cross', 50, seed=2).wins)"
    wins = playouts("cross", 50, seed=2).wins
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"NINEFOLD_KERNEL": "python"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"pure Python {wins}\n"


@needs_c
def test_the_kernel_refuses_buffers_that_are_too_small() -> None:
    from ninefold.batch import _batch

    with pytest.raises(ValueError, match="winners has 2 bytes, not 3"):
        _batch.playouts(0, 0, 3, 200, 1, bytes(9), bytearray(2), bytearray(6))
    with pytest.raises(ValueError, match="no such game"):
        _batch.playouts(5, 0, 3, 200, 1, bytes(9), bytearray(3), bytearray(6))
    with pytest.raises(ValueError, match="setup"):
        _batch.playouts(0, 0, 3, 200, 1, bytes(8), bytearray(3), bytearray(6))


@needs_c
@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_a_forked_process_has_threads_of_its_own() -> None:
    code = (
        "import os; from ninefold.batch import playouts as play\n"
        "wins = play('cross', 3000, threads=2).wins\n"
        "child = os.fork()\n"
        "if not child: os._exit(play('cross', 3000, threads=2).wins != wins)\n"
        "print(os.waitpid(child, 0)[1])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.stdout == "0\n"
