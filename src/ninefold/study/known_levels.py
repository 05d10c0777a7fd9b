"""What is known of the levels, game by game, so that a form can say it at once. The tests find it again.

In whole percents, for each level from the first: of the wins in one, how many it misses; of the
opponent's that it could prevent, how many it allows; of its chances to win, how much it gives away in a
decision; its score against the next level, which docs/ladder.md has with more digits.
"""

from __future__ import annotations

KNOWN: dict[str, tuple[tuple[int | None, int | None, int, int | None], ...]] = {
    "shadow": (
        (58, 56, 58, 42),
        (48, 46, 48, 25),
        (36, 0, 31, 46),
        (28, 0, 24, 46),
        (22, 0, 19, 45),
        (16, 0, 14, 46),
        (11, 0, 9, 46),
        (6, 0, 5, 46),
        (2, 0, 2, None),
    ),
    "battle": (
        (None, 58, 58, 42),
        (None, 48, 48, 38),
        (None, 0, 35, 43),
        (None, 0, 28, 44),
        (None, 0, 22, 44),
        (None, 0, 16, 44),
        (None, 0, 10, 45),
        (None, 0, 6, 46),
        (None, 0, 2, None),
    ),
    "pattern": (
        (58, 49, 49, 42),
        (48, 41, 40, 28),
        (38, 0, 24, 47),
        (30, 0, 19, 48),
        (23, 0, 15, 47),
        (17, 0, 11, 48),
        (11, 0, 7, 49),
        (6, 0, 4, 49),
        (2, 0, 1, None),
    ),
    "conquest": (
        (58, 58, 23, 45),
        (48, 48, 19, 44),
        (39, 0, 15, 47),
        (31, 0, 12, 46),
        (24, 0, 8, 46),
        (18, 0, 6, 46),
        (12, 0, 4, 47),
        (6, 0, 2, 47),
        (2, 0, 1, None),
    ),
    "cross": (
        (None, 58, 58, 43),
        (None, 48, 48, 38),
        (None, 0, 33, 44),
        (None, 0, 26, 45),
        (None, 0, 20, 45),
        (None, 0, 15, 45),
        (None, 0, 10, 46),
        (None, 0, 5, 46),
        (None, 0, 2, None),
    ),
}
