"""The set of positions: fixed, balanced, all real, none twice."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from hashlib import sha256
from random import Random
from typing import Any

import pytest

import ninefold
from ninefold import SLUGS, Seat, State
from ninefold.players import seat_player
from ninefold.study import PositionSet, chance, position_set, regrets, score_positions
from ninefold.study.answers import AgentPlayer

# What the positions of each set are. A change needs a new VERSION.
SUMS = {
    "shadow": "68277ce88694a244",
    "battle": "a4b960f511fa50f7",
    "pattern": "3a1e3b8c4abb7f35",
    "conquest": "a307f488c4c98048",
    "cross": "63ece8d19962fe18",
}


def written(found: PositionSet) -> str:
    """All positions of a set in words: settings, moves and seats."""
    lines = [
        f"{dict(one.state.setup)} {' '.join(str(played.move) for played in one.played)} {one.seat}"
        for one in found.positions
    ]
    return "\n".join([found.name, *lines])


@pytest.mark.parametrize("slug", SLUGS)
def test_a_set_never_changes(slug: str) -> None:
    found = position_set(slug)
    assert found.name == f"ninefold/2026.11 {slug} count=90 seed=0"
    assert slug not in SUMS or sha256(written(found).encode()).hexdigest()[:16] == SUMS[slug]
    assert written(position_set(slug, 30, seed=1)) != written(position_set(slug, 30))


@pytest.mark.parametrize("slug", SLUGS)
def test_its_positions_are_real_decisions_without_symmetric_copies(slug: str) -> None:
    game, found = ninefold.load(slug), position_set(slug).positions
    assert len(found) == 90 or slug not in SUMS  # a small game may have fewer
    assert len({(game.puzzles.key(one.state), one.seat) for one in found}) == len(found)
    for one in found:
        assert one.seat in one.state.movers
        assert not one.state.pending
        assert max(one.regrets.values()) > 0
        state = game.set_up(one.state.setup)
        for played in one.played:
            state = state.play(played.move, played.seat)
        assert state == one.state


@pytest.mark.parametrize("slug", SUMS)
@pytest.mark.parametrize("count", [5, 12, 90])
def test_seats_stages_and_stakes_are_balanced(slug: str, count: int) -> None:
    found = position_set(slug, count).positions
    most = max(one.random_regret for one in found)
    seats = Counter(one.seat for one in found)
    stages = Counter(one.stage for one in found)
    stakes = Counter(min(2, int(3 * one.random_regret / most)) for one in found)
    assert sorted(seats.values()) == [count // 2, count - count // 2]
    assert len(stages) == 3
    assert len(stakes) >= 2
    if slug != "cross":  # whose last move but one is always the first seat's
        assert max(stages.values()) - min(stages.values()) <= max(1, count // 20)
    if count == 90:
        assert min(stages.values()) >= 15
        assert len(stakes) == 3
        assert min(stakes.values()) >= 10


def player(name: str) -> Any:
    return seat_player(name, Random(1))


@pytest.mark.parametrize("slug", SLUGS)
def test_players_of_ours_are_scored_exactly(slug: str) -> None:
    found = position_set(slug)
    assert score_positions(player("perfect"), found).regret == 0
    rates = [one.random_regret for one in found.positions]
    assert score_positions(player("random"), found).costs == tuple(rates)


def test_levels_are_ordered_by_their_score() -> None:
    for slug in ("battle", "cross", "conquest"):
        scores = [score_positions(player(f"level:{n}"), position_set(slug)).regret for n in (1, 4, 7, 9)]
        assert scores == sorted(scores, reverse=True)
        assert len(set(scores)) == 4


def test_an_answer_that_fails_costs_the_whole_chance() -> None:
    found = position_set("battle")

    def agent(state: State[Any], seat: Seat) -> Any:
        return None if seat is Seat.FIRST else {-5: 0.5, state.moves(seat)[0]: 0.5}

    scored = score_positions(AgentPlayer(agent, Random(1)), found)
    for one, cost in zip(found.positions, scored.costs, strict=True):
        whole = chance(one.state, one.seat)
        first = regrets(one.state, one.seat)[one.state.game.index(one.state.moves()[0])]
        assert cost == (whole if one.seat is Seat.FIRST else (whole + first) / 2)
    counts = Counter(map(str, scored.failures))
    assert counts["resigned"] + counts["illegal"] == 90
    assert scored.reasons["The agent resigned."] == counts["resigned"]
    low, high = scored.interval
    assert low < float(scored.regret) < high
    assert scored.regret == sum(scored.costs, Fraction(0)) / 90
