"""Measures against a second computation that shares no code with them, known values, and sampled play."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ninefold.analysis import search, solver_of
from ninefold.analysis.evaluation import worth
from ninefold.batch import Batch
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.games import load
from ninefold.lab.measures import ALL_PAIRS, MEANINGS, climb, measure, measure_walk
from ninefold.lab.sampling import ask_once, estimate, play
from ninefold.lab.walk import PLAYERS, Walk, walk_game
from ninefold.players import policy_of
from ninefold.study import best_response, exact_score

HALF = Fraction(1, 2)
CROSS = ("cross", {"grid": "792415863"}, "")
SPENT = "claim:1 challenge:1 bid:5 bid:4 challenge:1 bid:5 bid:4 claim:2"  # leaves three numbers each
SMALL = [
    CROSS,
    ("conquest", {"size": 2}, SPENT),
    pytest.param("battle", {"grid": "792415863"}, "", marks=pytest.mark.long),
    pytest.param(
        "conquest",
        {"size": 3},
        f"{SPENT} claim:3 claim:4 claim:5 claim:6 claim:7",
        marks=pytest.mark.long,
    ),
]


def walk_from(start: State[Any]) -> Walk:
    """A walk that begins at this position."""
    walk = Walk(start.game, start.setup)  # not the one that is kept
    same = solver_of(start.game).same
    walk.starts.clear()
    walk.starts[[same(node.state) for node in walk.nodes].index(same(start))] = Fraction(1)
    return walk


def walk_naively(start: State[Any]) -> dict[str, Fraction]:
    """The measures of random play, by following every position of the rules move by move."""
    found: dict[str, Fraction] = defaultdict(Fraction)
    # By position and what its past has to say: moves made, moves made up to the last decisive choice, the
    # smallest chance of each seat.
    layer = {(start, 0, -1, HALF, HALF): Fraction(1)}
    while layer:
        later: dict[Any, Fraction] = defaultdict(Fraction)
        for (state, made, last, *lows), part in layer.items():
            if state.outcome is not None:
                found["random"] += part * (state.outcome.winner is Seat.FIRST)
                found["drama"] += part * (HALF - lows[state.outcome.winner])
                found["settled"] += part * (1 if last < 0 else Fraction(made - last, made))
                continue
            seen = search.evaluate(state)
            chance = Fraction(worth(seen.value, Seat.FIRST).chance)
            lows = [min(lows[0], chance), min(lows[1], 1 - chance)]
            movers, ends = state.movers, [(state, part)]
            made += len(movers)
            for seat in movers:
                chances = [worth(choice.value, seat).chance for choice in seen.choices_of(seat)]
                found["choices"] += part
                found["legal"] += part * len(chances)
                found["regret"] += part * (max(chances) - sum(chances) / Fraction(len(chances)))
                if len({*chances}) > 1:
                    found["decisive"] += part
                    last = made
                moves = state.moves(seat)
                ends = [(one.after(m, seat), share / len(moves)) for one, share in ends for m in moves]
            for one, share in ends:
                later[one, made, last, lows[0], lows[1]] += share
        layer = later
    for name in ("legal", "regret", "decisive"):
        found[name] /= found["choices"]
    return found


@pytest.mark.parametrize(("slug", "setup", "moves"), SMALL)
def test_exact_measures_equal_a_walk_through_the_rules(
    slug: str, setup: dict[str, Any], moves: str
) -> None:
    game = load(slug)
    start = game.sequence(game.set_up(setup), moves.split())
    naive = walk_naively(start)
    found: dict[str, Any] = dict(measure_walk(walk_from(start)))
    names = {"branching": "legal", "random_regret": "regret", "length": "choices"}
    for name in ("random", "drama", "settled", "decisive", *names):
        assert found[name] == naive[names.get(name, name)], name
    assert found["perfect"] == worth(search.evaluate(start).value, Seat.FIRST).chance
    random = policy_of("random")
    assert random is not None
    for seat in SEATS:
        assert found[f"mastery_{seat}"] == best_response(random, start, seat, alike=True)
    assert found["agency"] == (found["mastery_first"] + found["mastery_second"] - 1) / 2
    if slug == "conquest":
        assert found["secrecy"] == open_chance(start) - found["perfect"]


@pytest.mark.parametrize(
    ("slug", "setup"), [CROSS[:2], pytest.param("conquest", {"size": 2}, marks=pytest.mark.long)]
)
def test_scores_between_players_equal_those_of_study(slug: str, setup: dict[str, Any]) -> None:
    walk = walk_game(load(slug), setup)
    near = dict(zip(ALL_PAIRS, walk.near_chances(ALL_PAIRS), strict=True))
    for one, other in (("level:3", "level:3"), ("level:8", "random"), ("level:1", "perfect")):
        policies = policy_of(one), policy_of(other)
        assert policies[0] is not None
        assert policies[1] is not None
        exact = exact_score(policies[0], policies[1], slug, **setup)
        assert walk.chance(one, other) == exact.first
        assert near[PLAYERS.index(one), PLAYERS.index(other)] == pytest.approx(float(exact.first))
        assert 1 - near[PLAYERS.index(other), PLAYERS.index(one)] == pytest.approx(float(exact.second))


def open_chance(state: State[Any]) -> Fraction:
    """The first player's chance if the challenger shows the number before the defender chooses."""
    if state.outcome is not None:
        return Fraction(state.outcome.winner is Seat.FIRST)
    seat = state.movers[0]
    return (min if seat else max)(open_chance(state.after(move, seat)) for move in state.moves(seat))


