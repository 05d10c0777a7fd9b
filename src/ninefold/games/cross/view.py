"""What a viewer may see: everything."""

from __future__ import annotations

from ninefold.core.grid import CELLS, cell_text
from ninefold.core.seat import SEATS, Seat
from ninefold.core.view import Board, Cell, Panel, Spot, View, build_view, clause_panels
from ninefold.games.cross.rules import CLAIMS, LINES, ClaimLine, Cross


def view(state: Cross, viewer: Seat | None) -> View:
    panels = []
    for seat in SEATS:
        panels.append(Panel("lines", tuple(CLAIMS[line] for line in state.lines_of(seat)), seat))
        panels.append(Panel("score", state.points[seat], seat))
    return build_view(
        state,
        viewer,
        phase="claiming",
        boards=(Board(tuple(Cell(cell_text(cell), int(state.grid[cell])) for cell in CELLS)),),
        panels=(
            *panels,
            *clause_panels(state.turns, state.clauses.head_start),
            Panel("unclaimed", state.moves()),
        ),
    )


def spot(move: ClaimLine) -> Spot:
    return Spot(cells=LINES[move.line].cells)


def numbers(state: Cross, seat: Seat) -> list[int]:
    """9 numbers of the grid and the owners of the lines, rows first (1 the seat, -1 the opponent)."""
    owners = [0] * len(LINES)
    for owner in SEATS:
        for line in state.lines_of(owner):
            owners[line] = 1 if owner is seat else -1
    return [*map(int, state.grid), *owners]
