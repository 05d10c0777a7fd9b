"""A short game to learn from: only the size of a number matters, and 23 of 45 are enough."""

from __future__ import annotations

from ninefold.core.game import Example

EXAMPLE = Example(
    setup={"grid": "729648315"},
    names=("Ann", "Ben"),
    moves=(
        (
            "1,1",
            "Ann takes the center and gets a 4. But only the number counts, not the place, and starting "
            "with a 4 or less loses against best play.",
        ),
        (
            "0,2",
            "Ben takes the 9, the only move that wins for him. All nine numbers add up to 45, so whoever "
            "gets 23 has more than half.",
        ),
        ("1,2", "Ann takes the 8. Taking the largest number left is never wrong."),
        ("0,0", "Ben takes the 7. With two cells each, he leads 16 to 12."),
        (
            "1,0",
            "Ann now has 18, but with three cells against two. To see who is ahead, compare the scores "
            "when both have had the same number of turns.",
        ),
        (
            "2,2",
            "Three cells each, and Ben leads 21 to 18. Only the 3, the 2 and the 1 are left: two of them "
            "for Ann, one for Ben.",
        ),
        (
            "2,0",
            "21 to 21, but it cannot stay that way. Two equal sums make an even total, and 45 is odd, so "
            "this game never ends in a tie.",
        ),
        ("0,1", "Ben takes the 2 and has 23. He has won, whatever the last cell brings."),
        (
            "2,1",
            "Ann has to take the last cell, and loses 22 to 23. If she had started with the 9, she could "
            "have won 25 to 20.",
        ),
    ),
)
