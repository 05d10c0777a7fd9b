"""What a viewer may see: everything, but spectators see the target only when the game is over."""

from __future__ import annotations

from ninefold.core.grid import CELLS, cell_text
from ninefold.core.seat import SEATS, Seat
from ninefold.core.view import Board, Cell, Panel, Spot, View, build_view
from ninefold.games.shadow.rules import Place, Shadow


def view(state: Shadow, viewer: Seat | None) -> View:
    secret = viewer is None and state.outcome is None
    return build_view(
        state,
        viewer,
        phase="placing",
        setup={} if secret else state.setup,
        boards=(Board(tuple(_cell(cell, state.cells[cell]) for cell in CELLS)),),
        panels=tuple(Panel("hand", state.hand(seat), seat) for seat in SEATS),
    )


def _cell(cell: int, signed: int) -> Cell:
    if signed == 0:
        return Cell(cell_text(cell))
    return Cell(cell_text(cell), abs(signed), SEATS[signed < 0])


def spot(move: Place) -> Spot:
    return Spot(move.number, (move.cell,))


def numbers(state: Shadow, seat: Seat) -> list[int]:
    """9 cells (n for the seat's own number n, -n for the opponent's, 0 for none) and the target."""
    cells = [-number for number in state.cells] if seat else state.cells
    return [*cells, state.target]
