"""Clauses that could be different, for the laboratory."""

from __future__ import annotations

from ninefold.core.edits import Edit
from ninefold.core.seat import SEATS
from ninefold.games.conquest.rules import HAND

ONE, TWO = SEATS
TURNS = 21  # no game has more, on the largest board

EDITS = (
    Edit("ties-take", "Equal numbers give the cell to the challenger.", {"ties_take": True}),
    *(
        Edit(
            f"second-hand-{''.join(map(str, hand))}",
            f"The second player's numbers are {', '.join(map(str, hand))}.",
            {"hands": (HAND, hand)},
        )
        for hand in ((1, 2, 3, 4, 6), (1, 2, 3, 5, 6), (2, 3, 4, 5, 6), (1, 2, 4, 5, 6), (1, 3, 4, 5, 6))
    ),
    Edit(
        "second-twice",
        "The second player's first turn is followed by another.",
        {"order": (ONE, TWO, TWO, *(ONE, TWO) * TURNS)},
    ),
    *(
        Edit(
            f"order-{order}",
            f"The turns go {order}, again and again.",
            {"order": tuple(SEATS[int(digit) - 1] for digit in order)},
        )
        for order in ("1221", "122112", "121221", "12212112")
    ),
)
