"""The fair edition: a head start and another order of turns, almost even under perfect play."""

from __future__ import annotations

from ninefold.core.edits import find_edits, make_variant, replace_clauses
from ninefold.core.game import Example
from ninefold.games import cross
from ninefold.games.cross.rules import Cross


class FairCross(Cross):
    __slots__ = ()

    clauses = replace_clauses(Cross.clauses, find_edits(cross.GAME, "head-start-2", "order-122112"))


EXAMPLE = Example(
    setup={"grid": "629453187"},
    names=("Ann", "Ben"),
    moves=(
        (
            "Col3",
            "Ann claims Column 3, because 9 + 3 + 7 = 19 and no line adds up to more. Ben starts with 2, "
            "so it is 19 to 2.",
        ),
        ("Row1", "6 + 2 + 9 = 17 brings Ben to 19. The next turn is his, too."),
        (
            "Row3",
            "1 + 8 + 7 = 16, the most left, and Ben has 35. After any other line, Ann would have won.",
        ),
        ("Col2", "2 + 5 + 8 = 15 makes 34 for Ann. Now she has two turns in a row."),
        (
            "Row2",
            "4 + 5 + 3 = 12 brings Ann to 46. All six lines add up to 90, and Ben's 2 makes 92: she has "
            "exactly half.",
        ),
        (
            "Col1",
            "6 + 4 + 1 = 11 brings Ben to 46 too, and a tie goes to the player who moved second: Ben. "
            "Without his head start, Ann would have won 46 to 44.",
        ),
    ),
)

AMENDMENTS = {
    "# Number Cross\n": "# Number Cross, fair edition\n",
    "Take turns claiming rows and columns; the larger sum wins.\n": """\
Claim rows and columns; the larger sum wins.

This edition differs from the book in two rules: the second player starts with 2, and the players do not
simply take turns. If both play perfectly, the first player wins 67/140 of all grids, which is 47.9%; by
the book it is 94.5%. None of the 33 versions of the rules that we solved comes closer to one half.
""",
    "## A turn\n": """\
## A turn
The first player has the first turn, the second player the next two, then the first player two, and the
second player the last.

""",
    "Add up all the numbers in your lines.": (
        "Add up all the numbers in your lines; the second player adds 2."
    ),
    "If the sums are equal, 45 to 45, the player": "If the sums are equal, 46 to 46, the player",
    "90 in all, so a game can end 45 to 45.": (
        "90 in all. With the 2 that the second player starts with, that\n  makes 92, so a game can end "
        "46 to 46."
    ),
}

GAME = make_variant(
    cross.GAME,
    FairCross,
    slug="cross-fair",
    title="Number Cross, fair edition",
    summary=(
        "Claim rows and columns. The larger sum wins; on a tie, whoever moved second. The second player "
        "starts with 2, and turns go 1, 2, 2, 1, 1, 2."
    ),
    example=EXAMPLE,
    amendments=AMENDMENTS,
)
