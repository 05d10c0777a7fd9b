"""Matrix games: values against another method, mixtures by their certificates."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold.analysis.matrix import Solution, certificate, least_payoffs, solve

from .corners import optimal_corners, payoff
from .square import game_value

Rows = list[list[int]]


def value_of(solution: Solution) -> Fraction:
    return Fraction(solution.value, solution.total)


def random_matrix(rng: Random, most: int = 5) -> Rows:
    """Of any shape, often degenerate: few different entries, equal rows, equal columns."""
    height, width = rng.randint(1, most), rng.randint(1, most)
    reach = rng.choice((1, 1, 2, 5, 30, 10**12))
    rows = [[rng.randint(-reach, reach) for _ in range(width)] for _ in range(height)]
    if rng.random() < 0.3:
        rows[rng.randrange(height)] = list(rng.choice(rows))
    if rng.random() < 0.3:
        source, target = rng.randrange(width), rng.randrange(width)
        for row in rows:
            row[target] = row[source]
    return rows


matrices = st.tuples(st.integers(1, 5), st.integers(1, 5), st.integers(1, 9)).flatmap(
    lambda shape: st.lists(
        st.lists(st.integers(-shape[2], shape[2]), min_size=shape[0], max_size=shape[0]),
        min_size=shape[1],
        max_size=shape[1],
    )
)


@pytest.mark.parametrize(
    ("matrix", "value", "rows", "columns"),
    [
        pytest.param([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0, "1/3 1/3 1/3", "1/3 1/3 1/3", id="rock"),
        pytest.param([[1, -1], [-1, 1]], 0, "1/2 1/2", "1/2 1/2", id="pennies"),
        pytest.param([[3, -1], [-2, 4]], Fraction(1), "3/5 2/5", "1/2 1/2", id="two by two"),
        pytest.param([[7]], 7, "1", "1", id="no choice"),
        pytest.param([[4, 1, 3], [2, 0, 9]], 1, "1 0", "0 1 0", id="a saddle point"),
        pytest.param([[0, 0], [0, 0]], 0, "1 0", "1 0", id="nothing to win"),
        pytest.param(
            [[0, 0, 1], [0, 0, 1], [1, 1, 0]], Fraction(1, 2), "1/2 0 1/2", "1/2 0 1/2", id="twins"
        ),
        pytest.param([[0, 2, 9], [1, 0, 9]], Fraction(2, 3), "1/3 2/3", "2/3 1/3 0", id="a bad column"),
    ],
)
def test_known_games_have_their_known_solutions(
    matrix: Rows, value: Fraction, rows: str, columns: str
) -> None:
    solution = solve(matrix)
    assert value_of(solution) == value
    assert [Fraction(w, solution.total) for w in solution.rows] == [Fraction(t) for t in rows.split()]
    assert [Fraction(w, solution.total) for w in solution.columns] == [
        Fraction(t) for t in columns.split()
    ]


@pytest.mark.parametrize("seed", range(10))
def test_values_are_those_of_the_square_parts(seed: int) -> None:
    rng = Random(seed)
    for _ in range(250):
        matrix = random_matrix(rng, most=4)
        solution = solve(matrix)
        assert certificate(matrix, solution), matrix
        assert value_of(solution) == game_value(tuple(map(tuple, matrix))), matrix


def test_five_by_five_values_are_those_of_the_square_parts() -> None:
    rng = Random(5)
    for reach in (1, 3, 1000):
        for _ in range(25):
            matrix = [[rng.randint(-reach, reach) for _ in range(5)] for _ in range(5)]
            assert value_of(solve(matrix)) == game_value(tuple(map(tuple, matrix))), matrix


def test_every_two_by_two_game_follows_the_textbook() -> None:
    for a, b, c, d in product(range(-3, 4), repeat=4):
        best, worst = max(min(a, b), min(c, d)), min(max(a, c), max(b, d))
        expected = Fraction(best) if best == worst else Fraction(a * d - b * c, a + d - b - c)
        assert value_of(solve([[a, b], [c, d]])) == expected


def test_every_small_degenerate_game_ends_with_a_certificate() -> None:
    for entries in product(range(3), repeat=9):
        matrix = [entries[0:3], entries[3:6], entries[6:9]]
        assert certificate(matrix, solve(matrix)), matrix


def test_thousands_of_games_of_all_shapes_end_with_a_certificate() -> None:
    rng = Random(7)
    for _ in range(5000):
        matrix = random_matrix(rng, most=7)
        assert certificate(matrix, solve(matrix)), matrix


def test_the_five_by_five_games_of_zeros_and_ones_end_with_a_certificate() -> None:
    rng = Random(9)
    for _ in range(5000):
        matrix = [[rng.getrandbits(1) for _ in range(5)] for _ in range(5)]
        assert certificate(matrix, solve(matrix)), matrix


@given(matrices)
def test_any_game_has_a_certificate(matrix: Rows) -> None:
    assert certificate(matrix, solve(matrix))


@given(matrices, st.integers(-20, 20), st.integers(1, 9))
def test_adding_and_scaling_pass_to_the_value(matrix: Rows, more: int, factor: int) -> None:
    changed = [[entry * factor + more for entry in row] for row in matrix]
    assert value_of(solve(changed)) == value_of(solve(matrix)) * factor + more


@given(matrices)
def test_the_players_changing_places_turns_the_value_round(matrix: Rows) -> None:
    turned = [[-entry for entry in column] for column in zip(*matrix, strict=True)]
    assert value_of(solve(turned)) == -value_of(solve(matrix))


@given(matrices)
def test_a_solution_is_the_same_every_time(matrix: Rows) -> None:
    assert solve(matrix) == solve(tuple(map(tuple, matrix)))


@pytest.mark.parametrize("seed", range(5))
def test_a_row_brings_at_least_what_it_does_at_the_worst_corner(seed: int) -> None:
    rng = Random(f"least {seed}")
    several = 0
    for _ in range(200):
        matrix = random_matrix(rng, most=4)
        value = value_of(solve(matrix))
        turned = tuple(tuple(-entry for entry in column) for column in zip(*matrix, strict=True))
        corners = optimal_corners(turned, -value)
        several += len(corners) > 1
        assert least_payoffs(matrix) == tuple(min(payoff(y, row) for y in corners) for row in matrix), (
            matrix
        )
        used = [
            any(parts) for parts in zip(*optimal_corners(tuple(map(tuple, matrix)), value), strict=True)
        ]
        assert [brought == value for brought in least_payoffs(matrix)] == used
    assert several > 20


ROCK = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
EVEN = (1, 1, 1)


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(Solution(1, 3, EVEN, EVEN), id="the rows do not get that much"),
        pytest.param(Solution(-1, 3, EVEN, EVEN), id="the columns give more"),
        pytest.param(Solution(0, 3, (3, 0, 0), EVEN), id="rows that can be beaten"),
        pytest.param(Solution(0, 3, EVEN, (0, 3, 0)), id="columns that can be beaten"),
        pytest.param(Solution(0, 4, EVEN, EVEN), id="weights short of the total"),
        pytest.param(Solution(0, 3, EVEN, (2, 2, 2)), id="weights over the total"),
        pytest.param(Solution(0, 0, (0, 0, 0), (0, 0, 0)), id="no weights"),
        pytest.param(Solution(0, 1, (1, -1, 1), (1, -1, 1)), id="negative weights"),
        pytest.param(Solution(0, 3, (1, 1, 1, 0), EVEN), id="a row too many"),
        pytest.param(Solution(0, 3, EVEN, (1, 2)), id="a column too few"),
    ],
)
def test_a_false_solution_gets_no_certificate(wrong: Solution) -> None:
    assert certificate(ROCK, Solution(0, 3, EVEN, EVEN))
    assert not certificate(ROCK, wrong)


def test_negative_weights_alone_void_a_certificate() -> None:
    assert not certificate([[1, 1], [1, 1]], Solution(1, 1, (2, -1), (1, 0)))
    assert not certificate([[1, 1], [1, 1]], Solution(1, 1, (1, 0), (2, -1)))
