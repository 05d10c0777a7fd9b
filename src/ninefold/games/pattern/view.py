"""What a viewer may see: everything. Two boards, the first player's before the second's."""

from __future__ import annotations

from ninefold.core.grid import CELLS, cell_text
from ninefold.core.seat import SEATS, Seat
from ninefold.core.view import Board, Cell, Panel, Spot, View, build_view
from ninefold.games.pattern.rules import Pattern, PatternMove, Place


def view(state: Pattern, viewer: Seat | None) -> View:
    return build_view(
        state,
        viewer,
        phase="swapping" if state.recycling else "placing" if state.pool else "returning",
        boards=tuple(_board(state.grids[seat], seat) for seat in SEATS),
        panels=(Panel("pool", state.pool),),
    )


def _board(grid: tuple[int, ...], owner: Seat) -> Board:
    cells = (
        Cell(cell_text(cell), grid[cell], owner) if grid[cell] else Cell(cell_text(cell))
        for cell in CELLS
    )
    return Board(tuple(cells), owner)


def spot(move: PatternMove) -> Spot:
    return Spot(
        move.number if isinstance(move, Place) else None, (move.cell,), type(move).__name__.lower()
    )


def numbers(state: Pattern, seat: Seat) -> list[int]:
    """9 cells of the seat's own grid and 9 of the opponent's."""
    return [*state.grids[seat], *state.grids[seat.other]]
