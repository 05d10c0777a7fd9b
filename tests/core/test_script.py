"""The small words of the table: lists, ranges, sums, and who is who on a screen."""

from __future__ import annotations

import pytest

from ninefold import SEATS, Seat
from ninefold.core.script import Cast, listed, ranges, total_text


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((), ""),
        ((5,), "5"),
        ((1, 2), "1-2"),
        ((1, 3), "1, 3"),
        ((1, 2, 3, 4, 5, 6, 7, 8, 9), "1-9"),
        ((1, 2, 3, 4, 6, 7, 8, 9), "1-4, 6-9"),
        ((2, 4, 6, 8), "2, 4, 6, 8"),
        ((1, 2, 4, 6, 7, 9), "1-2, 4, 6-7, 9"),
    ],
)
def test_runs_of_numbers_are_joined(numbers: tuple[int, ...], text: str) -> None:
    assert ranges(numbers) == text


def test_a_sum_is_written_with_its_total() -> None:
    assert total_text((5, 6, 4)) == "5 + 6 + 4 = 15"
    assert total_text((7,)) == "7 = 7"


def test_a_list_is_written_with_commas() -> None:
    assert listed((1, "b", 3)) == "1, b, 3"
    assert listed(()) == ""


def test_player_1_has_the_x_whoever_moves_first() -> None:
    cast = Cast(("Alice", "Bob"))
    assert [cast.mark(seat) for seat in SEATS] == ["X", "O"]
    assert [cast.label(seat) for seat in cast.players] == ["Alice (X)", "Bob (O)"]
    bob_moves_first = Cast(("Bob", "Alice"), player1=Seat.SECOND)
    assert [bob_moves_first.mark(seat) for seat in SEATS] == ["O", "X"]
    assert [bob_moves_first.label(seat) for seat in bob_moves_first.players] == ["Alice (X)", "Bob (O)"]


def test_a_name_is_painted_in_the_colour_of_its_seat() -> None:
    cast = Cast(("Alice", "Bob"), paint=lambda seat, text: f"<{seat}:{text}>")
    assert cast.name(Seat.SECOND) == "<second:Bob>"
    assert cast.label(Seat.FIRST) == "<first:Alice (X)>"
