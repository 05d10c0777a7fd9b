"""A short game to learn from."""

from __future__ import annotations

from ninefold.core.game import Example

EXAMPLE = Example(
    setup={"prizes": 231},
    names=("Ann", "Ben"),
    moves=(
        ("bid:two", "The 2 is up. Ann bids two, and Ben does not see it."),
        ("bid:one", "Ben bids one. Both bids are revealed, and Ann wins the 2."),
        ("bid:one", "The 3 is up, the largest prize. Ann saves her three."),
        ("bid:two", "Ben's two is enough: he wins the 3."),
        ("bid:three", "Only threes are left, and only the 1."),
        ("bid:three", "Equal bids win nothing. It is 2 to 3, and Ben wins."),
    ),
)
