"""Clauses that could be different, for the laboratory."""

from __future__ import annotations

from ninefold.core.edits import Edit
from ninefold.core.seat import SEATS, Seat

ORDERS = ("122112", "122121", "121221")

EDITS = (
    *(
        Edit(f"head-start-{k}", f"The second player starts with {k}.", {"head_start": k})
        for k in range(2, 11, 2)  # the sums differ by an even number, so 3 does what 2 does
    ),
    Edit("tie-to-first", "At equal sums the first player wins.", {"tie": Seat.FIRST}),
    *(
        Edit(
            f"order-{order}",
            f"The turns go {order}.",
            {"order": tuple(SEATS[int(digit) - 1] for digit in order)},
        )
        for order in ORDERS
    ),
)
