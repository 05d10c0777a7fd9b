"""What a viewer may see: everything but a secret number, which only its chooser sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from ninefold.core.seat import SEATS, Seat
from ninefold.core.view import Board, Cell, Panel, Spot, View, build_view, clause_panels, encode_owners
from ninefold.games.conquest.rules import CLAIMS, HAND, Bid, Conquest, ConquestMove


def view(state: Conquest, viewer: Seat | None) -> View:
    cells = tuple(Cell(str(number), owner=owner) for number, owner in enumerate(state.owners, 1))
    panels = [Panel("hand", state.hands[seat], seat) for seat in SEATS]
    panels += [Panel("cells", state.owners.count(seat), seat) for seat in SEATS]
    if state.challenged is not None:
        panels.append(Panel("challenged", state.challenged, state.turn))
    if viewer is not None and state.bids[viewer] is not None:
        panels.append(Panel("secret", state.bids[viewer], viewer))
    return build_view(
        state,
        viewer,
        phase="bidding" if state.secret else "sudden death" if state.sudden_death else "acting",
        boards=(Board(cells, width=state.size),),
        panels=(*panels, *clause_panels(state.turns)),
    )


def spot(move: ConquestMove) -> Spot:
    kind = type(move).__name__.lower()
    return Spot(move.number, kind=kind) if isinstance(move, Bid) else Spot(None, (move.cell - 1,), kind)


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
    spent: tuple[int, int]  # the two numbers, by seat


def settled_challenge(before: View, choices: Mapping[Seat, Bid], after: View) -> SettledChallenge:
    """The challenge that is open in the view `before` and decided, by these numbers, in `after`."""
    challenger = challenger_of(before)
    cell = before.number("challenged", challenger)
    return SettledChallenge(
        challenger,
        cell,
        taken=after.boards[0].cells[cell - 1].owner == challenger,
        spent=(_number(choices, Seat.FIRST), _number(choices, Seat.SECOND)),
    )


def _number(choices: Mapping[Seat, Bid], seat: Seat) -> int:
    """The number that a seat chose; a defender without numbers counts as having chosen 0."""
    return choices[seat].number if seat in choices else 0
