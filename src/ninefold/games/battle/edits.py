"""Clauses that could be different, for the laboratory."""

from __future__ import annotations

from ninefold.core.edits import Edit
from ninefold.core.seat import SEATS

ORDERS = ("122112211", "122121121")

EDITS = (
    *(
        Edit(f"head-start-{k}", f"The second player starts with {k}.", {"head_start": k})
        for k in range(1, 10, 2)  # the sums differ by an odd number, so 2 does what 1 does
    ),
    *(
        Edit(
            f"order-{order}",
            f"The turns go {order}.",
            {"order": tuple(SEATS[int(digit) - 1] for digit in order)},
        )
        for order in ORDERS
    ),
)
