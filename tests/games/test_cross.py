"""Number Cross: its rule book and our rulings, one by one."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random

import pytest

import ninefold
from ninefold import SEATS, GameOver, IllegalMove, MalformedMove, NotYourTurn, Reason, Seat
from ninefold.core.move import Move
from ninefold.core.view import Spot
from ninefold.games.cross.rules import Cross, Sums
from tests.games.telling import chosen, news

GAME = ninefold.load("cross")

# The book's grid, a magic square:
#
#     4 9 2  Row1
#     3 5 7  Row2
#     8 1 6  Row3
BOOK = "492357816"

# A plain grid:
#
#     1 2 3   6
#     4 5 6  15
#     7 8 9  24
#    12 15 18
PLAIN = "123456789"

LINES = ("Row1", "Row2", "Row3", "Col1", "Col2", "Col3")


def played(*moves: str, grid: str = BOOK) -> Cross:
    state = GAME.sequence(GAME.start(grid=grid), moves)
    assert isinstance(state, Cross)
    return state


def totals(state: Cross) -> tuple[int, int]:
    view = state.view(None)
    return view.number("score", Seat.FIRST), view.number("score", Seat.SECOND)


def final_sums(state: Cross) -> Sums:
    assert state.outcome is not None
    assert isinstance(state.outcome.detail, Sums)
    return state.outcome.detail


# The book's playthrough


PLAYTHROUGH = ("Row2", "Col3", "Col2", "Row1", "Row3", "Col1")


def test_the_playthrough_ends_45_to_45_and_is_won_by_the_second_player() -> None:
    state = played(*PLAYTHROUGH)
    assert state.outcome is not None
    assert state.outcome.winner is Seat.SECOND
    assert state.outcome.reason is Reason.TIE
    assert final_sums(state).totals == (45, 45)


def test_the_playthrough_gives_each_player_the_lines_and_numbers_of_the_book() -> None:
    first, second = final_sums(played(*PLAYTHROUGH)).lines
    assert [(line.name, line.numbers, line.total) for line in first] == [
        ("Row2", (3, 5, 7), 15),
        ("Col2", (9, 5, 1), 15),
        ("Row3", (8, 1, 6), 15),
    ]
    assert [(line.name, line.numbers, line.total) for line in second] == [
        ("Col3", (2, 7, 6), 15),
        ("Row1", (4, 9, 2), 15),
        ("Col1", (4, 3, 8), 15),
    ]


def test_the_playthrough_offers_the_lines_the_book_lists() -> None:
    offered = []
    state = played()
    for move in PLAYTHROUGH:
        offered.append(" ".join(str(legal) for legal in state.moves()))
        assert state.view(None).panel("unclaimed") == state.moves()
        state = state.play(move)
    assert offered == [
        "Row1 Row2 Row3 Col1 Col2 Col3",
        "Row1 Row3 Col1 Col2 Col3",
        "Row1 Row3 Col1 Col2",
        "Row1 Row3 Col1",
        "Row3 Col1",
        "Col1",
    ]


# Setup


def test_a_grid_holds_the_numbers_1_to_9_each_once_row_by_row() -> None:
    cells = played(grid="519283746").view(None).boards[0].cells
    assert [cell.number for cell in cells] == [5, 1, 9, 2, 8, 3, 7, 4, 6]
    for refused in ("123456788", "12345678", "1234567890", "abcdefghi", "023456789", ""):
        with pytest.raises(ninefold.SetupError, match="each once"):
            GAME.start(grid=refused)


def test_a_grid_left_open_is_dealt_at_random_without_repeats() -> None:
    grids = {str(GAME.start(rng=Random(seed)).setup["grid"]) for seed in range(50)}
    assert len(grids) > 40
    for grid in grids:
        assert sorted(grid) == list("123456789")


def test_both_players_begin_without_lines() -> None:
    state = played()
    for seat in SEATS:
        assert state.view(seat).panel("lines", seat) == ()
        assert state.view(seat).number("score", seat) == 0


# Turns


def test_the_players_alternate_and_nobody_may_pass() -> None:
    state = played("Row1")
    assert state.movers == (Seat.SECOND,)
    with pytest.raises(NotYourTurn):
        state.play("Row2", Seat.FIRST)
    with pytest.raises(MalformedMove):
        state.play("pass")


def test_rows_and_columns_are_the_only_lines() -> None:
    assert tuple(str(move) for move in played().moves()) == LINES
    for text in ("diagonal", "Diag1", "Row4", "Col0", "Row0", "Col4"):
        with pytest.raises(MalformedMove):
            played().play(text)


def test_a_line_claimed_by_anyone_cannot_be_claimed_again() -> None:
    with pytest.raises(IllegalMove, match="Row1 has already been claimed"):
        played("Row1").play("Row1")
    with pytest.raises(IllegalMove, match=r"Row1 has already been claimed.*Col1, Col2, Col3"):
        played("Row1", "Row2").play("Row1")


def test_a_player_may_claim_rows_only_or_columns_only_or_a_mix() -> None:
    rows = final_sums(played("Row1", "Col1", "Row2", "Col2", "Row3", "Col3")).lines
    assert [[line.name for line in lines] for lines in rows] == [
        ["Row1", "Row2", "Row3"],
        ["Col1", "Col2", "Col3"],
    ]
    mixed = final_sums(played("Row1", "Row2", "Col1", "Col2", "Col3", "Row3")).lines
    assert [line.name for line in mixed[0]] == ["Row1", "Col1", "Col3"]


def test_lines_of_different_players_may_cross() -> None:
    assert totals(played("Row1", "Col1")) == (4 + 9 + 2, 4 + 3 + 8)


def test_the_game_ends_after_three_lines_each_and_not_before() -> None:
    for count in range(6):
        state = played(*LINES[:count])
        assert state.outcome is None
        assert len(state.moves()) == 6 - count
    over = played(*LINES)
    assert over.outcome is not None
    assert [len(lines) for lines in final_sums(over).lines] == [3, 3]
    assert over.movers == ()
    with pytest.raises(GameOver):
        over.play("Row1")


# Scoring


@pytest.mark.parametrize(
    ("line", "total"), [("Row1", 6), ("Row2", 15), ("Row3", 24), ("Col1", 12), ("Col2", 15), ("Col3", 18)]
)
def test_a_line_counts_the_sum_of_its_three_numbers(line: str, total: int) -> None:
    assert totals(played(line, grid=PLAIN)) == (total, 0)


def test_a_cell_in_two_lines_of_one_player_counts_twice() -> None:
    # Row1 is 4 + 9 + 2 and Col1 is 4 + 3 + 8: the 4 at the top left counts in both.
    assert totals(played("Row1", "Row2", "Col1")) == (4 + 9 + 2 + 4 + 3 + 8, 15)


def test_the_higher_sum_wins_for_the_first_player() -> None:
    state = played("Row3", "Row1", "Col3", "Col1", "Col2", "Row2", grid=PLAIN)
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason) == (Seat.FIRST, Reason.SUM)
    assert final_sums(state).totals == (57, 33)


def test_the_higher_sum_wins_for_the_second_player() -> None:
    state = played("Row1", "Row3", "Col1", "Col3", "Row2", "Col2", grid=PLAIN)
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason) == (Seat.SECOND, Reason.SUM)
    assert final_sums(state).totals == (33, 57)


def test_a_tie_without_a_magic_square_is_won_by_the_second_player_too() -> None:
    # 6 + 15 + 24 against 12 + 15 + 18
    state = played("Row1", "Col1", "Row2", "Col2", "Row3", "Col3", grid=PLAIN)
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason) == (Seat.SECOND, Reason.TIE)


@pytest.mark.parametrize("grid", [BOOK, PLAIN, "792415863", "918273645"])
def test_over_all_720_orders_the_score_agrees_with_plain_arithmetic(grid: str) -> None:
    square = [[int(digit) for digit in grid[k : k + 3]] for k in (0, 3, 6)]
    sums = {f"Row{k + 1}": sum(square[k]) for k in range(3)}
    sums |= {f"Col{k + 1}": square[0][k] + square[1][k] + square[2][k] for k in range(3)}
    results = Counter[tuple[Seat, Reason]]()
    for order in permutations(LINES):
        state = played(*order, grid=grid)
        first = sum(sums[line] for line in order[0::2])
        second = sum(sums[line] for line in order[1::2])
        assert first + second == 90
        assert state.outcome is not None
        assert final_sums(state).totals == (first, second)
        assert state.outcome.winner is (Seat.FIRST if first > second else Seat.SECOND)
        assert state.outcome.reason is (Reason.TIE if first == second else Reason.SUM)
        results[state.outcome.winner, state.outcome.reason] += 1
    assert results.total() == 720
    # By exchanging the two players' lines every decided game has its mirror image.
    assert results[Seat.FIRST, Reason.SUM] == results[Seat.SECOND, Reason.SUM]
    assert results[Seat.SECOND, Reason.TIE] >= 72, "three rows against three columns always tie"


# What is seen


def claims(*texts: str) -> tuple[Move, ...]:
    return tuple(GAME.parse(text) for text in texts)


def test_every_viewer_sees_the_grid_the_claims_and_the_scores() -> None:
    state = played("Row2", "Col3", "Col2")
    for viewer in (None, *SEATS):
        view = state.view(viewer)
        assert [cell.number for cell in view.boards[0].cells] == [int(digit) for digit in BOOK]
        assert view.panel("lines", Seat.FIRST) == claims("Row2", "Col2")
        assert view.panel("lines", Seat.SECOND) == claims("Col3")
        assert view.panel("unclaimed") == claims("Row1", "Row3", "Col1")
        assert totals(state) == (30, 15)
        assert view.setup == {"grid": BOOK}
        assert view.phase == "claiming"


# What a page needs


def test_a_spot_is_the_three_cells_of_the_line() -> None:
    assert GAME.spot(GAME.parse("Row2")) == Spot(None, (3, 4, 5))
    assert GAME.spot(GAME.parse("Col3")) == Spot(None, (2, 5, 8))


@pytest.mark.parametrize(
    ("claimed", "left"),
    [
        ((), "a row or a column"),
        (("Row1", "Row2", "Row3"), "a column"),
        (("Col1", "Col2", "Col3", "Row1"), "a row"),
    ],
)
def test_the_page_asks_for_a_line_of_a_kind_that_is_left(claimed: tuple[str, ...], left: str) -> None:
    asked = f"Claim {left}. Its sum is added to your score."
    assert chosen(played(*claimed)) == asked


def test_the_page_tells_the_sum_of_the_line_and_of_all_lines() -> None:
    assert news(played(grid=PLAIN), "Row3") == "Ann claimed Row 3 for 24 and has 24."
    assert news(played("Row3", "Col3", grid=PLAIN), "Row2") == "Ann claimed Row 2 for 15 and has 39."
