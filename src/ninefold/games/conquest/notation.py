"""Text to move: `claim:5`, `challenge:5`, `bid:4`."""

from __future__ import annotations

import re

from ninefold.core.errors import MalformedMove, quote
from ninefold.games.conquest.rules import BIDS, CHALLENGES, CLAIMS, HAND, ConquestMove

_MOVE = re.compile(
    r"\s*(claim|challenge|bid)\s*[:\s,@#]\s*(?:cell\s*)?([0-9]+)\s*", re.IGNORECASE | re.ASCII
)


def parse(text: str) -> ConquestMove:
    """The move somebody means by `claim:5`, `Claim 5`, `challenge cell 5` or `bid 4`."""
    if (match := _MOVE.fullmatch(text.strip())) is None:
        raise MalformedMove(
            f"{quote(text)} is not a move. Type claim or challenge and a cell, like claim 5."
        )
    verb = match[1].lower()
    if verb == "bid":
        return BIDS[read_bid(match[2])]
    cell = read_cell(match[2])
    return (CLAIMS if verb == "claim" else CHALLENGES)[cell - 1]


def read_cell(text: str) -> int:
    """The number of a cell; the largest grid has 16."""
    digits = text.strip()
    if not re.fullmatch(r"[0-9]+", digits, re.ASCII):
        raise MalformedMove(f"{quote(text)} is not a cell number.")
    if digits not in (str(claim.cell) for claim in CLAIMS):
        raise MalformedMove(f"There is no cell {quote(digits)}.")
    return int(digits)


def read_bid(text: str) -> int:
    """A challenge number."""
    digits = text.strip()
    if digits not in map(str, HAND):
        raise MalformedMove(f"{quote(text)} is not a challenge number. Choose one from 1 to 5.")
    return int(digits)


def read_action(text: str) -> str:
    """`claim` or `challenge`, from as many letters as tell them apart."""
    word = text.strip().lower()
    for action in ("claim", "challenge"):
        if len(word) > 1 and word.isascii() and action.startswith(word):
            return action
    raise MalformedMove(f"{quote(text)} is not an action. Type claim or challenge.")
