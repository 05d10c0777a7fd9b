"""The 3x3 grid: its lines, its symmetries, and how a cell is written."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, permutations

import pytest

from ninefold.core.errors import MalformedMove
from ninefold.core.grid import (
    CELLS,
    COLUMNS,
    DIAGONALS,
    LINES,
    LINES_THROUGH,
    ROWS,
    SYMMETRIES,
    LineKind,
    cell_text,
    read_cell,
    read_number,
)
from ninefold.core.outcome import WonLine, made_line

# Lines


def test_there_are_nine_cells_row_by_row() -> None:
    assert CELLS == (0, 1, 2, 3, 4, 5, 6, 7, 8)


def test_the_lines_are_three_rows_three_columns_and_two_diagonals() -> None:
    assert [line.cells for line in ROWS] == [(0, 1, 2), (3, 4, 5), (6, 7, 8)]
    assert [line.cells for line in COLUMNS] == [(0, 3, 6), (1, 4, 7), (2, 5, 8)]
    assert [line.cells for line in DIAGONALS] == [(0, 4, 8), (2, 4, 6)]
    assert (*ROWS, *COLUMNS, *DIAGONALS) == LINES


def test_every_line_knows_its_kind() -> None:
    assert {line.kind for line in ROWS} == {LineKind.ROW}
    assert {line.kind for line in COLUMNS} == {LineKind.COLUMN}
    assert {line.kind for line in DIAGONALS} == {LineKind.DIAGONAL}
    assert [str(kind) for kind in LineKind] == ["row", "column", "diagonal"]


def test_three_cells_are_a_line_exactly_if_they_lie_evenly_on_a_straight_one() -> None:
    straight = set()
    for a, b, c in combinations(CELLS, 3):
        step = (b // 3 - a // 3, b % 3 - a % 3)
        if (c // 3 - b // 3, c % 3 - b % 3) == step:
            straight.add(frozenset((a, b, c)))
    assert {frozenset(line.cells) for line in LINES} == straight
    assert len(LINES) == len(straight) == 8


def test_a_corner_lies_on_3_lines_an_edge_on_2_and_the_centre_on_4() -> None:
    assert [len(lines) for lines in LINES_THROUGH] == [3, 2, 3, 2, 4, 2, 3, 2, 3]
    for cell, lines in enumerate(LINES_THROUGH):
        assert list(lines) == [line for line in LINES if cell in line.cells]


# Symmetries

# Where a cell at (row, column) goes, in the order of the drawings in grid.py.
MOTIONS: dict[str, Callable[[int, int], tuple[int, int]]] = {
    "as it is": lambda row, col: (row, col),
    "a quarter turn": lambda row, col: (col, 2 - row),
    "half a turn": lambda row, col: (2 - row, 2 - col),
    "three quarters": lambda row, col: (2 - col, row),
    "mirrored": lambda row, col: (row, 2 - col),
    "mirrored, a quarter turn": lambda row, col: (2 - col, 2 - row),
    "mirrored, half a turn": lambda row, col: (2 - row, col),
    "mirrored, three quarters": lambda row, col: (col, row),
}

PICTURES = """
    0 1 2      6 3 0            8 7 6         2 5 8            2 1 0   8 5 2   6 7 8   0 3 6
    3 4 5      7 4 1            5 4 3         1 4 7            5 4 3   7 4 1   3 4 5   1 4 7
    6 7 8      8 5 2            2 1 0         0 3 6            8 7 6   6 3 0   0 1 2   2 5 8
