"""A short game to learn from: blocking through the pool, then returning and swapping."""

from __future__ import annotations

from ninefold.core.game import Example

EXAMPLE = Example(
    setup={},
    names=("Ann", "Ben"),
    moves=(
        (
            "5@2,2",
            "Each player has their own grid, but they share the pool. There are eight ways to make 15 "
            "with three of the numbers, and the 5 is in four of them, more than any other number.",
        ),
        ("6@3,3", "Ben puts the 6 on his own grid. There is only one 6, so it is gone for Ann too."),
        ("3@1,3", "Ann has a 3 and a 5 on one diagonal of her grid. A 7 at 3,1 would make 15."),
        (
            "7@3,1",
            "You can't put anything on your opponent's grid. Ben blocks by taking the 7 himself, and now "
            "his own bottom row, 7 and 6, needs the 2.",
        ),
        (
            "2@3,2",
            "Ann has to take the 2, and puts it where it helps her: the 5 and the 2 in her middle column "
            "need the 8.",
        ),
        (
            "8@2,3",
            "Ben takes the 8 and makes a threat of his own: the 8 and the 6 in his right column need "
            "the 1.",
        ),
        ("1@3,3", "Ann takes the 1. On her other diagonal, the 5 and the 1 need the 9."),
        (
            "9@3,2",
            "Ben takes the 9, and his bottom row is full. But 7 + 9 + 6 = 22, and only a line of "
            "exactly 15 wins.",
        ),
        (
            "4@3,1",
            "The last number gives Ann two full lines: 3, 5 and 4 on a diagonal make 12, and 4, 2 and 1 "
            "in the bottom row make 7. No 15 yet, but from now on full lines are what counts.",
        ),
        (
            "return@3,2",
            "Ben returns the 9 to the empty pool. That is his whole turn, and its cell stays empty. "
            "Nothing could save him: with a 6, 7 or 8 Ann could raise her diagonal by 3, and with the 9 "
            "she can raise her row by 8.",
        ),
        (
            "swap@3,3",
            "Ann swaps her 1 for the 9, and 4 + 2 + 9 = 15 wins. If it had not, Ben would swap next, "
            "with her 1 in the pool.",
        ),
    ),
)
