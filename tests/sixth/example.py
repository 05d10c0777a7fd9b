"""A short game to learn from."""

from __future__ import annotations

from ninefold.core.game import Example

EXAMPLE = Example(
    setup={"target": 21},
    names=("Ann", "Ben"),
    moves=(
        ("take:9", "Ann takes the largest number. The load is 9."),
        ("take:8", "Ben takes the 8. The load is 17, and 3 is the most that can still be added."),
        ("take:3", "Ann adds 3, which makes 20."),
        ("take:1", "Ben has to take something, and even the 1 brings the load to 21: Ann wins."),
    ),
)
