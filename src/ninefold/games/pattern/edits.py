"""Clauses that could be different, for the laboratory."""

from __future__ import annotations

from ninefold.core.edits import Edit
from ninefold.core.seat import Seat

EDITS = (
    Edit(
        "first-returns",
        "When the pool is empty, the first player returns a number.",
        {"returns": Seat.FIRST},
    ),
    Edit(
        "cell-refilled",
        "The returned number's cell can be filled again. (Our solution of recycling needs cells that "
        "stay the same, so this is not solved.)",
    ),
)