"""


@pytest.mark.parametrize(
    ("symmetry", "motion"), zip(SYMMETRIES, MOTIONS.values(), strict=True), ids=MOTIONS
)
def test_a_symmetry_carries_each_cell_where_its_motion_does(
    symmetry: tuple[int, ...], motion: Callable[[int, int], tuple[int, int]]
) -> None:
    for cell in CELLS:
        row, col = motion(*divmod(cell, 3))
        assert symmetry[cell] == 3 * row + col


def test_the_drawn_pictures_show_which_content_stands_where_afterwards() -> None:
    rows = [line.split() for line in PICTURES.strip().splitlines()]
    for k, symmetry in enumerate(SYMMETRIES):
        after = [int(row[3 * k + col]) for row in rows for col in range(3)]
        content = [0] * 9
        for cell in CELLS:
            content[symmetry[cell]] = cell
        assert content == after


def test_there_are_eight_different_symmetries() -> None:
    assert len(set(SYMMETRIES)) == len(SYMMETRIES) == 8
    for symmetry in SYMMETRIES:
        assert sorted(symmetry) == list(CELLS)


def test_the_symmetries_form_a_group() -> None:
    for one in SYMMETRIES:
        for other in SYMMETRIES:
            assert tuple(other[one[cell]] for cell in CELLS) in SYMMETRIES
        inverse = tuple(one.index(cell) for cell in CELLS)
        assert inverse in SYMMETRIES
    assert tuple(CELLS) in SYMMETRIES


def test_the_symmetries_are_all_the_ways_to_carry_lines_onto_lines() -> None:
    lines = {frozenset(line.cells) for line in LINES}
    keeping = {
        way
        for way in permutations(CELLS)
        if all(frozenset((way[a], way[b], way[c])) in lines for a, b, c in map(sorted, lines))
    }
    assert keeping == set(SYMMETRIES)


# Lines that are made


def test_a_made_line_is_full_goes_through_the_cell_and_has_the_total() -> None:
    # 4 9 2
    # 3 5 7
    # 8 1 0
    numbers = (4, 9, 2, 3, 5, 7, 8, 1, 0)
    assert made_line(numbers, 0, 15) == WonLine(ROWS[0], (4, 9, 2))
    assert made_line(numbers, 6, 15) == WonLine(COLUMNS[0], (4, 3, 8))
    assert made_line(numbers, 7, 15) == WonLine(COLUMNS[1], (9, 5, 1))
    assert made_line(numbers, 8, 9) is None, "8 + 1 + nothing is no line"
    assert made_line(numbers, 0, 14) is None
    assert made_line((0,) * 9, 4, 0) is None


def test_negative_numbers_make_a_line_with_a_negative_total() -> None:
    numbers = (-4, -9, -2, 3, -5, -7, -8, 1, -6)
    assert made_line(numbers, 0, -15) == WonLine(ROWS[0], (4, 9, 2))
    assert made_line(numbers, 0, 15) is None
    assert made_line(numbers, 3, -9) is None, "-4 + 3 - 8 are not of one player"


# Cells as text


@pytest.mark.parametrize("origin", [0, 1])
def test_a_cell_round_trips_through_its_text(origin: int) -> None:
    for cell in CELLS:
        assert read_cell(cell_text(cell, origin), origin) == cell
    assert len({cell_text(cell, origin) for cell in CELLS}) == 9


def test_a_cell_is_written_row_first_counted_from_the_origin() -> None:
    assert [cell_text(cell) for cell in (0, 1, 3, 8)] == ["1,1", "1,2", "2,1", "3,3"]
    assert [cell_text(cell, origin=0) for cell in (0, 1, 3, 8)] == ["0,0", "0,1", "1,0", "2,2"]


@pytest.mark.parametrize(
    "text",
    [
        "1,2",
        "1 2",
        "12",
        "(1, 2)",
        "(1,2)",
        "[1,2]",
        " 1 , 2 ",
        "1;2",
        "1:2",
        "1/2",
        "1.2",
        "r1c2",
        "row 1 col 2",
        "Row 1, Column 2",
        "ROW1COL2",
        "\t1,2\n",
    ],
)
def test_a_position_is_read_as_people_type_it(text: str) -> None:
    assert read_cell(text) == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "1",
        "1,2,3",
        "a,b",
        "1,",
        ",1",
        "one two",
        "1,,2",
        "-1,2",
        "1 -2",
        "1-2",
        "\u00b2,1",
        "\u0661,\u0661",
    ],
)
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(MalformedMove, match=r"is (not|more than) a row and a column"):
        read_cell(text)


@pytest.mark.parametrize(
    ("text", "origin"), [("0,1", 1), ("4,1", 1), ("1,4", 1), ("1,0", 1), ("3,0", 0), ("0,3", 0)]
)
def test_a_position_off_the_grid_is_refused_with_its_bounds(text: str, origin: int) -> None:
    with pytest.raises(
        MalformedMove, match=f'"{text}" is not on the grid.*numbered {origin} to {origin + 2}'
    ):
        read_cell(text, origin)


def test_a_number_is_one_digit_from_1_to_9() -> None:
    assert [read_number(f" {number} ") for number in range(1, 10)] == list(range(1, 10))
    for text in ("0", "10", "", "-1", "five", "5.0", "\u00b2", "\u0663"):
        with pytest.raises(MalformedMove, match="not a number from 1 to 9"):
            read_number(text)
