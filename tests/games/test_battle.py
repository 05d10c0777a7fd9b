"""Number Grid Battle: its rule book and our rulings, one by one."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

import ninefold
from ninefold import SEATS, GameOver, IllegalMove, MalformedMove, NotYourTurn, Outcome, Reason, Seat
from ninefold.core.view import Spot
from ninefold.games.battle.rules import Battle, Scores, decide
from tests.games.telling import chosen, news

GAME = ninefold.load("battle")

# The book's initial grid:
#
#     7 9 2
#     4 1 5
#     8 6 3
BOOK = "792415863"


def played(*moves: str, grid: str = BOOK) -> Battle:
    state = GAME.sequence(GAME.start(grid=grid), moves)
    assert isinstance(state, Battle)
    return state


def drawn(state: Battle) -> list[str]:
    """The grid as the book draws it: X and O where a cell is claimed."""
    return [
        " ".join(str(c.number) if c.owner is None else "XO"[c.owner] for c in row)
        for row in state.view(None).boards[0].rows
    ]


def scores(state: Battle) -> tuple[int, int]:
    view = state.view(None)
    return view.number("score", Seat.FIRST), view.number("score", Seat.SECOND)


# The book's examples


SAMPLE = [  # cell, then the scores of both after it
    ("0,1", (9, 0)),
    ("1,2", (9, 5)),
    ("2,1", (15, 5)),
    ("0,0", (15, 12)),
    ("2,0", (23, 12)),
    ("1,0", (23, 16)),
]


def test_the_sample_turns_give_the_scores_of_the_book() -> None:
    state = played()
    for count, (cell, expected) in enumerate(SAMPLE):
        assert state.movers == (SEATS[count % 2],)
        state = state.play(cell)
        assert scores(state) == expected
        assert state.points == expected
        assert state.outcome is None


def test_the_grid_after_the_first_sample_turn_is_drawn_as_in_the_book() -> None:
    assert drawn(played()) == ["7 9 2", "4 1 5", "8 6 3"]
    assert drawn(played("0,1")) == ["7 X 2", "4 1 5", "8 6 3"]


def test_the_sample_game_played_out_is_scored_over_all_nine_cells() -> None:
    state = played(*(cell for cell, _ in SAMPLE), "2,2", "0,2", "1,1")
    assert drawn(state) == ["O X O", "O X O", "X X X"]
    assert state.outcome == Outcome(Seat.FIRST, Reason.SUM, Scores((27, 18)))


def test_the_scoring_example_adds_up_to_18_and_16() -> None:
    state = played("0,0", "0,1", "1,2", "1,0", "2,1", "2,2")
    assert scores(state) == (18, 16)
    assert state.outcome is None, "three cells each are no final position"
    assert decide((18, 16), last=Seat.FIRST).winner is Seat.FIRST


def test_the_final_scores_of_the_book_are_won_by_the_first_player() -> None:
    # 9 + 7 + 4 + 2 + 1 = 23 against 8 + 6 + 5 + 3 = 22
    state = played("0,1", "2,0", "0,0", "2,1", "1,0", "1,2", "0,2", "2,2", "1,1")
    assert state.outcome == Outcome(Seat.FIRST, Reason.SUM, Scores((23, 22)))


# Setup


def test_a_grid_holds_the_numbers_1_to_9_each_once_row_by_row() -> None:
    cells = played(grid="519283746").view(None).boards[0].cells
    assert [cell.number for cell in cells] == [5, 1, 9, 2, 8, 3, 7, 4, 6]
    for refused in ("123456788", "12345678", "1234567890", "abcdefghi", "023456789", ""):
        with pytest.raises(ninefold.SetupError, match="each once"):
            GAME.start(grid=refused)


@pytest.mark.parametrize(
    "text", ["7 9 2 4 1 5 8 6 3", "792/415/863", "7,9,2, 4,1,5, 8,6,3", "792\n415\n863"]
)
def test_a_grid_may_be_typed_with_blanks_and_separators(text: str) -> None:
    assert GAME.start(grid=text) == GAME.start(grid=BOOK) == GAME.start(grid=792415863)


def test_a_grid_left_open_is_dealt_at_random_without_repeats() -> None:
    grids = {str(GAME.start(rng=Random(seed)).setup["grid"]) for seed in range(50)}
    assert len(grids) > 40
    for grid in grids:
        assert sorted(grid) == list("123456789")


# Turns


def test_cells_are_counted_from_0() -> None:
    labels = [cell.label for cell in played().view(None).boards[0].cells]
    assert labels == ["0,0", "0,1", "0,2", "1,0", "1,1", "1,2", "2,0", "2,1", "2,2"]
    for cell, number in zip(labels, BOOK, strict=True):
        assert scores(played(cell)) == (int(number), 0)
    for outside in ("3,0", "0,3", "-1,0"):
        with pytest.raises(MalformedMove):
            played().play(outside)


def test_any_unclaimed_cell_may_be_claimed() -> None:
    state = played("0,1", "1,2")
    assert {str(move) for move in state.moves()} == {"0,0", "0,2", "1,0", "1,1", "2,0", "2,1", "2,2"}


def test_a_claimed_cell_cannot_be_claimed_again_by_either_player() -> None:
    with pytest.raises(IllegalMove, match="The 9 has already been claimed"):
        played("0,1").play("0,1")
    with pytest.raises(IllegalMove, match="The 9 has already been claimed"):
        played("0,1", "1,2").play("0,1")


def test_the_players_alternate_and_nobody_may_pass_or_skip() -> None:
    state = played("0,1")
    assert state.movers == (Seat.SECOND,)
    with pytest.raises(NotYourTurn):
        state.play("2,2", Seat.FIRST)
    with pytest.raises(MalformedMove):
        state.play("pass")


def test_the_first_player_takes_five_cells_and_the_second_four() -> None:
    state = played("0,0", "0,1", "0,2", "1,0", "1,1", "1,2", "2,0", "2,1", "2,2")
    assert drawn(state) == ["X O X", "O X O", "X O X"]
    assert state.owners.count(Seat.FIRST) == 5
    assert state.owners.count(Seat.SECOND) == 4


def test_the_game_ends_when_all_nine_cells_are_claimed_and_not_before() -> None:
    cells = ("0,0", "0,1", "0,2", "1,0", "1,1", "1,2", "2,0", "2,1", "2,2")
    for count in range(9):
        assert played(*cells[:count]).outcome is None
    over = played(*cells)
    assert over.outcome is not None
    assert over.movers == ()
    with pytest.raises(GameOver):
        over.play("0,0")


# Winning


def test_over_all_splits_of_the_cells_the_larger_sum_wins() -> None:
    labels = [f"{row},{col}" for row in range(3) for col in range(3)]
    wins = {Seat.FIRST: 0, Seat.SECOND: 0}
    for five in combinations(range(9), 5):
        four = [cell for cell in range(9) if cell not in five]
        order = [five[0]]
        for own, other in zip(five[1:], four, strict=True):
            order += [other, own]
        outcome = played(*(labels[cell] for cell in order)).outcome
        first = sum(int(BOOK[cell]) for cell in five)
        assert outcome is not None
        assert outcome.reason is Reason.SUM
        assert outcome.detail == Scores((first, 45 - first))
        assert outcome.winner is (Seat.FIRST if first > 45 - first else Seat.SECOND)
        wins[outcome.winner] += 1
    assert sum(wins.values()) == 126
    assert min(wins.values()) > 0


def test_the_second_player_wins_with_the_larger_sum() -> None:
    # 1 + 2 + 3 + 4 + 6 = 16 against 9 + 8 + 7 + 5 = 29
    state = played("1,1", "0,1", "0,2", "2,0", "2,2", "0,0", "1,0", "1,2", "2,1")
    assert state.outcome == Outcome(Seat.SECOND, Reason.SUM, Scores((16, 29)))


@pytest.mark.parametrize("last", SEATS)
def test_equal_sums_are_lost_by_the_player_who_took_the_last_turn(last: Seat) -> None:
    assert decide((22, 22), last) == Outcome(last.other, Reason.TIE, Scores((22, 22)))


def test_a_tie_at_the_end_of_a_game_would_be_won_by_the_second_player() -> None:
    # No legal grid allows it, so this one is made up: 4 + 4 + 0 + 0 + 0 against 2 + 2 + 2 + 2.
    grid, owners = (
        "420420202",
        (*(Seat.FIRST, Seat.SECOND, Seat.FIRST) * 2, Seat.SECOND, None, Seat.SECOND),
    )
    state = Battle(grid, owners)
    assert state.movers == (Seat.FIRST,)
    assert state.play("2,1").outcome == Outcome(Seat.SECOND, Reason.TIE, Scores((8, 8)))


@pytest.mark.parametrize("last", SEATS)
def test_without_a_tie_it_does_not_matter_who_took_the_last_turn(last: Seat) -> None:
    assert decide((23, 22), last) == Outcome(Seat.FIRST, Reason.SUM, Scores((23, 22)))
    assert decide((22, 23), last) == Outcome(Seat.SECOND, Reason.SUM, Scores((22, 23)))


# What is seen


def test_every_viewer_sees_the_grid_the_owners_and_the_scores() -> None:
    state = played("0,1", "1,2")
    for viewer in (None, *SEATS):
        view = state.view(viewer)
        owned = {
            cell.label: (cell.number, cell.owner)
            for cell in view.boards[0].cells
            if cell.owner is not None
        }
        assert owned == {"0,1": (9, Seat.FIRST), "1,2": (5, Seat.SECOND)}
        assert (view.number("score", Seat.FIRST), view.number("score", Seat.SECOND)) == (9, 5)
        assert view.setup == {"grid": BOOK}
        assert view.phase == "claiming"


# What a page needs


def test_a_spot_is_the_cell() -> None:
    assert GAME.spot(GAME.parse("0,1")) == Spot(None, (1,))
    assert GAME.spot(GAME.parse("2,2")) == Spot(None, (8,))


def test_the_page_asks_for_a_number_and_tells_it_and_the_score() -> None:
    assert chosen(played()) == "Take a number. It is added to your score."
    assert news(played(), "0,1") == "Ann took the 9 and has 9."
    assert news(played("0,1", "1,2"), "0,0") == "Ann took the 7 and has 16."
    assert news(played("0,1"), "1,2") == "Ben took the 5 and has 5."
