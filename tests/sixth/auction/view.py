"""What a viewer may see: everything but a bid for the prize that is up, which only its bidder sees."""

from __future__ import annotations

from ninefold.core.seat import SEATS, Seat
from ninefold.core.view import Board, Cell, Panel, Spot, View, build_view
from tests.sixth.auction.rules import Auction, Bid


def view(state: Auction, viewer: Seat | None) -> View:
    winners = (*state.winners(), None, None, None)
    cells = (Cell(f"P{k + 1}", int(prize), winners[k]) for k, prize in enumerate(str(state.prizes)))
    panels = [Panel("hand", state.hand(seat), seat) for seat in SEATS]
    panels += [Panel("score", state.score(seat), seat) for seat in SEATS]
    if viewer is not None and state.chosen[viewer]:
        panels.append(Panel("secret", state.chosen[viewer], viewer))
    return build_view(state, viewer, phase="bidding", boards=(Board(tuple(cells)),), panels=tuple(panels))


def spot(move: Bid) -> Spot:
    return Spot(number=move.amount)
