"""The 3x3 grid that the games share: cells, lines, symmetries, and how a cell is written.

A cell is its index, row by row:

    0 1 2
    3 4 5
    6 7 8
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from ninefold.core.errors import MalformedMove, quote

CELLS = tuple(range(9))


class LineKind(StrEnum):
    ROW = "row"
    COLUMN = "column"
    DIAGONAL = "diagonal"


@dataclass(frozen=True, slots=True)
class Line:
    """Three cells in a straight line, from the top or the left."""

    kind: LineKind
    cells: tuple[int, int, int]


ROWS = tuple(Line(LineKind.ROW, (3 * r, 3 * r + 1, 3 * r + 2)) for r in range(3))
COLUMNS = tuple(Line(LineKind.COLUMN, (c, c + 3, c + 6)) for c in range(3))
DIAGONALS = (Line(LineKind.DIAGONAL, (0, 4, 8)), Line(LineKind.DIAGONAL, (2, 4, 6)))
LINES = (*ROWS, *COLUMNS, *DIAGONALS)

# LINES_THROUGH[cell]: a corner lies on 3 lines, an edge on 2, the center on 4.
LINES_THROUGH = tuple(tuple(line for line in LINES if cell in line.cells) for cell in CELLS)

# The eight ways to lay the grid on itself. SYMMETRIES[k][cell] is where the cell's content goes.
#
#     as it is   a quarter turn   half a turn   three quarters   mirrored, and turned likewise
#     0 1 2      6 3 0            8 7 6         2 5 8            2 1 0   8 5 2   6 7 8   0 3 6
#     3 4 5      7 4 1            5 4 3         1 4 7            5 4 3   7 4 1   3 4 5   1 4 7
#     6 7 8      8 5 2            2 1 0         0 3 6            8 7 6   6 3 0   0 1 2   2 5 8
#
# Each picture shows which cell's content stands where afterwards; the tables hold the inverse.
_PICTURES = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8),
    (6, 3, 0, 7, 4, 1, 8, 5, 2),
    (8, 7, 6, 5, 4, 3, 2, 1, 0),
    (2, 5, 8, 1, 4, 7, 0, 3, 6),
    (2, 1, 0, 5, 4, 3, 8, 7, 6),
    (8, 5, 2, 7, 4, 1, 6, 3, 0),
    (6, 7, 8, 3, 4, 5, 0, 1, 2),
    (0, 3, 6, 1, 4, 7, 2, 5, 8),
)
SYMMETRIES = tuple(tuple(picture.index(cell) for cell in CELLS) for picture in _PICTURES)

POSITION = re.compile(
    r"\s*[\[(]?\s*(?:r(?:ow)?)?\s*([0-9])\s*[,;:/. ]?\s*(?:c(?:ol(?:umn)?)?)?\s*([0-9])\s*[\])]?\s*",
    re.IGNORECASE | re.ASCII,
)


def cell_text(cell: int, origin: int = 1) -> str:
    """`row,col`, counted from `origin`: cell 0 is `1,1`, or `0,0` where a game counts from 0."""
    row, col = divmod(cell, 3)
    return f"{row + origin},{col + origin}"


def read_cell(text: str, origin: int = 1) -> int:
    """The cell somebody means by `1,1`, `1 1`, `(1, 1)`, `11` or `row 1 col 1`."""
    if (match := POSITION.fullmatch(text.strip())) is None:
        raise MalformedMove(f"{quote(text)} is not a row and a column.")
    row, col = int(match[1]) - origin, int(match[2]) - origin
    if not (0 <= row < 3 and 0 <= col < 3):
        raise MalformedMove(
            f"{quote(text)} is not on the grid. Rows and columns are numbered {origin} to {origin + 2}."
        )
    return 3 * row + col


def read_number(text: str) -> int:
    """A number from 1 to 9."""
    digits = text.strip()
    if not re.fullmatch(r"[1-9]", digits):
        raise MalformedMove(f"{quote(text)} is not a number from 1 to 9.")
    return int(digits)
