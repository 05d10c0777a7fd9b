"""The fit recovers known strengths, its intervals cover them, and the first move cancels."""

from __future__ import annotations

import random
from math import exp

import pytest

from ninefold.arena import ratings
from ninefold.arena.ratings import ANCHOR, ELO, Pair, Ratings, rate

TRUE = {"a": 0.0, "b": 0.5, "c": 1.2, "d": -0.7}  # logits
FIRST = {"one": 0.8, "two": -0.4}


def simulate(pairs: int, seed: int, true: dict[str, float] = TRUE) -> list[Pair]:
    """Pairs between players of these strengths in games with these advantages for the first player."""
    rng = random.Random(seed)
    names = [*true]
    found = []
    for game, edge in FIRST.items():
        for k, one in enumerate(names):
            for other in names[k + 1 :]:
                for _ in range(pairs):
                    chances = [1 / (1 + exp(-(true[one] - true[other] + e))) for e in (edge, -edge)]
                    first, second = (float(rng.random() < chance) for chance in chances)
                    found.append(Pair(game, one, other, (first, second)))
    return found


def elos(found: Ratings) -> dict[str, float]:
    return {one.player: one.elo for one in found.players if one.elo is not None}


def test_known_strengths_and_first_moves_are_recovered() -> None:
    found = rate(simulate(2000, 1), "a")
    for name, elo in elos(found).items():
        assert elo == pytest.approx(ANCHOR + ELO * TRUE[name], abs=25)
    for game, (share, (low, high)) in found.first_move.items():
        assert share == pytest.approx(1 / (1 + exp(-FIRST[game])), abs=0.02)
        assert low < share < high
    assert [one.player for one in found.players] == ["c", "b", "a", "d"]
    assert all(not one.note for one in found.players)


def count_covered(trials: int, pairs: int) -> tuple[int, int]:
    covered = total = 0
    for seed in range(trials):
        for one in rate(simulate(pairs, seed), "a", seed).players:
            if one.interval is not None:
                total += 1
                covered += one.interval[0] <= ANCHOR + ELO * TRUE[one.player] <= one.interval[1]
    return covered, total


def test_most_intervals_cover_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "RESAMPLES", 100)
    covered, total = count_covered(20, 50)
    assert 0.85 <= covered / total <= 1.0


@pytest.mark.long
def test_intervals_cover_at_the_stated_rate() -> None:
    covered, total = count_covered(200, 100)
    assert 0.92 <= covered / total <= 0.98


def test_a_planted_first_move_advantage_cancels() -> None:
    equal = dict.fromkeys("ab", 0.0)
    found = rate(simulate(3000, 3, equal), "a")
    assert elos(found)["b"] == pytest.approx(ANCHOR, abs=20)


def test_a_pair_counts_as_one_drawn_sample() -> None:
    """If both games of each pair go the same way, the interval is as wide as for half the games."""
    rng = random.Random(5)
    same = [Pair("one", "a", "b", (x, x)) for x in (float(rng.random() < 0.6) for _ in range(200))]
    split = [Pair("one", "a", "b", (1.0, 0.0) if k % 2 else (0.0, 1.0)) for k in range(200)]
    wide, narrow = (rate(pairs, "a").players for pairs in (same, split))
    spans = [
        high - low
        for found in (wide, narrow)
        for one in found
        if one.interval
        for low, high in [one.interval]
    ]
    assert spans[0] > 60
    assert spans[1] < 1


def test_whoever_won_everything_gets_a_labeled_rating_within_reason() -> None:
    found = rate([Pair("one", "a", "b", (1.0, 1.0))] * 20, "a")
    assert ANCHOR - 1000 < elos(found)["b"] < ANCHOR - 200
    assert all("won everything" in one.note for one in found.players)


def test_one_pair_is_labeled() -> None:
    found = rate([Pair("one", "a", "b", (1.0, 0.0))], "a")
    assert elos(found) == pytest.approx({"a": ANCHOR, "b": ANCHOR}, abs=1)
    assert all("only 1 pair" in one.note for one in found.players)


def test_players_who_never_met_are_not_compared() -> None:
    pairs = [Pair("one", *names, (1.0, 0.0)) for names in (("a", "b"), ("c", "d")) for _ in range(20)]
    found = {one.player: one for one in rate(pairs, "a").players}
    assert found["c"].elo is None
    assert "never met" in found["c"].note
    assert found["b"].elo is not None


def test_no_pairs_give_no_ratings() -> None:
    assert rate([], "a").players == ()
