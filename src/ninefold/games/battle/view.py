"""What a viewer may see: everything."""

from __future__ import annotations

from ninefold.core.grid import CELLS, cell_text
from ninefold.core.seat import SEATS, Seat
from ninefold.core.view import Board, Cell, Panel, Spot, View, build_view, clause_panels, encode_owners
from ninefold.games.battle.rules import Battle, Take


def view(state: Battle, viewer: Seat | None) -> View:
    cells = tuple(
        Cell(cell_text(cell, origin=0), int(state.grid[cell]), state.owners[cell]) for cell in CELLS
    )
    return build_view(
        state,
        viewer,
        phase="claiming",
        boards=(Board(cells),),
        panels=(
            *(Panel("score", state.points[seat], seat) for seat in SEATS),
            *clause_panels(state.turns, state.clauses.head_start),
        ),
    )


def spot(move: Take) -> Spot:
    return Spot(cells=(move.cell,))


def numbers(state: Battle, seat: Seat) -> list[int]:
    """9 numbers of the grid and 9 owners (1 the seat itself, -1 the opponent, 0 nobody)."""
    return [*map(int, state.grid), *encode_owners(state.owners, seat)]
