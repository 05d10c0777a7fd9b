"""Matrix games, solved exactly: two players choose in secret, one a row and one a column.

The row player wants the entry where they cross, the payoff, to be large and the column player wants it
small. Everything is in integers: the entries, and mixtures as weights over a common total.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

Matrix = Sequence[Sequence[int]]
HEAVY = 1 << 16  # where `least_payoffs` starts: anything above 1 gets there, and this is rarely too small


class Solution(NamedTuple):
    """The value is `value / total`; row i is played with probability `rows[i] / total`.

    `total` is positive, and the weights of the rows and of the columns add up to it.
    """

    value: int
    total: int
    rows: tuple[int, ...]
    columns: tuple[int, ...]


def solve(matrix: Matrix) -> Solution:
    """The value of a game and an optimal mixture for each player; always the same for the same matrix.

    The matrix has at least one row and one column, and its rows are equally long. Where the best
    row and the best column meet in a saddle point, both mixtures are pure.
    """
    height, width = len(matrix), len(matrix[0])
    lows = [min(row) for row in matrix]
    highs = [max(column) for column in zip(*matrix, strict=True)]
    low, high = max(lows), min(highs)
    if low == high:
        row, column = lows.index(low), highs.index(high)
        return Solution(low, 1, _pure(row, height), _pure(column, width))
    return _simplex(matrix, shift=1 - min(lows))


def least_payoffs(matrix: Matrix) -> tuple[Fraction, ...]:
    """By row: its smallest expected payoff against any optimal mixture of the columns.

    Unlike the mixtures of `solve`, this does not depend on the order of rows and columns. It equals
    the value of the game exactly for the rows that some optimal mixture of the rows plays.

    For each row a second game is solved: its entries are `heavy` times the first game's, plus this
    row's payoff in their column. The columns' optimal mixture there minimizes
    `heavy * (the best row's payoff) + (this row's payoff)`. If it is also optimal in the first game,
    no optimal mixture leaves this row less. It is, once `heavy` is large enough.
    """
    value = solve(matrix)
    found = []
    for row in matrix:
        heavy = HEAVY
        while True:
            second = solve([[heavy * a + b for a, b in zip(other, row, strict=True)] for other in matrix])
            most = max([_dot(other, second.columns) for other in matrix])
            if most * value.total == value.value * second.total:
                break
            heavy *= heavy
        found.append(Fraction(_dot(row, second.columns), second.total))
    return tuple(found)


def certificate(matrix: Matrix, solution: Solution) -> bool:
    """Whether the two mixtures prove the value: each guarantees it against every reply.

    It takes only sums and products of the matrix, so it holds however the solution was found.
    """
    value, total, rows, columns = solution
    return (
        total > 0
        and (len(rows), len(columns)) == (len(matrix), len(matrix[0]))
        and sum(rows) == total == sum(columns)
        and min(rows) >= 0 <= min(columns)
        and all(_dot(rows, column) >= value for column in zip(*matrix, strict=True))
        and all(_dot(row, columns) <= value for row in matrix)
    )


def _pure(choice: int, count: int) -> tuple[int, ...]:
    return tuple([int(k == choice) for k in range(count)])


def _dot(a: Sequence[int], b: Sequence[int]) -> int:
    return sum([x * y for x, y in zip(a, b, strict=True)])


def _simplex(matrix: Matrix, shift: int) -> Solution:
    """The simplex method on the columns' problem, with `shift` added so that all entries are positive.

    The problem is to maximize sum(y) subject to matrix * y <= 1 and y >= 0. The value is 1 / sum(y),
    the columns' mixture is y / sum(y), and the rows' is the same of the dual. The tableau holds no
    fractions: every entry stands for itself over `scale`, the last pivot, and each division below
    leaves no remainder (Edmonds). The entering and leaving variables are those of smallest index
    (Bland's rule), so it terminates.

            columns         1
        +--------------+-------+
        |    matrix    |   1   |   one row per slack variable, numbered after the columns
        +--------------+-------+
        |      -1      |   0   |   the objective
        +--------------+-------+
    """
    height, width = len(matrix), len(matrix[0])
    tableau = [[entry + shift for entry in row] + [1] for row in matrix]
    tableau.append([-1] * width + [0])
    basic = list(range(width, width + height))  # the variable of each row
    nonbasic = list(range(width))  # the variable of each column
    scale = 1
    while True:
        objective = tableau[height]
        entering = [(nonbasic[j], j) for j in range(width) if objective[j] < 0]
        if not entering:
            break
        column = min(entering)[1]
        row = _leaving_row(tableau, basic, column)
        pivots = tableau[row]
        pivot = pivots[column]
        for i, entries in enumerate(tableau):
            if i != row:
                factor = entries[column]
                changed = [
                    (pivot * a - factor * b) // scale for a, b in zip(entries, pivots, strict=False)
                ]
                changed[column] = -factor
                tableau[i] = changed
        pivots[column] = scale
        scale = pivot
        basic[row], nonbasic[column] = nonbasic[column], basic[row]

    rows, columns = [0] * height, [0] * width
    for variable, entries in zip(basic, tableau, strict=False):
        if variable < width:
            columns[variable] = entries[-1]
    for variable, entry in zip(nonbasic, objective, strict=False):
        if variable >= width:
            rows[variable - width] = entry
    total = objective[-1]
    return Solution(scale - shift * total, total, tuple(rows), tuple(columns))


def _leaving_row(tableau: list[list[int]], basic: list[int], column: int) -> int:
    """The row that limits the entering variable most; among equals the one with the smallest variable."""
    best = -1
    for i, variable in enumerate(basic):
        entries = tableau[i]
        if entries[column] > 0:
            if best >= 0:
                limit = entries[-1] * tableau[best][column]
                least = tableau[best][-1] * entries[column]
                if limit > least or (limit == least and variable > basic[best]):
                    continue
            best = i
    return best
