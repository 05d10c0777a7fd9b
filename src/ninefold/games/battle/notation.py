"""Text to move: `0,1`, counted from 0 as the rule book does."""

from __future__ import annotations

from ninefold.core.grid import read_cell
from ninefold.games.battle.rules import TAKES, Take


def parse(text: str) -> Take:
    """The cell somebody means by `0,1`, `0 1` or `(0, 1)`."""
    return TAKES[read_cell(text, origin=0)]
