"""Clauses that could be different, for the laboratory. None of them has been solved."""

from __future__ import annotations

from ninefold.core.edits import Edit

EDITS = (
    Edit("first-returns", "When the pool is empty, the first player returns a number."),
    Edit("cell-refilled", "The returned number's cell can be filled again."),
)
