"""Ratings: one Bradley-Terry fit over all games, with a term for the first move of each game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import log
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

ELO = 400 / log(10)  # by which a logit is multiplied
ANCHOR = 1500.0  # the rating of the player that the others are compared with
RESAMPLES = 300
PRIOR = 0.01  # holds the mean at 0, and a resample in which somebody won everything within reason
FEW = 10  # pairs; an interval from fewer says little


class Pair(NamedTuple):
    """A pair: `one` had the first move in its first game, `other` in its second. Scores are of `one`."""

    game: str
    one: str
    other: str
    scores: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating with its 95% interval, or why there is none. `note` says what limits it."""

    player: str
    elo: float | None
    interval: tuple[float, float] | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Ratings:
    """The players, best first; by game, the first player's share between equals, with its interval."""

    players: tuple[Rating, ...]
    first_move: dict[str, tuple[float, tuple[float, float]]] = field(default_factory=dict)


def rate(pairs: Iterable[Pair], anchor: str, seed: int = 0) -> Ratings:
    """Rate everybody who played. Intervals come from resampling pairs, never single games.

    Players whom no chain of games joins to the anchor have no rating. Where somebody won or lost
    everything, the likeliest rating would be infinite: then every two players who met get one more pair,
    drawn, and the note says so.
    """
    import numpy as np

    kinds = Counter(sorted(pairs))  # the order in which they were played decides nothing
    games = sorted({pair.game for pair in kinds})
    names = sorted({name for pair in kinds for name in (pair.one, pair.other)})
    weak, strong = _joined(kinds, names)
    rated = [name for name in names if anchor in names and weak[name] == weak[anchor]]
    kinds = Counter({pair: n for pair, n in kinds.items() if pair.one in rated})
    played = Counter[str]()
    for pair, count in kinds.items():
        played.update({pair.one: count, pair.other: count})
    bounded = len({strong[name] for name in rated}) > 1
    if bounded:
        for game, one, other in sorted({pair[:3] for pair in kinds}):
            kinds[Pair(game, one, other, (0.5, 0.5))] += 1
    apart = tuple(
        Rating(name, None, None, f"never met {anchor}, even by way of others")
        for name in names
        if name not in rated
    )
    if not rated:
        return Ratings(apart)
    fit = _Fit([*kinds], rated, games)
    counts = np.array([*kinds.values()], np.float64)
    best = fit.solve(counts)
    rng = np.random.default_rng(seed)
    again = np.array([fit.solve(fit.resample(counts, rng), best) for _ in range(RESAMPLES)])
    at = rated.index(anchor)
    elos, others = [ELO * (one - one[..., at, None]) + ANCHOR for one in (best, again)]
    low, high = np.percentile(others, (2.5, 97.5), axis=0)
    players = []
    for k, name in enumerate(rated):
        few = played[name] < FEW
        notes = [f"only {played[name]} pair{'s' if played[name] > 1 else ''}"] if few else []
        notes += ["somebody won everything: limited by one drawn pair"] if bounded else []
        span = None if name == anchor else (float(low[k]), float(high[k]))
        players.append(Rating(name, float(elos[k]), span, "; ".join(notes)))
    players.sort(key=lambda rating: (-(rating.elo or 0), rating.player))
    share = 1 / (1 + np.exp(-np.vstack([best, again])[:, len(rated) :]))
    edges = np.percentile(share[1:], (2.5, 97.5), axis=0)
    first = {
        game: (float(share[0, k]), (float(edges[0, k]), float(edges[1, k])))
        for k, game in enumerate(games)
        if any(pair.game == game for pair in kinds)
    }
    return Ratings((*players, *apart), first)


def _joined(kinds: Iterable[Pair], names: Sequence[str]) -> tuple[dict[str, int], dict[str, int]]:
    """By player: a group joined by games; and one in which everybody has taken points from everybody."""
    import numpy as np
    from scipy.sparse.csgraph import connected_components

    table = np.zeros((len(names), len(names)))
    for pair in kinds:
        i, j = names.index(pair.one), names.index(pair.other)
        points = sum(pair.scores)
        table[i, j] += points
        table[j, i] += 2 - points
    found = (connected_components(table, connection=how)[1].tolist() for how in ("weak", "strong"))
    weak, strong = (dict(zip(names, labels, strict=True)) for labels in found)
    return weak, strong


class _Fit:
    """Newton's method on the logits of players, then of the first move by game."""

    def __init__(self, pairs: Sequence[Pair], names: Sequence[str], games: Sequence[str]) -> None:
        import numpy as np

        self.signs = np.zeros((2, len(pairs), len(names) + len(games)))
        self.scores = np.array([pair.scores for pair in pairs]).T.reshape(2, len(pairs))
        strata: dict[tuple[str, str, str], list[int]] = {}
        for k, pair in enumerate(pairs):
            strata.setdefault(pair[:3], []).append(k)
            for swapped in range(2):
                self.signs[swapped, k, names.index(pair.one)] += 1
                self.signs[swapped, k, names.index(pair.other)] -= 1
                self.signs[swapped, k, len(names) + games.index(pair.game)] = -1 if swapped else 1
        self.strata = [np.array(rows) for rows in strata.values()]

    def resample(self, counts: Array, rng: np.random.Generator) -> Array:
        """Draw as many pairs of each kind of pairing as there are, with replacement."""
        import numpy as np

        drawn = np.zeros_like(counts)
        for rows in self.strata:
            n = counts[rows].sum()
            drawn[rows] = rng.multinomial(int(n), counts[rows] / n)
        return drawn

    def solve(self, counts: Array, start: Array | None = None) -> Array:
        import numpy as np

        signs = self.signs.reshape(-1, self.signs.shape[-1])
        weights = np.concatenate([counts, counts])
        scores = self.scores.reshape(-1)
        used = weights > 0
        signs, weights, scores = signs[used], weights[used], scores[used]
        found: Array = np.zeros(signs.shape[1]) if start is None else start.copy()
        for _ in range(60):
            chance = 1 / (1 + np.exp(-np.clip(signs @ found, -40, 40)))
            slope = signs.T @ (weights * (scores - chance)) - PRIOR * found
            curve = (signs * (weights * chance * (1 - chance))[:, None]).T @ signs
            step: Any = np.linalg.solve(curve + PRIOR * np.eye(len(found)), slope)
            found = found + np.clip(step, -2, 2)
            if abs(step).max() < 1e-8:
                break
        return found
