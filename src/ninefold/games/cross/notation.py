"""Text to move: `Row2`, `Col3`."""

from __future__ import annotations

import re

from ninefold.core.errors import MalformedMove, quote
from ninefold.games.cross.rules import CLAIMS, ClaimLine

_LINE = re.compile(r"\s*(r|row|c|col|column)\s*([0-9]+)\s*", re.IGNORECASE | re.ASCII)


def parse(text: str) -> ClaimLine:
    """The line somebody means by `Row2`, `row 2`, `r2`, `column 3` or `c3`."""
    if (match := _LINE.fullmatch(text.strip())) is None:
        raise MalformedMove(f"{quote(text)} is not a line. Type Row or Col and a number, like Row2.")
    if match[2] not in ("1", "2", "3"):
        raise MalformedMove(f"{quote(text)} is not on the grid. Rows and columns are numbered 1 to 3.")
    first = 0 if match[1][0] in "rR" else 3
    return CLAIMS[first + int(match[2]) - 1]
