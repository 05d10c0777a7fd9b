"""The fair edition: a head start and another order of turns, for players who are not perfect."""

from __future__ import annotations

from ninefold.core.edits import find_edits, make_variant, replace_clauses
from ninefold.core.game import Example
from ninefold.games import battle
from ninefold.games.battle.rules import Battle


class FairBattle(Battle):
    __slots__ = ()

    clauses = replace_clauses(Battle.clauses, find_edits(battle.GAME, "head-start-3", "order-122112211"))


EXAMPLE = Example(
    setup={"grid": "729648315"},
    names=("Ann", "Ben"),
    moves=(
        ("0,2", "Ann takes the 9. Ben starts with 3, so it is 9 to 3."),
        ("1,2", "Ben takes the 8 and has 11. The next turn is his, too."),
        (
            "1,0",
            "Ben takes the 6 and leaves the 7. That still wins, if only just; after the 5 or less, Ann "
            "would have won.",
        ),
        ("0,0", "Ann takes the 7. Taking the largest number left is never wrong, whatever the order."),
        ("2,2", "She has two turns in a row now: the 5 brings her to 21, and Ben has 17."),
        ("1,1", "Ben takes the 4. It is 21 to 21."),
        (
            "2,0",
            "The 3 makes 24 for Ben. The 2 and the 1 are left, and the last two turns are Ann's.",
        ),
        ("0,1", "Ann takes the 2 and has 23."),
        (
            "2,1",
            "The 1 makes it 24 to 24. All nine numbers and Ben's 3 add up to 48, so there are ties here. "
            "Whoever took the last cell loses them: Ben wins.",
        ),
    ),
)

AMENDMENTS = {
    "# Number Grid Battle\n": "# Number Grid Battle, fair edition\n",
    "Take turns claiming cells; the larger sum wins.\n": """\
Claim cells; the larger sum wins.

This edition differs from the book in two rules: the second player starts with 3, and the players do not
simply take turns. Perfect play decides every version of this game that we solved; this one is won by the
second player. But for everybody else it is the most even of the 18: from random play through level 9, the
first player's chance is 0.148 from one half on average, and by the book 0.278.
""",
    "## A turn\n": """\
## A turn
The first player has the first turn, the second player the next two, then the first player two, the
second two, and the first the last two.

""",
    "The larger\nsum wins.\n": "The second\nplayer adds 3. The larger sum wins.\n",
    "The nine numbers add up to 45, which\n  is odd, so the two sums can never be equal. The rule still "
    "stands, but no game will ever need it.\n": """\
With the 3
  that the second player starts with, all numbers add up to 48, so a game can end 24 to 24. The first
  player has the last turn, so the second player wins it.
""",
}

GAME = make_variant(
    battle.GAME,
    FairBattle,
    slug="battle-fair",
    title="Number Grid Battle, fair edition",
    summary=(
        "Take numbers. The larger sum wins. The second player starts with 3, and turns go 1, 2, 2, 1, 1, "
        "2, 2, 1, 1."
    ),
    example=EXAMPLE,
    amendments=AMENDMENTS,
)
