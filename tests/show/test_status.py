"""What stands beside a player's name."""

from __future__ import annotations

import pytest

from ninefold.match.kinds import Presence
from ninefold.show.status import say_note


@pytest.mark.parametrize(
    ("presence", "hints", "left", "said"),
    [
        (None, 0, None, ""),
        (Presence.HERE, 0, None, "here"),
        (Presence.AWAY, 1, None, "away, 1 hint"),
        (None, 2, 0, "2 hints, 0:00"),
        (Presence.HERE, 0, 119, "here, 1:59"),
        (None, 0, 3599, "59:59"),
        (None, 0, 86400, "24:00:00"),
        (None, 0, 3661, "1:01:01"),
    ],
)
def test_presence_hints_and_time_in_a_few_words(
    presence: Presence | None, hints: int, left: int | None, said: str
) -> None:
    assert say_note(presence, hints, left) == said
