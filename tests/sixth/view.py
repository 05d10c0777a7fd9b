"""What a viewer may see: everything."""

from __future__ import annotations

from ninefold.core.seat import SEATS, Seat
from ninefold.core.view import Board, Cell, Panel, Spot, View, build_view
from tests.sixth.rules import NUMBERS, Straw, Take


def view(state: Straw, viewer: Seat | None) -> View:
    cells = tuple(Cell(str(number), number, state.owners[number - 1]) for number in NUMBERS)
    scores = (Panel("score", state.score(seat), seat) for seat in SEATS)
    return build_view(
        state,
        viewer,
        phase="taking",
        boards=(Board(cells),),
        panels=(*scores, Panel("load", state.load)),
    )


def spot(move: Take) -> Spot:
    return Spot(cells=(move.number - 1,))
