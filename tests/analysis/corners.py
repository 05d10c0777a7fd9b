"""All optimal mixtures of a matrix game, found through their corners; shares no code with the package."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import lcm

Game = tuple[tuple[Fraction | int, ...], ...]  # the payoffs of the row player


@cache
def optimal_corners(game: Game, value: Fraction) -> frozenset[tuple[Fraction, ...]]:
    """The corners of the mixtures that get the row player this value: all others lie between them.

    A corner that plays n rows is the only mixture of these that gets exactly the value against
    certain n - 1 columns. That both players have one proves the value.
    """
    unit = lcm(value.denominator, *(entry.denominator for row in game for entry in row))
    rows = [[int(entry * unit) for entry in row] for row in game]
    columns = list(zip(*rows, strict=True))
    corners = set()
    for size in range(1, len(rows) + 1):
        for support in combinations(range(len(rows)), size):
            for tight in combinations(columns, size - 1):
                equations = [[*(column[i] for i in support), int(value * unit)] for column in tight]
                parts = only_solution([[1] * (size + 1), *equations])
                if parts is None or min(parts) < 0:
                    continue
                mixture = [Fraction(0)] * len(rows)
                for i, part in zip(support, parts, strict=True):
                    mixture[i] = part
                if all(payoff(mixture, column) >= value * unit for column in columns):
                    corners.add(tuple(mixture))
    return frozenset(corners)


def payoff(mixture: Sequence[Fraction], line: Sequence[Fraction | int]) -> Fraction:
    return sum((part * entry for part, entry in zip(mixture, line, strict=True) if part), Fraction(0))


def only_solution(equations: list[list[int]]) -> list[Fraction] | None:
    """Of as many linear equations as unknowns, by Cramer's rule; None if there is not exactly one."""
    *columns, right = zip(*equations, strict=True)
    whole = determinant(columns)
    if whole == 0:
        return None
    replaced = ([*columns[:k], right, *columns[k + 1 :]] for k in range(len(columns)))
    return [Fraction(determinant(one), whole) for one in replaced]


def determinant(square: Sequence[tuple[int, ...]]) -> int:
    if not square:
        return 1
    top, *rest = square
    return sum(
        (-1) ** k * entry * determinant([row[:k] + row[k + 1 :] for row in rest])
        for k, entry in enumerate(top)
        if entry
    )