@pytest.fixture(scope="module")
def battle() -> dict[str, Any]:
    """The measures of battle, which are the same for all grids."""
    return dict(measure_walk(walk_game(load("battle"), {})))


def test_the_known_values_of_random_play_come_out(battle: dict[str, Any]) -> None:
    assert battle["decisive"] == Fraction(19087, 45360)
    assert battle["random"] == Fraction(13, 18)
    assert battle["perfect"] == 1


@pytest.mark.long
def test_the_known_values_over_all_grids_and_sizes_come_out() -> None:
    cross, conquest = (measure(load(slug), {})["measures"] for slug in ("cross", "conquest"))
    assert cross["decisive"] == {"value": "73871/155520", "exact": True}
    assert cross["random"] == {"value": "43/105", "exact": True}
    assert float(Fraction(conquest["decisive"]["value"])) == pytest.approx(0.347609, abs=1e-6)


def test_a_ladder_is_the_longest_chain_of_clear_steps() -> None:
    assert climb([[False] * 3] * 3) == 1
    assert climb([[False, False, False], [True, False, False], [True, True, False]]) == 3
    assert climb([[False, False, False], [False, False, False], [True, True, False]]) == 2


def test_sampled_play_agrees_with_what_is_exact(battle: dict[str, Any]) -> None:
    game, setup = load("battle"), {"grid": "792415863"}
    played = play(game, setup, ("random", "random"), 4000, seed=5)
    low = played.behind[range(4000), played.winners]
    found = {
        "random": played.chance(0),
        "decisive": estimate(played.decisive, played.lengths),
        "random_regret": estimate(played.regret, played.lengths),
        "branching": estimate(played.legal, played.lengths),
        "drama": estimate(0.5 - low),
        "settled": estimate((played.lengths - played.last) / played.lengths),
        "balance_at_level(4)": play(game, setup, ("level:4", "level:4"), 4000, seed=6).chance(0),
    }
    for name, one in found.items():
        # Twice the half-width of the 95% interval: for these seeds, and nearly all others.
        assert abs(one.value - float(battle[name])) <= (one.high - one.low) + 1e-9, name


def test_every_measure_of_a_large_game_has_an_interval_or_is_exact() -> None:
    import ninefold.lab.measures as subject

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subject, "SAMPLES", 200)
        patch.setattr(subject, "PAIRED", 20)
        data = measure(load("shadow"), {"target": 15})["measures"]
    assert [*data] == [name for name in MEANINGS if name != "secrecy"]
    for one in data.values():
        assert one["exact"] is ("low" not in one)
        assert one["exact"] or one["low"] <= one["value"] <= one["high"]
    assert data["perfect"] == {"value": "0", "exact": True}
    assert data["mastery_second"] == {"value": "1", "exact": True}
    assert data["mastery_first"]["bound"] == "lower"


@pytest.mark.parametrize("slug", ["shadow", "pattern"])
def test_games_with_the_same_position_get_the_policy_that_each_would(slug: str) -> None:
    batch = Batch(slug, 400, again=False)
    batch.reset(5)
    for player in ("level:5", "perfect"):
        assert np.array_equal(ask_once(batch, player), batch.policies(player))
