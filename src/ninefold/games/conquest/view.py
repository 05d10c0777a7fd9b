"""What a viewer may see: everything but a secret number, which only its chooser sees."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ninefold.core.seat import SEATS, Seat
from ninefold.core.view import Board, Cell, Panel, Spot, View, build_view, encode_owners
from ninefold.games.conquest.rules import CLAIMS, HAND, Bid, Conquest, Move


def view(state: Conquest, viewer: Seat | None) -> View:
    cells = tuple(Cell(str(number), owner=owner) for number, owner in enumerate(state.owners, 1))
    panels = [Panel("hand", state.hands[seat], seat) for seat in SEATS]
    if state.challenged is not None:
        panels.append(Panel("challenged", state.challenged, state.turn))
    if viewer is not None and state.bids[viewer] is not None:
        panels.append(Panel("bid", state.bids[viewer], viewer))
    return build_view(
        state,
        viewer,
        phase="bidding" if state.secret else "sudden death" if state.sudden_death else "acting",
        boards=(Board(cells),),
        panels=tuple(panels),
    )


def spot(move: Move) -> Spot:
    return Spot(number=move.number) if isinstance(move, Bid) else Spot(cells=(move.cell - 1,))


def numbers(state: Conquest, seat: Seat) -> list[int]:
    """31 integers: the board, both hands, the challenge and the size.

    16 owners (1 the seat itself, -1 the opponent, 0 nobody or no such cell on a smaller board), a flag
    for each of the numbers 1 to 5 in the seat's hand and then in the opponent's, the challenged cell (0
    for none), the challenger (1, -1, or 0 for none), the seat's bid (0 for none), whether the opponent
    has bid, the size.
    """
    challenger = 0 if state.challenged is None else 1 if state.turn is seat else -1
    return [
        *encode_owners(state.owners, seat),
        *[0] * (len(CLAIMS) - len(state.owners)),
        *_held(state.hands[seat]),
        *_held(state.hands[seat.other]),
        state.challenged or 0,
        challenger,
        state.bids[seat] or 0,
        int(state.bids[seat.other] is not None),
        state.size,
    ]


@cache
def _held(hand: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(number in hand) for number in HAND)


def challenger_of(view: View) -> Seat:
    """The challenger in an open challenge."""
    return next(seat for seat in SEATS if view.panel("challenged", seat) is not None)


@dataclass(frozen=True, slots=True)
class SettledChallenge:
    challenger: Seat
    cell: int
    taken: bool  # False if the owner kept the cell
    spent: tuple[int, ...]  # the two numbers, by seat


def settled_challenge(before: View, after: View) -> SettledChallenge:
    """The challenge that is open in the view `before` and decided in the view `after`."""
    challenger = challenger_of(before)
    cell = before.number("challenged", challenger)
    return SettledChallenge(
        challenger,
        cell,
        taken=after.boards[0].cells[cell - 1].owner == challenger,
        spent=tuple(sum(before.numbers("hand", s)) - sum(after.numbers("hand", s)) for s in SEATS),
    )
