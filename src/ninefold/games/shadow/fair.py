"""The fair edition: the target decides who wins a full board, so that the targets are shared."""

from __future__ import annotations

from dataclasses import replace

from ninefold.core.cast import Cast
from ninefold.core.edits import find_edits, make_variant, replace_clauses
from ninefold.core.game import Example
from ninefold.core.seat import SEATS
from ninefold.core.view import View
from ninefold.games import shadow
from ninefold.games.shadow import words
from ninefold.games.shadow.rules import Shadow


class FairShadow(Shadow):
    __slots__ = ()

    clauses = replace_clauses(Shadow.clauses, find_edits(shadow.GAME, "full-to-first-if-odd"))


EXAMPLE = Example(
    setup={"target": 15},
    names=("Ann", "Ben"),
    moves=(
        ("7@1,3", "The target is 15. It is odd, so Ann, who starts, wins if the grid fills up."),
        ("2@2,2", "So Ben is the one who needs a line. He takes the center, where four lines meet."),
        ("6@1,2", "Ann has a 6 and a 7 in the top row. A 2 at 1,1 would make 15."),
        (
            "6@1,1",
            "Ben blocks, and makes a threat with the same number: his 6 and 2 on the diagonal need a 7 "
            "at 3,3.",
        ),
        ("3@3,3", "Ann has to block there. Her right column, 7 and 3, now needs a 5 at 2,3."),
        ("3@2,3", "Ben blocks. His middle row is no threat: 2 and 3 would need a 10."),
        ("8@3,2", "Ann's bottom row, 8 and 3, needs a 4 at 3,1."),
        ("1@3,1", "Ben blocks once more. An 8 at 2,1 would now win for him: 6 + 8 + 1 = 15."),
        (
            "9@2,1",
            "But the last cell is Ann's. The grid is full, and nobody has a line of 15. By the book she "
            "would lose now. Here the target is odd, and she wins.",
        ),
    ),
)

AMENDMENTS = {
    "# Shadow Grid Duel\n": "# Shadow Grid Duel, fair edition\n",
    "of you know it; spectators do not.\n": """\
of you know it; spectators do not.

This edition differs from the book in one rule: the target decides who wins a full board. Nobody can force
a line, so if both play perfectly the board fills up, and the first player wins 5/11 of all targets. By
the book it is 0.0%. Perfect play decides each of the eleven targets, whatever the rules, so no version
can come closer to one half, and none of the 4 that we solved does.
""",
    "- You and your opponent agree on a target from 10 to 20, or have one drawn at random.\n": """\
- You and your opponent agree on a target from 10 to 20, or have one drawn at random. Agree on it before
  you choose who starts.
""",
    "whoever filled the last cell loses. That is always\n  the player who moved first.\n": """\
the target decides. If it is odd, the
  player who moved first wins; if it is even, the other one does.
""",
    "so a full board is a win for the second player. The exception:\n": (
        "so by the book a full board is a win for the second player. Here that holds\n  only for even "
        "targets. The exception:\n"
    ),
}


def goal(view: View, cast: Cast) -> str:
    if "target" in view.setup:
        return words.say_goal(view, cast, SEATS[int(view.setup["target"]) % 2 == 0])
    return words.say_goal(view, cast, None)


GAME = make_variant(
    shadow.GAME,
    FairShadow,
    slug="shadow-fair",
    title="Shadow Grid Duel, fair edition",
    summary=(
        "Line up three of your numbers to hit the target. A full grid is won by the first player if the "
        "target is odd, else by the second."
    ),
    words=replace(words.WORDS, goal=goal),
    example=EXAMPLE,
    amendments=AMENDMENTS,
)
