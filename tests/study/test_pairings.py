"""Exact scores between players, against figures that are known and plain enumeration."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

import ninefold
from ninefold import Seat, SetupError, State
from ninefold.players import policy_of
from ninefold.players.policy import Policy
from ninefold.study import exact_score

NONE = Fraction(0)


def named(name: str) -> Policy:
    policy = policy_of(name)
    assert policy is not None
    return policy


def enumerated(policies: tuple[Policy, Policy], state: State[Any]) -> Fraction:
    """The first player's chance by following every move: no table, no classes."""
    if state.outcome is not None:
        return Fraction(state.outcome.winner is Seat.FIRST)
    first, *others = state.movers
    total = NONE
    for move, part in policies[first](state, first).items():
        after = state.play(move, first)
        if not others:
            total += part * enumerated(policies, after)
        for other in others:
            replies = policies[other](state, other).items()
            total += part * sum(
                (q * enumerated(policies, after.play(m, other)) for m, q in replies), NONE
            )
    return total


@pytest.mark.parametrize(("slug", "first"), [("battle", "13/18"), ("cross", "43/105")])
def test_random_against_random_over_all_deals(slug: str, first: str) -> None:
    found = exact_score(named("random"), named("random"), slug)
    assert found.first == Fraction(first)
    assert found.second == 1 - Fraction(first)
    assert found.score == Fraction(1, 2)


def test_random_against_random_in_conquest() -> None:
    assert float(exact_score(named("random"), named("random"), "conquest").first) == pytest.approx(
        0.548644, abs=5e-7
    )


@pytest.mark.parametrize("names", [("random", "greedy"), ("level:3", "random"), ("sight:1", "level:7")])
def test_a_grid_has_the_score_of_plain_enumeration(names: tuple[str, str]) -> None:
    one, other = map(named, names)
    start = ninefold.load("cross").start(grid="792415863")
    found = exact_score(one, other, "cross", grid="792415863")
    assert found.first == enumerated((one, other), start)
    assert found.second == 1 - enumerated((other, one), start)


def test_deals_stand_for_all_grids() -> None:
    """Of cross: every 500th grid has a deal with the same sums, and each deal stands for 72."""
    from ninefold.analysis.taking import deals, same

    game = ninefold.load("cross")
    found = [*deals(game, {})]
    assert {count for _, count in found} == {72}
    assert len(found) * 72 == 362_880
    keys = {same(game.set_up(setup)) for setup, _ in found}  # type: ignore[arg-type]
    for k, digits in enumerate(permutations("123456789")):
        if k % 500 == 0:
            assert same(game.start(grid="".join(digits))) in keys  # type: ignore[arg-type]


def test_perfect_play_scores_the_value() -> None:
    perfect = named("perfect")
    assert exact_score(perfect, perfect, "conquest", size=2).first == Fraction(457, 700)
    assert exact_score(perfect, named("random"), "battle").first == 1


def test_a_stronger_level_scores_more_than_half() -> None:
    assert exact_score(named("level:6"), named("level:5"), "battle").score > Fraction(1, 2)


@pytest.mark.long
@pytest.mark.parametrize("low", range(1, 9))
@pytest.mark.parametrize(
    ("slug", "setup"), [("battle", {}), ("cross", {"grid": "792415863"}), ("conquest", {})]
)
def test_each_level_is_stronger_than_the_one_below(slug: str, setup: dict[str, Any], low: int) -> None:
    found = exact_score(named(f"level:{low + 1}"), named(f"level:{low}"), slug, **setup)
    assert found.score > Fraction(13, 25)


@pytest.mark.parametrize(
    ("slug", "why"), [("shadow", "more than 300 positions"), ("pattern", "in circles")]
)
def test_what_cannot_be_computed_is_refused(slug: str, why: str) -> None:
    setup: dict[str, Any] = {"target": 15} if slug == "shadow" else {}
    with pytest.raises(SetupError, match=why):
        exact_score(named("random"), named("random"), slug, most=300, **setup)
