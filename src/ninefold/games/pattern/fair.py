"""The fair edition: the first player returns a number, and then nobody can force a line."""

from __future__ import annotations

from dataclasses import replace

from ninefold.core.edits import find_edits, make_variant, replace_clauses
from ninefold.core.game import Example
from ninefold.core.puzzles import Task, Theme, sources
from ninefold.games import pattern
from ninefold.games.pattern import example
from ninefold.games.pattern.rules import Pattern


class FairPattern(Pattern):
    __slots__ = ()

    clauses = replace_clauses(Pattern.clauses, find_edits(pattern.GAME, "first-returns"))


EXAMPLE = Example(
    setup={},
    names=("Ann", "Ben"),
    moves=(
        *example.EXAMPLE.moves[:9],
        (
            "return@3,3",
            "By the book Ben would return a number now, and he would lose. Here Ann, who placed the last "
            "one, returns her 1. Its cell stays empty, and both go on with four numbers. With her 2 in "
            "the pool, Ben would have won: 7 + 2 + 6 = 15.",
        ),
        (
            "swap@3,2",
            "Ann's diagonal makes 12, so she would win with a 6, a 7 or an 8. The 9 is the only number "
            "that Ben can leave her. His bottom row now makes 7 + 1 + 6 = 14.",
        ),
        (
            "swap@1,3",
            "Ann swaps her 3 for the 9: 9 + 5 + 4 = 18. She could have left anything but the 2, with "
            "which Ben's row would make 15.",
        ),
        (
            "swap@3,3",
            "Ben leaves the 6, and that is a mistake. With the 7 or the 8 in the pool, the game would "
            "have gone on.",
        ),
        (
            "swap@1,3",
            "6 + 5 + 4 = 15, and Ann wins. Whoever swaps always has a number that is safe to leave, so "
            "games of this edition are won by mistakes alone.",
        ),
    ),
)

AMENDMENTS = {
    "# Pattern Match\n": "# Pattern Match, fair edition\n",
    "does on theirs.\n": """\
does on theirs.

This edition differs from the game by its book in one rule: when the pool is empty, the first player
returns a number, so both go on with four. By the book, the first player wins 100.0% of the games if both
play perfectly. Here neither player can force a win, which counts as 1/2 for each. None of the 2 versions
that we solved comes closer. Between strong players most games are stopped without a winner.
""",
    """\
1. After nine turns all the numbers are on the grids, five on one and four on the other, and it is the
   second player's turn. They **return** one of their numbers to the pool. That is the whole turn, and the
   cell it came from stays empty for the rest of the game.
""": """\
1. After nine turns all the numbers are on the grids, five on one and four on the other. The first player,
   who has the five, has another turn and **returns** one of them to the pool. The cell it came from stays
   empty for the rest of the game. Then it is the second player's turn.
""",
    "About one\n  random game in five reaches": "About one\n  random game in three reaches",
    "(With perfect play it never comes to that: the first\n  player wins in 11 moves.)": (
        "(With perfect play it always comes to\n  that here.)"
    ),
}

# Harder ones of the base game come from its recycling, where wins can be forced.
PUZZLES = replace(
    pattern.GAME.puzzles,
    sources=sources(Task.WIN, (1, (5, 7, 11))),
    themes={Theme.AT_ONCE: {Task.WIN: (1,)}},
)

GAME = make_variant(
    pattern.GAME,
    FairPattern,
    slug="pattern-fair",
    title="Pattern Match, fair edition",
    summary=(
        "First to a line of 15 on their own grid wins. Both draw from one pool. When it is empty, the "
        "first player returns a number."
    ),
    example=EXAMPLE,
    puzzles=PUZZLES,
    amendments=AMENDMENTS,
)
