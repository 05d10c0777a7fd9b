"""A short game to learn from: threats, a mixed line that counts for nobody, two threats at once."""

from __future__ import annotations

from ninefold.core.game import Example

EXAMPLE = Example(
    setup={"target": 15},
    names=("Ann", "Ben"),
    moves=(
        (
            "5@2,2",
            "The target is 15. Ann starts in the center: four of the eight lines run through it, more "
            "than through any other cell.",
        ),
        (
            "7@1,2",
            "Both players have all the numbers from 1 to 9, so Ben could have played a 5 as well. A "
            "corner would have held Ann off. On an edge, Ben can be beaten.",
        ),
        (
            "4@3,1",
            "Ann has a 5 and a 4 on one diagonal. A 6 at 1,3 would make 15, so Ben has to stop it.",
        ),
        (
            "6@1,3",
            "Ben blocks. The diagonal 6, 5, 4 adds up to 15, but the 6 is Ben's: a mixed line counts "
            "for nobody. And now a 2 at 1,1 would make 15 in his top row.",
        ),
        (
            "8@1,1",
            "Ann blocks that row and makes two threats at once: a 2 at 3,3 for 8 + 5 + 2, and a 3 at "
            "2,1 for 8 + 3 + 4.",
        ),
        (
            "1@3,3",
            "Ben can fill only one of the two cells. With a 6 and a 1 in the right column he could win "
            "next with an 8 at 2,3, but it is Ann's turn.",
        ),
        (
            "3@2,1",
            "8 + 3 + 4 = 15 in the left column, all three of them Ann's. She wins at once, and the cells "
            "that are still empty no longer matter.",
        ),
    ),
)
