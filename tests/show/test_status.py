"""What stands beside a player's name."""

from __future__ import annotations

import pytest

from ninefold.show.status import say_note


@pytest.mark.parametrize(
    ("presence", "hints", "left", "said"),
    [
        ("", 0, None, ""),
        ("here", 0, None, "here"),
        ("away", 1, None, "away, 1 hint"),
        ("", 2, 0, "2 hints, 0:00"),
        ("here", 0, 119, "here, 1:59"),
        ("", 0, 3599, "59:59"),
        ("", 0, 86400, "24:00:00"),
        ("", 0, 3661, "1:01:01"),
    ],
)
def test_presence_hints_and_time_in_a_few_words(
    presence: str, hints: int, left: int | None, said: str
) -> None:
    assert say_note(presence, hints, left) == said
