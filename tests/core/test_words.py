"""The small words of the table: lists, ranges, sums, and who is who on a screen."""

from __future__ import annotations

import pytest

from ninefold import SEATS, Seat
from ninefold.core.cast import Cast
from ninefold.core.script import ranges
from ninefold.core.words import comma_list, total_text


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
    assert comma_list((1, "b", 3)) == "1, b, 3"
    assert comma_list(()) == ""


def test_player_1_has_the_x_whoever_moves_first() -> None:
    cast = Cast(("Alice", "Bob"))
    assert [cast.mark(seat) for seat in SEATS] == ["X", "O"]
    assert [cast.label(seat) for seat in cast.players] == ["Alice (X)", "Bob (O)"]
    bob_moves_first = Cast(("Bob", "Alice"), player1=Seat.SECOND)
    assert [bob_moves_first.mark(seat) for seat in SEATS] == ["O", "X"]
    assert [bob_moves_first.label(seat) for seat in bob_moves_first.players] == ["Alice (X)", "Bob (O)"]


def test_a_name_is_painted_in_the_color_of_its_seat() -> None:
    cast = Cast(("Alice", "Bob"), paint=lambda seat, text: f"<{seat}:{text}>")
    assert cast.name(Seat.SECOND) == "<second:Bob>"
    assert cast.label(Seat.FIRST) == "<first:Alice (X)>"


def test_one_reader_is_you_and_everybody_else_goes_by_name() -> None:
    cast = Cast(("Ann", "Ben"), you=Seat.FIRST)
    assert [cast.subject_does(seat, "win") for seat in SEATS] == ["You win", "Ben wins"]
    assert [cast.does(seat, "have") for seat in SEATS] == ["you have", "Ben has"]
    assert [cast.whose(seat) for seat in SEATS] == ["your", "Ben's"]
    assert [cast.subject_whose(seat) for seat in SEATS] == ["Your", "Ben's"]
    named = cast.for_reader(None)
    assert [named.subject_does(seat, "are") for seat in SEATS] == ["Ann is", "Ben is"]


def test_a_lone_computer_is_the_computer_in_a_sentence() -> None:
    cast = Cast(("Ann", "Computer"))
    assert cast.name(Seat.SECOND) == "Computer"
    assert cast.subject_does(Seat.SECOND, "win") == "The computer wins"
    assert cast.whose(Seat.SECOND) == "the computer's"
