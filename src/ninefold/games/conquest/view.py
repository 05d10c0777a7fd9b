"""What a viewer may see: everything, but a number chosen in secret only for who chose it."""

from __future__ import annotations

from ninefold.core.seat import SEATS, Seat
from ninefold.core.view import Board, Cell, Panel, Spot, View, seen
from ninefold.games.conquest.rules import Bid, Conquest, Move


def view(state: Conquest, viewer: Seat | None) -> View:
    cells = tuple(Cell(str(number), owner=owner) for number, owner in enumerate(state.owners, 1))
    panels = [Panel("hand", state.hands[seat], seat) for seat in SEATS]
    if state.challenged is not None:
        panels.append(Panel("challenged", state.challenged, state.turn))
    if viewer is not None and state.bids[viewer] is not None:
        panels.append(Panel("bid", state.bids[viewer], viewer))
    return seen(
        state,
        viewer,
        phase="bidding" if state.secret else "sudden death" if state.sudden_death else "acting",
        boards=(Board(cells),),
        panels=tuple(panels),
        pending=tuple(seat for seat in SEATS if state.bids[seat] is not None),
    )


def spot(move: Move) -> Spot:
    return Spot(number=move.number) if isinstance(move, Bid) else Spot(cells=(move.cell - 1,))
