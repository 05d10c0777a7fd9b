"""Text to move: `5@1,1`, and what people type instead of it."""

from __future__ import annotations

from ninefold.core.errors import MalformedMove, quote
from ninefold.core.grid import PLACEMENT, read_cell, read_number
from ninefold.games.shadow.rules import PLACES, Place


def parse(text: str) -> Place:
    """The placement somebody means by `5@1,1`, `5 1 1` or `5 at (1, 1)`."""
    if (match := PLACEMENT.fullmatch(text.strip())) is None:
        raise MalformedMove(f"{quote(text)} is not a move. Type a number and a position, like 5@1,1.")
    return PLACES[read_number(match["what"]), read_cell(match["position"])]
