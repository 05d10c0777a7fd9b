"""Clauses that could be different, for the laboratory."""

from __future__ import annotations

from ninefold.core.edits import Edit
from ninefold.core.seat import Seat

EDITS = (
    Edit(
        "full-to-first", "A full board without a line is won by the first player.", {"full": Seat.FIRST}
    ),
)
