"""The fair edition: with another order of turns, perfect players win equally often on the usual grid."""

from __future__ import annotations

from dataclasses import replace

from ninefold.core.edits import find_edits, make_variant, replace_clauses
from ninefold.core.game import Example
from ninefold.core.puzzles import Task
from ninefold.games import conquest
from ninefold.games.conquest.rules import Conquest


class FairConquest(Conquest):
    __slots__ = ()

    clauses = replace_clauses(Conquest.clauses, find_edits(conquest.GAME, "order-121221"))


EXAMPLE = Example(
    setup={"size": 3},
    names=("Ann", "Ben"),
    moves=(
        (
            "claim:5",
            "Ann claims an empty cell. Which one does not matter: only the number of cells counts.",
        ),
        ("claim:1", "Ben claims one too. With a challenge he would give away some of his chances."),
        ("claim:3", "Two cells to one. So far, the game goes as it does by the book."),
        ("claim:2", "Two cells each. But the next turn is Ben's again: turns go 1, 2, 1, 2, 2, 1."),
        (
            "claim:4",
            "Three to two for Ben. Now Ann has two turns: the last of this round, and the first of the "
            "next.",
        ),
        ("claim:6", "Three cells each."),
        (
            "claim:7",
            "Four to three for Ann, and two cells are empty. If both just claim, she wins five to four.",
        ),
        (
            "challenge:5",
            "So Ben has to challenge. He names Ann's cell 5, and now both choose one of their numbers in "
            "secret.",
        ),
        (
            "bid:5",
            "Ben, the challenger, plays his highest number. It is a guess: playing the 5 half of the "
            "time and the 1 the other half is perfect here.",
        ),
        (
            "bid:4",
            "Ann plays the 4, which would have won against the 1. Against the 5, only her own 5 keeps "
            "the cell. 5 beats 4, and cell 5 is Ben's.",
        ),
        ("claim:8", "Four cells each. Ann has lost, whatever she does."),
        (
            "claim:9",
            "The last empty cell ends the game: five to four for Ben. Neither of them made a mistake, "
            "and until they chose their numbers the chances were even.",
        ),
    ),
)

AMENDMENTS = {
    "# Grid Conquest\n": "# Grid Conquest, fair edition\n",
    "chosen in secret. The player with more cells wins.\n": """\
chosen in secret. The player with more cells wins.

This edition differs from the book in one rule, the order of turns. By the book, whoever starts wins 68.6%
of the games on 3x3 if both play perfectly. Here it is exactly 1/2, and none of the 47 versions of the
rules that we solved comes closer. On the other grids it is less: 1/6 on 2x2, and 41.5% on 4x4.
""",
    "## A turn\n": """\
## A turn
Turns go 1, 2, 1, 2, 2, 1, over and over, where 1 is the player who started. So both players have two
turns in a row now and then. A challenge is one turn.

""",
    "A defender who keeps the cell challenges next. Sums no\n   longer count": """\
If the defender keeps the cell, whoever has the next turn
   challenges. Sums no longer count""",
}

# With this order of turns, habits guess the answers of many puzzles of the other tasks.
PUZZLES = replace(
    conquest.GAME.puzzles,
    sources=tuple(one for one in conquest.GAME.puzzles.sources if one.task is Task.MIX),
    themes={},
)

GAME = make_variant(
    conquest.GAME,
    FairConquest,
    slug="conquest-fair",
    title="Grid Conquest, fair edition",
    summary=(
        "Claim cells, and fight for them with secret numbers. More cells win. Turns go 1, 2, 1, 2, 2, 1, "
        "over and over."
    ),
    example=EXAMPLE,
    puzzles=PUZZLES,
    amendments=AMENDMENTS,
)
