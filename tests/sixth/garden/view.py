"""What a viewer may see: everything."""

from __future__ import annotations

from ninefold.core.seat import SEATS, Seat
from ninefold.core.view import Board, Cell, Panel, Spot, View, build_view
from tests.sixth.garden.rules import PAVED, PLOTS, WIDTH, Garden, GardenMove, Rest, plot_name


def view(state: Garden, viewer: Seat | None) -> View:
    return build_view(
        state,
        viewer,
        phase="resting" if state.again else "planting",
        boards=(Board(tuple(_cell(plot, state.plots[plot]) for plot in PLOTS), width=WIDTH),),
        panels=(
            *(Panel("score", state.score(seat), seat) for seat in SEATS),
            Panel("paved", state.plots.count(PAVED)),
            *(Panel("may pave", "no" if state.paved[seat] else "yes", seat) for seat in SEATS),
        ),
    )


def _cell(plot: int, sign: str) -> Cell:
    owner = SEATS[int(sign)] if sign.isdigit() else None
    return Cell(plot_name(plot), 0 if sign == PAVED else None, owner)


def spot(move: GardenMove) -> Spot:
    if isinstance(move, Rest):
        return Spot(kind="rest")
    return Spot(cells=(move.plot,), kind=type(move).__name__.lower())
