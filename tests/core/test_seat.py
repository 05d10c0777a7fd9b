"""The two seats."""

from __future__ import annotations

from ninefold import SEATS, Seat


def test_each_seat_has_the_other_opposite() -> None:
    assert SEATS == (Seat.FIRST, Seat.SECOND)
    assert Seat.FIRST.other is Seat.SECOND
    assert Seat.SECOND.other is Seat.FIRST


def test_a_seat_is_an_index_and_has_a_name() -> None:
    assert ("a", "b")[Seat.SECOND] == "b"
    assert [str(seat) for seat in SEATS] == ["first", "second"]
    assert repr(SEATS) == "(Seat.FIRST, Seat.SECOND)"


def test_a_seat_is_known_by_its_name() -> None:
    assert [Seat.named(str(seat)) for seat in SEATS] == list(SEATS)
    for name in (None, "", "First", "FIRST", "third", 0, "0"):
        assert Seat.named(name) is None
