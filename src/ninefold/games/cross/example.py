"""A short game to learn from: whole lines count, crossings count twice, and a tie has a winner."""

from __future__ import annotations

from ninefold.core.game import Example

EXAMPLE = Example(
    setup={"grid": "491562837"},
    names=("Ann", "Ben"),
    moves=(
        (
            "Row1",
            "Ann likes the 9, but the whole line counts, and 4 + 9 + 1 is only 14. Row 3, Column 1 and "
            "Column 2 add up to more, and with any of them she could have won.",
        ),
        ("Row3", "8 + 3 + 7 = 18 for Ben. No line adds up to more."),
        (
            "Col2",
            "9 + 6 + 3 = 18, and the 9 counts twice for Ann: once in her row and once in her column. "
            "The 3 is in Ben's row as well, so it counts for both.",
        ),
        ("Col1", "4 + 5 + 8 = 17, the most left. Any other line would have let Ann win."),
        (
            "Row2",
            "5 + 6 + 2 = 13 brings Ann to 45. Every number counts in its row and in its column, so all "
            "six lines add up to 90: she has exactly half.",
        ),
        (
            "Col3",
            "1 + 2 + 7 = 10 brings Ben to 45 too, and a tie goes to the player who moved second: Ben. "
            "Ann, who started, needed 46.",
        ),
    ),
)
