"""A curve of chances: a line through the positions of a match, filled up to the middle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

HEIGHT = 100
MARGIN = 12  # above and below, in the curve's own units
MIDDLE = HEIGHT / 2


@dataclass(frozen=True, slots=True)
class Point:
    """A position on the curve. Its place is in percent of the width and of the height."""

    count: int  # how many moves have been made
    x: float
    y: float
    says: str
    wrong: bool  # a mistake led here
    decides: bool  # the move that lost the match led here
    here: bool


@dataclass(frozen=True, slots=True)
class Curve:
    points: list[Point]
    above: str  # what is filled above the middle, as points of a polygon
    below: str
    marks: tuple[str, str]  # of whom it shows the chances, and of the other

    @property
    def line(self) -> str:
        return _join([(point.x, point.y) for point in self.points])


def draw_curve(
    counts: Sequence[int],
    chances: Sequence[float],
    *,
    says: Sequence[str],
    marks: tuple[str, str],
    wrong: Sequence[bool],
    decides: Sequence[bool],
    here: int,
) -> Curve:
    """A curve through these chances, from 0 to 1, each in the middle of a column of its own."""
    width = 100 / len(counts)
    places = [
        ((column + 0.5) * width, MARGIN + (1 - chance) * (HEIGHT - 2 * MARGIN))
        for column, chance in enumerate(chances)
    ]
    points = [
        Point(count, x, y, said, bad, lost, count == here)
        for count, (x, y), said, bad, lost in zip(counts, places, says, wrong, decides, strict=True)
    ]
    return Curve(points, _fill(places, min), _fill(places, max), marks)


def _fill(places: Sequence[tuple[float, float]], pick: Callable[[float, float], float]) -> str:
    """What lies between the curve and the middle, on the side that `pick` chooses."""
    crossed = [places[0]]
    for (x, y), (u, v) in pairwise(places):
        if (y - MIDDLE) * (v - MIDDLE) < 0:
            crossed.append((x + (u - x) * (MIDDLE - y) / (v - y), MIDDLE))
        crossed.append((u, v))
    ends = (places[0][0], MIDDLE), (places[-1][0], MIDDLE)
    return _join([ends[0], *((x, pick(y, MIDDLE)) for x, y in crossed), ends[1]])


def _join(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in places)
