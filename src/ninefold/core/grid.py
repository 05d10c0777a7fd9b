"""The 3x3 grid that the games share: cells, lines, symmetries, and how a cell is written.

A cell is its index, row by row:

    0 1 2
    3 4 5
    6 7 8
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

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


@cache
def pictures(size: int) -> tuple[tuple[int, ...], ...]:
    """The eight ways to lay a square grid on itself: which cell's content stands where afterwards.

    as it is   a quarter turn   half a turn   three quarters   mirrored, and turned likewise
    0 1 2      6 3 0            8 7 6         2 5 8            2 1 0   8 5 2   6 7 8   0 3 6
    3 4 5      7 4 1            5 4 3         1 4 7            5 4 3   7 4 1   3 4 5   1 4 7
    6 7 8      8 5 2            2 1 0         0 3 6            8 7 6   6 3 0   0 1 2   2 5 8
    """
    found = []
    for flip in (False, True):
        rows = [list(range(k * size, (k + 1) * size)) for k in range(size)]
        if flip:
            rows = [row[::-1] for row in rows]
        for _ in range(4):
            found.append(tuple(cell for row in rows for cell in row))
            rows = [list(column) for column in zip(*rows[::-1], strict=True)]
    return tuple(found)


def smallest(cells: Sequence[Any], size: int = 3) -> tuple[Any, ...]:
    """The smallest of a grid's symmetric images, the same for all of them."""
    return min(tuple([cells[cell] for cell in picture]) for picture in pictures(size))


# The inverse of the pictures: SYMMETRIES[k][cell] is where the cell's content goes.
SYMMETRIES = tuple(tuple(picture.index(cell) for cell in CELLS) for picture in pictures(3))

POSITION = re.compile(
    r"\s*[\[(]?\s*(?:r(?:ow)?)?\s*([0-9])\s*[,;:/. ]?\s*(?:c(?:ol(?:umn)?)?)?\s*([0-9])\s*[\])]?\s*",
    re.IGNORECASE | re.ASCII,
)

_LARGE = re.compile(r"\s*[\[(]?\s*[0-9]+\s*[,;:/. ]\s*[0-9]+\s*[\])]?\s*", re.ASCII)
_LONG = re.compile(r"(?:[\s,;:/.()\[\]]*[0-9]){3,}[\s)\]]*", re.ASCII)

# A number or a word and then a position: `5@1,1`, `5 at (1, 1)`. Without @, it must look like a position.
PLACEMENT = re.compile(
    rf"(?P<what>[0-9]+|return|swap)(?:\s*(?:@|at)\s*|[\s,:;]+(?={POSITION.pattern}\Z))(?P<position>\S.*)",
    re.IGNORECASE | re.ASCII,
)


@cache
def cell_text(cell: int, origin: int = 1) -> str:
    """`row,col`, counted from `origin`: cell 0 is `1,1`, or `0,0` where a game counts from 0."""
    row, col = divmod(cell, 3)
    return f"{row + origin},{col + origin}"


def read_cell(text: str, origin: int = 1) -> int:
    """The cell somebody means by `1,1`, `1 1`, `(1, 1)`, `11` or `row 1 col 1`."""
    if match := POSITION.fullmatch(text.strip()):
        row, col = int(match[1]) - origin, int(match[2]) - origin
        if 0 <= row < 3 and 0 <= col < 3:
            return 3 * row + col
    raise MalformedMove(say_misread(text, f"Rows and columns are numbered {origin} to {origin + 2}."))


def say_misread(text: str, bounds: str) -> str:
    """Why a text is not the row and the column of a cell. `bounds` is a sentence about where they end."""
    if POSITION.fullmatch(text.strip()) or _LARGE.fullmatch(text):
        return f"{quote(text)} is not on the grid. {bounds}"
    if _LONG.fullmatch(text):
        return f"{quote(text)} is more than a row and a column."
    return f"{quote(text)} is not a row and a column."


def read_number(text: str) -> int:
    """A number from 1 to 9."""
    digits = text.strip()
    if not re.fullmatch(r"[1-9]", digits):
        raise MalformedMove(f"{quote(text)} is not a number from 1 to 9.")
    return int(digits)
