"""Text to move: `5@2,2`, and `return@2,2`, `swap@2,2` once the pool is empty."""

from __future__ import annotations

import re

from ninefold.core.errors import MalformedMove, quote
from ninefold.core.grid import read_cell, read_number
from ninefold.games.pattern.rules import PLACES, RETURNS, SWAPS, PatternMove

_MOVE = re.compile(r"\s*([0-9]+|return|swap)(?:\s*(?:@|at)\s*|[\s,:;]+)(\S.*)", re.IGNORECASE | re.ASCII)


def parse(text: str) -> PatternMove:
    """The move somebody means by `5@2,2`, `5 2 2`, `return 2,2` or `Swap at (2, 2)`."""
    if (match := _MOVE.fullmatch(text.strip())) is None:
        raise MalformedMove(
            f"{quote(text)} is not a move. Type a number and a position, like 5@2,2, "
            "or, once all numbers are placed, return@2,2 or swap@2,2."
        )
    cell = read_cell(match[2])
    match match[1].lower():
        case "return":
            return RETURNS[cell]
        case "swap":
            return SWAPS[cell]
        case number:
            return PLACES[read_number(number), cell]
