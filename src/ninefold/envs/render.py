"""Renders a position as text or as a picture, from what a spectator may see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ninefold.core.cast import Cast
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.match.seating import NAMES
from ninefold.show.board import Grid, draw
from ninefold.show.board_text import write_board
from ninefold.show.layout import Screen
from ninefold.show.scene import scene_of

if TYPE_CHECKING:  # a position as text needs no NumPy
    import numpy as np
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]

RENDER_MODES = ("human", "ansi", "rgb_array")
CELL, GAP, DOT = 48, 4, 6  # in pixels: a cell, the space between cells, a dot of a digit
COLORS = {None: (225, 225, 225), Seat.FIRST: (120, 170, 230), Seat.SECOND: (240, 170, 90)}
INK = (30, 30, 30)

# The digits, five rows of three dots; a row is read as a binary number.
DIGITS = {
    0: (7, 5, 5, 5, 7),
    1: (2, 6, 2, 2, 7),
    2: (7, 1, 7, 4, 7),
    3: (7, 1, 7, 1, 7),
    4: (5, 5, 7, 1, 1),
    5: (7, 4, 7, 1, 7),
    6: (7, 4, 7, 5, 7),
    7: (7, 1, 2, 2, 2),
    8: (7, 5, 7, 5, 7),
    9: (7, 5, 7, 1, 7),
}


def render(state: State[Any], mode: str | None) -> str | Picture | None:
    """The position in one of RENDER_MODES; `human` prints it and, like None, returns nothing."""
    if mode == "rgb_array":
        return render_picture(state)
    if mode == "ansi":
        return render_text(state)
    if mode == "human":
        print(render_text(state))
    return None


def render_text(state: State[Any]) -> str:
    """The board as the terminal shows it. Player 1 moves first."""
    lines = write_board(scene_of([state], [], None, Cast(NAMES)), Screen())
    return "\n".join(lines) + "\n"


def render_picture(state: State[Any]) -> Picture:
    """The boards side by side, each cell in its owner's color; claimed lines are marked at the edge."""
    import numpy as np

    board = draw(state.game, state.view(None), Cast(NAMES))
    return np.concatenate([_draw_grid(grid) for grid in board.grids], axis=1)


def _draw_grid(grid: Grid) -> Picture:
    import numpy as np

    step = CELL + GAP
    image = np.full(((len(grid.rows) + 1) * step, (grid.width + 1) * step, 3), 255, np.uint8)
    for row, parts in enumerate(grid.rows, 1):
        for column, part in enumerate(parts, 1):
            box = _box(image, row, column)
            box[:] = COLORS[part.owner]
            if part.text:
                _write(box, int(part.text))
    edges = [(_box(image, k, 0), part) for k, part in enumerate(grid.row_lines, 1)]
    edges += [(_box(image, 0, k), part) for k, part in enumerate(grid.column_lines, 1)]
    for edge, part in edges:
        if part.owner is not None:
            edge[CELL // 3 : -CELL // 3, CELL // 3 : -CELL // 3] = COLORS[part.owner]
    return image


def _box(image: Picture, row: int, column: int) -> Picture:
    top, left = row * (CELL + GAP), column * (CELL + GAP)
    return image[top : top + CELL, left : left + CELL]


def _write(box: Picture, number: int) -> None:
    top, left = (CELL - 5 * DOT) // 2, (CELL - 3 * DOT) // 2
    for row, bits in enumerate(DIGITS[number]):
        for column in range(3):
            if bits >> (2 - column) & 1:
                y, x = top + row * DOT, left + column * DOT
                box[y : y + DOT, x : x + DOT] = INK
