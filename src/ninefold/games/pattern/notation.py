"""Text to move: `5@2,2`, and `return@2,2`, `swap@2,2` once the pool is empty."""

from __future__ import annotations

from ninefold.core.errors import MalformedMove, quote
from ninefold.core.grid import PLACEMENT, read_cell, read_number
from ninefold.games.pattern.rules import PLACES, RETURNS, SWAPS, PatternMove


def parse(text: str) -> PatternMove:
    """The move somebody means by `5@2,2`, `5 2 2`, `return 2,2` or `Swap at (2, 2)`."""
    if (match := PLACEMENT.fullmatch(text.strip())) is None:
        raise MalformedMove(
            f"{quote(text)} is not a move. Type a number and a position, like 5@2,2, "
            "or, once all numbers are placed, return@2,2 or swap@2,2."
        )
    cell = read_cell(match["position"])
    match match["what"].lower():
        case "return":
            return RETURNS[cell]
        case "swap":
            return SWAPS[cell]
        case number:
            return PLACES[read_number(number), cell]
