"""A view as data: its panels and boards, and that plain JSON can hold it."""

from __future__ import annotations

import json
from random import Random

import pytest

import ninefold
from ninefold import SEATS, Seat
from ninefold.core.view import Board, Cell, as_data


def test_a_panel_is_found_by_its_name_and_seat() -> None:
    view = ninefold.load("battle").start(grid="792415863").play("0,1").view(None)
    assert view.panel("score", Seat.FIRST) == 9
    assert view.number("score", Seat.FIRST) == 9
    assert view.number("score", Seat.SECOND) == 0
    assert view.panel("score") is None
    assert view.number("nothing") == 0
    assert view.numbers("score", Seat.FIRST) == ()


def test_a_panel_of_several_numbers_is_a_tuple() -> None:
    view = ninefold.load("pattern").start().play("5@1,1").view(None)
    assert view.numbers("pool") == (1, 2, 3, 4, 6, 7, 8, 9)
    assert view.numbers("pool", Seat.FIRST) == ()
    assert view.number("pool") == 0


def test_a_board_is_rows_of_its_width() -> None:
    cells = tuple(Cell(str(number)) for number in range(1, 7))
    assert Board(cells).rows == (cells[:3], cells[3:])
    assert Board(cells, width=2).rows == (cells[:2], cells[2:4], cells[4:])


@pytest.mark.parametrize(("count", "width"), [(0, 3), (4, 3), (3, 2), (3, 0), (3, -1)])
def test_cells_that_do_not_fill_their_rows_are_no_board(count: int, width: int) -> None:
    with pytest.raises(ValueError, match="do not fill rows"):
        Board((Cell("1"),) * count, width=width)


def test_every_view_is_plain_data_that_survives_json() -> None:
    for game in ninefold.every_game():
        state = game.start(rng=Random(0))
        for _ in range(60):
            for viewer in (None, *SEATS):
                data = as_data(state.view(viewer))
                assert json.loads(json.dumps(data)) == data
                assert data["viewer"] == (None if viewer is None else str(viewer))
                assert data["movers"] == [str(seat) for seat in state.movers]
            if state.outcome is not None:
                break
            state = state.play(state.moves()[0], state.movers[0])
