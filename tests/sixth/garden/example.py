"""A short game to learn from."""

from __future__ import annotations

from ninefold.core.game import Example

EXAMPLE = Example(
    setup={"season": "spring"},
    names=("Ann", "Ben"),
    moves=(
        ("plant:A1", "Ben starts, because the second seat does, and plants a corner."),
        ("plant:A2", "Ann plants beside him. Which plot does not matter: only how many there are."),
        ("pave:B1", "Ben paves a plot. It belongs to nobody, and he moves once more."),
        ("plant:B2", "He plants his second plot. Two are left."),
        ("pave:C1", "Ann paves one of them, so that the last plot is hers to plant at once."),
        ("plant:C2", "Two plots each, and in spring the first seat wins a tie: Ann does."),
    ),
)
