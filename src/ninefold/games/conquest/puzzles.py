"""Where Grid Conquest has puzzles, what is special about them, and which positions are the same one."""

from __future__ import annotations

from typing import Any

from ninefold.core.grid import smallest
from ninefold.core.puzzles import ALWAYS, Puzzles, Source, Task, Theme, Week, sources
from ninefold.core.seat import Seat
from ninefold.games.conquest.rules import Bid, Challenge, Conquest, ConquestMove

MIX, SAVE, WIN = Task.MIX, Task.SAVE, Task.WIN


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


CHALLENGES = {WIN: (1, 2, 4), SAVE: (1, 2, 3, 4, 5, 6)}

PUZZLES = Puzzles(
    sources=(
        *sources(WIN, (1, (6, 9, 12, 19)), (2, (7, 10, 15)), (3, (10, 13, 16)), (4, (6, 10, 13))),
        *sources(WIN, (5, (13, 20, 22)), (6, (12, 18, 20)), (7, (14, 16))),
        *sources(SAVE, (1, (5, 9, 11)), (2, (4, 5, 8)), (3, (5, 7, 8)), (4, (5, 7)), (5, (7, 15))),
        *sources(SAVE, (6, (15,)), (9, (3, 5, 7))),
        *sources(MIX, (3, (11, 13, 14)), (4, (7, 8)), (5, (6, 9, 10)), (6, (7,)), (7, (5,))),
    ),
    themes={
        Theme.AT_ONCE: {WIN: (1,)},
        Theme.NOT_GREEDY: CHALLENGES,
        Theme.LAST_NUMBER: {WIN: (1,)},
        Theme.CHALLENGE: CHALLENGES,
        Theme.TIE_BREAK: {WIN: (1, 2)},
    },
    week=Week(
        ALWAYS,
        (
            Source(WIN, 1, (6, 9, 12)),
            Source(SAVE, 2, (4, 5, 8)),
            Source(MIX, 3, (11, 13, 14)),
            Source(WIN, 4, (6, 10, 13)),
            Source(MIX, 5, (6, 9, 10)),
            *sources(WIN, (6, (18, 20)), (7, (14, 16))),
        ),
    ),
    key=key,
    same=same,
    find_themes=find_themes,
    questions={
        WIN: "Claim or challenge: only one wins. Which cell does not matter.",
        SAVE: "Claim or challenge: only one keeps your best chances. Which cell does not matter.",
    },
)
