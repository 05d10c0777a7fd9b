"""Where Grid Conquest has puzzles, what is special about them, and which positions are the same one."""

from __future__ import annotations

from typing import Any

from ninefold.core.grid import smallest
from ninefold.core.puzzles import ALWAYS, Puzzles, Task, Theme, Week, sources
from ninefold.core.seat import Seat
from ninefold.games.conquest.rules import Bid, Challenge, Conquest, ConquestMove

CHANCE, KIND, MIX, SHARES = Task.CHANCE, Task.KIND, Task.MIX, Task.SHARES


def key(state: Conquest) -> tuple[Any, ...]:
    cells = [
        (-1 if owner is None else int(owner), cell == state.challenged)
        for cell, owner in enumerate(state.owners, 1)
    ]
    board = smallest(cells, state.size)
    return (state.size, board, state.hands, int(state.turn), state.cells_alone)


def same(move: ConquestMove) -> object:
    """Claims that differ only in the cell count as one move, and so do challenges."""
    return move if isinstance(move, Bid) else type(move)


def find_themes(state: Conquest, seat: Seat, move: ConquestMove) -> list[Theme]:
    """Of a challenge: that no claim does as well, and that only one number is left to challenge with."""
    if not isinstance(move, Challenge):
        return []
    last = len(state.hands[seat]) == 1
    return [Theme.CHALLENGE, Theme.LAST_NUMBER] if last else [Theme.CHALLENGE]


PUZZLES = Puzzles(
    sources=(
        *sources(KIND, (5, (3, 9, 10)), (7, (5, 12, 13)), (8, (3, 10, 11))),
        *sources(MIX, (4, (5, 7, 13)), (5, (9, 10, 16)), (6, (7, 8, 14))),
        *sources(MIX, (7, (12, 13)), (8, (10, 11)), (9, (8, 9))),
        *sources(SHARES, (3, (8, 9, 14)), (4, (7, 13, 19)), (5, (9, 10, 17)), (6, (14, 15))),
        *sources(SHARES, (7, (12, 13)), (8, (10, 11)), (9, (8, 9))),
        *sources(CHANCE, (4, (7, 12, 13)), (5, (9, 10, 17)), (6, (7, 8, 14))),
    ),
    themes={Theme.NOT_GREEDY: {KIND: (5, 7, 8)}, Theme.CHALLENGE: {KIND: (5, 7, 8)}},
    week=Week(
        ALWAYS,
        (
            *sources(SHARES, (4, (7, 13, 19))),
            *sources(CHANCE, (5, (9, 10, 17))),
            *sources(MIX, (6, (7, 8, 14))),
            *sources(KIND, (7, (5, 12, 13))),
            *sources(SHARES, (7, (12, 13))),
            *sources(KIND, (8, (3, 10, 11))),
            *sources(MIX, (9, (8, 9))),
        ),
    ),
    key=key,
    same=same,
    find_themes=find_themes,
    questions={KIND: "Claim a cell, or challenge one? Which cell does not matter."},
)
