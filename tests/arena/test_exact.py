"""Exact scores are what long samples approach, and what naive enumeration finds."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import ninefold
from ninefold import Seat, State
from ninefold.arena.command import sample_score
from ninefold.arena.exact import Known, find_score
from ninefold.arena.plan import Plan
from ninefold.commands import main
from ninefold.players import policy_of
from ninefold.players.policy import Policy
from ninefold.players.simple import random_policy
from ninefold.study import exploitability

GAME = "cross:grid=792415863"


def exact(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["arena", "exact", *words, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def enumerate_wins(policies: tuple[Policy, Policy], state: State[Any]) -> Fraction:
    """The first seat's chance, by playing out every sequence of moves. It shares no code with `study`."""
    if state.outcome is not None:
        return Fraction(state.outcome.winner is Seat.FIRST)
    seat = state.movers[0]
    parts = policies[seat](state.open_state, seat)
    return sum(
        (p * enumerate_wins(policies, state.play(move, seat)) for move, p in parts.items()), Fraction(0)
    )


@pytest.mark.parametrize(
    ("game", "first"),
    [
        ("battle", Fraction(13, 18)),
        pytest.param("cross", Fraction(43, 105), marks=pytest.mark.long),
        pytest.param("conquest", 0.548644, marks=pytest.mark.long),
    ],
)
def test_random_against_random(
    capsys: pytest.CaptureFixture[str], game: str, first: Fraction | float
) -> None:
    found = exact(capsys, "random", "random", game)
    assert float(Fraction(found["first"])) == pytest.approx(float(first), abs=1e-6)
    assert Fraction(found["first"]) + Fraction(found["second"]) == 1
    assert (found["score"], found["exact"]) == ("1/2", True)
    if isinstance(first, Fraction):
        assert Fraction(found["first"]) == first


@pytest.mark.parametrize(("one", "other"), [("random", "greedy"), ("level:3", "sight:1")])
def test_naive_enumeration_finds_the_same(one: str, other: str) -> None:
    policies = policy_of(one), policy_of(other)
    assert policies[0] is not None
    assert policies[1] is not None
    found = find_score(one, other, "cross", {"grid": "792415863"})
    assert found is not None
    start = ninefold.load("cross").start(grid="792415863")
    assert found.first == enumerate_wins((policies[0], policies[1]), start)
    assert found.second == 1 - enumerate_wins((policies[1], policies[0]), start)


def check_samples(slug: str, setup: dict[str, int | str], one: str, other: str, pairs: int) -> None:
    found = find_score(one, other, slug, setup)
    assert found is not None
    sampled = sample_score(one, other, slug, setup, pairs)
    low, high = sampled["interval"]
    wide = (high - low) / 2  # as far again: one interval in twenty misses, one so wide in 10,000
    assert low - wide <= found.score <= high + wide
    assert sampled["first"] == pytest.approx(float(found.first), abs=5 * wide)


def test_samples_approach_the_exact_score() -> None:
    check_samples("battle", {}, "random", "level:2", 500)


@pytest.mark.long
@pytest.mark.parametrize("slug", ["battle", "cross", "conquest"])
@pytest.mark.parametrize(
    ("one", "other"), [("greedy", "level:4"), ("sight:2", "perfect"), ("level:5", "level:6")]
)
def test_long_samples_approach_the_exact_score(slug: str, one: str, other: str) -> None:
    check_samples(slug, {}, one, other, 5000)


def test_what_is_too_large_is_sampled_and_marked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ninefold.arena.exact.find_score.__defaults__", (50,))
    found = exact(capsys, "level:9", "random", "shadow", "--target", "15", "--pairs", "40")
    assert found["exact"] is False
    assert found["interval"][0] <= found["score"] <= found["interval"][1]
    assert found["score"] > 0.8


def test_the_folder_keeps_what_was_computed(tmp_path: Path) -> None:
    plan = Plan.of({"players": ["random", "greedy"], "games": [GAME], "pairs": 1})
    known = Known(tmp_path, plan)
    assert known.score(GAME, "random", "greedy") is None
    known.complete()
    again = Known(tmp_path, plan)
    assert again.score(GAME, "random", "greedy") == find_score(
        "random", "greedy", "cross", {"grid": "792415863"}
    )
    start = ninefold.load("cross").start(grid="792415863")
    assert again.exploitability(GAME, "random") == float(exploitability(random_policy, start))
