"""Clauses that could be different, for the laboratory."""

from __future__ import annotations

from ninefold.core.edits import Edit
from ninefold.core.seat import SEATS

FIRST, SECOND = SEATS

EDITS = (
    Edit(
        "full-to-first",
        "A full board without a line is won by the first player.",
        {"full": (FIRST, FIRST)},
    ),
    Edit(
        "full-to-first-if-odd",
        "If the target is odd, a full board without a line is won by the first player.",
        {"full": (SECOND, FIRST)},
    ),
    Edit(
        "full-to-first-if-even",
        "If the target is even, a full board without a line is won by the first player.",
        {"full": (FIRST, SECOND)},
    ),
)
