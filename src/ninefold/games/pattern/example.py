"""A short game to learn from: blocking through the pool, then returning and swapping."""

from __future__ import annotations

from ninefold.core.game import Example

EXAMPLE = Example(
    setup={},
    names=("Ann", "Ben"),
    moves=(
        (
            "5@2,2",
            "Each player has a grid of their own, but the pool is shared. There are eight ways to make "
            "15 with three of the numbers, and the 5 is in four of them: more than any other.",
        ),
        ("6@3,3", "Ben puts the 6 on his own grid. There is only one 6, so it is gone for Ann too."),
        ("3@1,3", "Ann has a 3 and a 5 on one diagonal of her grid. With the 7 at 3,1 it would make 15."),
        (
            "7@3,1",
            "Nobody can put anything on the other's grid. Ben blocks by taking the 7 itself, and his "
            "own bottom row, 7 and 6, now wants the 2.",
        ),
        (
            "2@3,2",
            "Ann has to take the 2, and puts it where it helps her: 5 and 2 in her middle column want "
            "the 8.",
        ),
        (
            "8@2,3",
            "Ben takes the 8 and makes a threat of his own: 8 and 6 in his right column want the 1.",
        ),
        ("1@3,3", "Ann takes the 1. On her other diagonal, 5 and 1 want the 9."),
        (
            "9@3,2",
            "Ben takes the 9, and his bottom row is full. But 7 + 9 + 6 = 22, and only a line of "
            "exactly 15 wins.",
        ),
        (
            "4@3,1",
            "The last number gives Ann two full lines: 3, 5, 4 on a diagonal make 12, and 4, 2, 1 in "
            "the bottom row make 7. No 15 yet, but from now on full lines are what counts.",
        ),
        (
            "return@3,2",
            "Ben returns the 9 to the empty pool: that is his whole turn, and its cell stays empty. "
            "Nothing saves him: with a 6, 7 or 8 Ann could raise her diagonal by 3, with the 9 her row "
            "by 8.",
        ),
        (
            "swap@3,3",
            "Ann swaps her 1 for the 9, and 4 + 2 + 9 = 15 wins. Otherwise it would be Ben's turn to "
            "swap, and her 1 would be the number in the pool.",
        ),
    ),
)
