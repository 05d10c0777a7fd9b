"""A sequential test: play pairs until one of two hypotheses about normalized Elo is accepted.

It is the generalized sequential probability ratio test that fastchess and Fishtest use, on pairs: see
Michel Van den Bergh, Comments on Normalized Elo.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from typing import Any

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of a pair
ERROR = 0.05  # the chance of either wrong decision
BOUND = log((1 - ERROR) / ERROR)
NONE = 1e-3  # stands for a count of 0
PER_ELO = sqrt(2) * log(10) / 800  # of a pair's score: its mean above one half, in standard deviations


def log_likelihood_ratio(counts: Sequence[float], elo: tuple[float, float]) -> float:
    """How much likelier the second normalized Elo makes the counts of pair scores than the first."""
    kept = [count or NONE for count in counts]
    total = sum(kept)
    parts = [count / total for count in kept]
    low, high = (_most_likely(parts, one * PER_ELO) for one in elo)
    return total * sum(p * log(q / r) for p, q, r in zip(parts, high, low, strict=True))


def decide(ratio: float) -> str:
    """`H1` if the higher Elo is accepted, `H0` if the lower one is, else `continue`."""
    return "H1" if ratio >= BOUND else "H0" if ratio <= -BOUND else "continue"


def _most_likely(parts: Sequence[float], t: float) -> list[float]:
    """The likeliest distribution of pair scores if the mean is `t` standard deviations above one half."""
    from scipy.optimize import brentq

    found = [1 / len(parts)] * len(parts)
    for _ in range(50):
        mean = sum(p * score for p, score in zip(found, SCORES, strict=True))
        deviation = sqrt(sum(p * (score - mean) ** 2 for p, score in zip(found, SCORES, strict=True)))
        slopes = [s - 0.5 - t * deviation * (1 + ((mean - s) / deviation) ** 2) / 2 for s in SCORES]
        low, high = -1 / max(slopes), -1 / min(slopes)
        edge = 1e-12 * (high - low)  # the function has poles at both ends

        def gap(theta: float, slopes: list[float] = slopes) -> float:
            return sum(p * slope / (1 + theta * slope) for p, slope in zip(parts, slopes, strict=True))

        theta = brentq(gap, low + edge, high - edge, xtol=1e-14)
        before = found
        found = [p / (1 + theta * slope) for p, slope in zip(parts, slopes, strict=True)]
        if max(abs(one - other) for one, other in zip(before, found, strict=True)) < 1e-10:
            break
    return found


class SequentialTest:
    """A test under way. It takes pairs by number, in any order, and counts them in order.

    So the decision does not depend on which pair arrives first. Once it has fallen, it stays.
    """

    def __init__(self, elo: tuple[float, float]) -> None:
        self.elo = elo
        self.counts = [0] * len(SCORES)
        self.ratio = 0.0
        self.decision = "continue"
        self._early: dict[int, float] = {}  # pairs that have arrived before one with a lower number

    def add(self, number: int, score: float) -> None:
        """Count a pair, given the mean score of its two games."""
        self._early[number] = score
        while self.decision == "continue" and (pair := sum(self.counts)) in self._early:
            self.counts[SCORES.index(self._early.pop(pair))] += 1
            self.ratio = log_likelihood_ratio(self.counts, self.elo)
            self.decision = decide(self.ratio)

    def to_data(self) -> dict[str, Any]:
        counts = {"counts": self.counts, "pairs": sum(self.counts)}
        return {"llr": self.ratio, "decision": self.decision, "elo": list(self.elo), **counts}
