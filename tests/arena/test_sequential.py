"""The sequential test decides as fastchess does, errs as rarely as it says, and keeps its decision."""

from __future__ import annotations

import json
import random

import pytest

from ninefold.arena.sequential import BOUND, SCORES, SequentialTest, decide, log_likelihood_ratio
from ninefold.commands import main


def test_the_calculator_agrees_with_fastchess(capsys: pytest.CaptureFixture[str]) -> None:
    counts = "379,10170,21828,10640,343"
    assert main(["arena", "test", "--counts", counts, "--elo", "0,2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["llr"] == pytest.approx(2.9454954, abs=1e-6)
    assert found["decision"] == "H1"


def test_a_count_of_zero_stands_for_a_thousandth() -> None:
    assert log_likelihood_ratio([0, 3, 9, 4, 0], (0, 20)) == pytest.approx(
        log_likelihood_ratio([1e-3, 3, 9, 4, 1e-3], (0, 20))
    )


def test_swapping_the_players_and_the_hypotheses_changes_the_sign() -> None:
    counts = [3, 10, 20, 14, 6]
    there = log_likelihood_ratio(counts, (0, 30))
    assert log_likelihood_ratio(counts[::-1], (0, -30)) == pytest.approx(there, abs=1e-9)


def test_all_wins_and_all_losses_are_decided() -> None:
    assert decide(log_likelihood_ratio([0, 0, 0, 0, 50], (0, 20))) == "H1"
    assert decide(log_likelihood_ratio([50, 0, 0, 0, 0], (0, 20))) == "H0"


def test_pairs_count_in_order_and_the_decision_is_frozen() -> None:
    scores = [1.0, 0.5, 1.0, 0.75] * 30
    straight, mixed = SequentialTest((0, 50)), SequentialTest((0, 50))
    for number, score in enumerate(scores):
        straight.add(number, score)
    numbers = list(range(len(scores)))
    random.Random(1).shuffle(numbers)
    for number in numbers:
        mixed.add(number, scores[number])
    assert straight.to_data() == mixed.to_data()
    assert straight.decision == "H1"
    assert sum(straight.counts) < len(scores)
    before = straight.to_data()
    for number in range(len(scores), 2 * len(scores)):
        straight.add(number, 0.0)
    assert straight.to_data() == before
    assert abs(straight.ratio) >= BOUND


def share_accepted(elo: float, runs: int, bounds: tuple[float, float], seed: int) -> float:
    """How often H1 is accepted if the true normalized Elo is `elo`, in simulated pairs."""
    from ninefold.arena.sequential import PER_ELO, _most_likely

    chances = _most_likely([0.1, 0.2, 0.4, 0.2, 0.1], elo * PER_ELO)
    rng = random.Random(seed)
    accepted = 0
    for _ in range(runs):
        counts = [0] * len(SCORES)
        decision = "continue"
        while decision == "continue":
            for at in rng.choices(range(len(SCORES)), chances, k=4):
                counts[at] += 1
            decision = decide(log_likelihood_ratio(counts, bounds))
        accepted += decision == "H1"
    return accepted / runs


def test_both_error_rates_are_about_as_stated() -> None:
    assert share_accepted(0, 60, (0, 150), seed=1) <= 0.15
    assert share_accepted(150, 60, (0, 150), seed=2) >= 0.85


@pytest.mark.long
def test_both_error_rates_are_as_stated() -> None:
    assert share_accepted(0, 1000, (0, 100), seed=1) <= 0.07
    assert share_accepted(100, 1000, (0, 100), seed=2) >= 0.93
