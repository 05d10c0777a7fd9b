"""Matrix games by another way than the package's: through their square parts (Shapley and Snow).

If all entries are positive, some square part of the matrix has mixtures that make its own rows and
columns equal and are optimal in the whole. So it is enough to try all the parts.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations

Row = list[Fraction]


@cache
def game_value(matrix: tuple[tuple[Fraction | int, ...], ...]) -> Fraction:
    """The expected payoff that the row player can guarantee."""
    shift = 1 - min(min(row) for row in matrix)
    positive = [[Fraction(entry) + shift for entry in row] for row in matrix]
    height, width = len(positive), len(positive[0])
    for size in range(1, min(height, width) + 1):
        for rows in combinations(range(height), size):
            for columns in combinations(range(width), size):
                value = _value_of_part(positive, rows, columns)
                if value is not None:
                    return value - shift
    raise AssertionError("a matrix game without a value")


def _value_of_part(matrix: list[Row], rows: tuple[int, ...], columns: tuple[int, ...]) -> Fraction | None:
    part = [[matrix[i][j] for j in columns] for i in rows]
    y = _equalize(part)
    x = _equalize([list(column) for column in zip(*part, strict=True)])
    if y is None or x is None or min(y) < 0 or min(x) < 0:
        return None
    for row in matrix:
        if sum(row[j] * share for j, share in zip(columns, y, strict=True)) > 1:
            return None
    for column in zip(*matrix, strict=True):
        if sum(column[i] * share for i, share in zip(rows, x, strict=True)) < 1:
            return None
    return 1 / sum(y, Fraction(0))


def _equalize(square: list[Row]) -> Row | None:
    """The z with square * z = (1, ..., 1), by elimination; None if there is not exactly one."""
    size = len(square)
    work = [[*row, Fraction(1)] for row in square]
    for k in range(size):
        pivot = next((i for i in range(k, size) if work[i][k] != 0), None)
        if pivot is None:
            return None
        work[k], work[pivot] = work[pivot], work[k]
        work[k] = [entry / work[k][k] for entry in work[k]]
        for i in range(size):
            if i != k and work[i][k] != 0:
                factor = work[i][k]
                work[i] = [a - factor * b for a, b in zip(work[i], work[k], strict=True)]
    return [row[-1] for row in work]
