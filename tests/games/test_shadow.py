"""Shadow Grid Duel: its rule book and our rulings, one by one.

In the drawings `5x` is the first player's 5, `7o` the second player's 7, `.` an empty cell.
"""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

import ninefold
from ninefold import SEATS, GameOver, IllegalMove, NotYourTurn, Outcome, Reason, Seat, SetupError
from ninefold.core.outcome import WonLine
from ninefold.core.view import Spot
from ninefold.games.shadow.rules import Shadow
from ninefold.games.shadow.script import SCRIPT
from tests.games.telling import CAST, chosen, news

GAME = ninefold.load("shadow")

# The eight lines as the book counts them, by row and column from 1.
LINES = {
    "row 1": ((1, 1), (1, 2), (1, 3)),
    "row 2": ((2, 1), (2, 2), (2, 3)),
    "row 3": ((3, 1), (3, 2), (3, 3)),
    "column 1": ((1, 1), (2, 1), (3, 1)),
    "column 2": ((1, 2), (2, 2), (3, 2)),
    "column 3": ((1, 3), (2, 3), (3, 3)),
    "falling diagonal": ((1, 1), (2, 2), (3, 3)),
    "rising diagonal": ((3, 1), (2, 2), (1, 3)),
}
POSITIONS = [(row, col) for row in (1, 2, 3) for col in (1, 2, 3)]


def played(target: int, *moves: str) -> Shadow:
    state = GAME.sequence(GAME.start(target=target), moves)
    assert isinstance(state, Shadow)
    return state


def position(target: int, picture: str) -> Shadow:
    """The position of a drawing that is not over."""
    signs = {"x": 1, "o": -1}
    words = picture.split()
    assert len(words) == 9
    return Shadow(target, tuple(0 if word == "." else signs[word[1]] * int(word[0]) for word in words))


def drawn(state: Shadow) -> str:
    """The drawing of what both players see."""
    view = state.view(Seat.FIRST)
    assert state.view(Seat.SECOND).boards == view.boards
    return "\n".join(
        " ".join("." if c.owner is None else f"{c.number}{'o' if c.owner else 'x'}" for c in row)
        for row in view.boards[0].rows
    )


def picture(text: str) -> str:
    return "\n".join(" ".join(line.split()) for line in text.strip().splitlines())


# The book's example


EXAMPLE = ("5@1,1", "7@1,2", "6@2,2", "8@1,3", "4@3,3")


def test_the_example_game_is_won_by_the_diagonal_of_5_6_and_4() -> None:
    state = played(15, *EXAMPLE)
    assert drawn(state) == picture("""
        5x 7o 8o
        .  6x .
        .  .  4x
    """)
    outcome = state.outcome
    assert outcome is not None
    assert outcome.winner is Seat.FIRST
    assert outcome.reason is Reason.LINE
    assert isinstance(outcome.detail, WonLine)
    assert outcome.detail.line.kind == "diagonal"
    assert outcome.detail.numbers == (5, 6, 4)
    assert outcome.detail.total == 15


def test_the_example_game_offers_the_numbers_the_book_lists() -> None:
    hands = []
    state = played(15)
    for move in EXAMPLE:
        hands.append(state.hand(state.movers[0]))
        state = state.play(move)
    assert hands == [
        (1, 2, 3, 4, 5, 6, 7, 8, 9),
        (1, 2, 3, 4, 5, 6, 7, 8, 9),
        (1, 2, 3, 4, 6, 7, 8, 9),
        (1, 2, 3, 4, 5, 6, 8, 9),
        (1, 2, 3, 4, 7, 8, 9),
    ]


def test_the_example_game_goes_on_until_its_last_move_and_under_any_other_target() -> None:
    for count in range(5):
        assert played(15, *EXAMPLE[:count]).outcome is None
    for target in set(range(10, 21)) - {15}:
        assert played(target, *EXAMPLE).outcome is None


# Setup


def test_the_grid_is_empty_at_the_start_and_both_have_1_to_9() -> None:
    state = played(12)
    assert drawn(state) == picture("""
        . . .
        . . .
        . . .
    """)
    for seat in SEATS:
        assert state.hand(seat) == (1, 2, 3, 4, 5, 6, 7, 8, 9)
    assert len(state.moves()) == 81


def test_the_target_is_a_whole_number_from_10_to_20() -> None:
    for target in range(10, 21):
        assert GAME.start(target=target).setup == {"target": target}
    for refused in (9, 21, 0, -15, 150, "ten", "15.5", ""):
        with pytest.raises(SetupError, match="10 to 20"):
            GAME.start(target=refused)


def test_a_target_left_open_is_drawn_and_every_one_can_come() -> None:
    drawn_targets = {GAME.start(rng=Random(seed)).setup["target"] for seed in range(300)}
    assert drawn_targets == set(range(10, 21))


def test_a_target_left_open_with_nothing_to_draw_it_from_is_refused() -> None:
    with pytest.raises(SetupError, match="target"):
        GAME.start()


def test_the_target_stays_the_same_through_the_game() -> None:
    state = played(17)
    for move in ("1@1,1", "2@1,2", "3@2,2", "4@3,3"):
        state = state.play(move)
        assert state.target == 17


# Turns


def test_the_players_alternate_and_the_first_seat_opens() -> None:
    state = played(20)
    movers = []
    for move in ("1@1,1", "1@1,2", "2@2,2", "2@2,1", "3@3,2"):
        movers.append(state.movers)
        state = state.play(move)
    first, second = (Seat.FIRST,), (Seat.SECOND,)
    assert movers == [first, second, first, second, first]


def test_a_player_out_of_turn_is_refused() -> None:
    with pytest.raises(NotYourTurn, match="first"):
        played(15, "5@1,1").play("6@2,2", Seat.FIRST)
    with pytest.raises(NotYourTurn, match="second"):
        played(15).play("6@2,2", Seat.SECOND)


def test_nobody_may_pass() -> None:
    for text in ("pass", "", "0@1,1"):
        with pytest.raises(ninefold.MalformedMove):
            played(15).play(text)


def test_any_number_in_hand_may_go_on_any_empty_cell() -> None:
    state = position(
        15,
        """
        5x 7o 8o
        .  6x .
        .  .  .
    """,
    )
    expected = {
        f"{number}@{cell}"
        for number in (1, 2, 3, 4, 7, 8, 9)
        for cell in ("2,1", "2,3", "3,1", "3,2", "3,3")
    }
    assert {str(move) for move in state.moves()} == expected


# Numbers and cells


def test_a_number_is_placed_at_its_row_and_column() -> None:
    state = played(20, "5@1,2", "7@3,1")
    assert drawn(state) == picture("""
        .  5x .
        .  .  .
        7o .  .
    """)


def test_a_number_is_good_for_one_use_by_the_same_player() -> None:
    with pytest.raises(IllegalMove, match="already used your 5"):
        played(15, "5@1,1", "7@1,2").play("5@3,3")
    with pytest.raises(IllegalMove, match="already used your 7"):
        played(15, "5@1,1", "7@1,2", "6@2,2").play("7@3,3")


def test_both_players_may_use_the_same_number() -> None:
    state = played(15, "5@1,1", "5@3,3")
    assert drawn(state) == picture("""
        5x .  .
        .  .  .
        .  .  5o
    """)
    assert 5 not in state.hand(Seat.FIRST)
    assert 5 not in state.hand(Seat.SECOND)


def test_a_number_goes_only_on_an_empty_cell() -> None:
    state = played(15, "5@1,1", "7@1,2")
    for taken in ("1,1", "1,2"):
        with pytest.raises(IllegalMove, match=f"{taken} is taken"):
            state.play(f"6@{taken}")


# Lines


def two_on(line: tuple[tuple[int, int], ...], last: int, trio: tuple[int, ...], target: int) -> Shadow:
    """The first player has two of a trio on a line; the second player's two are off it."""
    cells = dict.fromkeys(POSITIONS, 0)
    off = [cell for cell in POSITIONS if cell not in line]
    cells[off[0]], cells[off[-1]] = -1, -2
    for place, number in zip(line, trio, strict=True):
        cells[place] = number
    cells[line[last]] = 0
    return Shadow(target, tuple(cells[cell] for cell in POSITIONS))


@pytest.mark.parametrize("line", LINES.values(), ids=LINES.keys())
@pytest.mark.parametrize("last", range(3))
def test_three_own_numbers_in_a_line_win_exactly_if_they_add_up_to_the_target(
    line: tuple[tuple[int, int], ...], last: int
) -> None:
    row, col = line[last]
    for trio in permutations(range(1, 10), 3):
        for target in {sum(trio) - 1, sum(trio), sum(trio) + 1} & set(range(10, 21)):
            state = two_on(line, last, trio, target).play(f"{trio[last]}@{row},{col}")
            if sum(trio) == target:
                assert state.outcome is not None
                assert state.outcome.winner is Seat.FIRST
                assert state.outcome.reason is Reason.LINE
                assert isinstance(state.outcome.detail, WonLine)
                assert sorted(state.outcome.detail.numbers) == sorted(trio)
                assert set(state.outcome.detail.line.cells) == {3 * (r - 1) + c - 1 for r, c in line}
            else:
                assert state.outcome is None


def test_the_second_player_wins_by_a_line_of_their_own() -> None:
    state = played(12, "9@1,1", "3@2,1", "8@1,2", "4@2,2", "7@3,3", "5@2,3")
    assert drawn(state) == picture("""
        9x 8x .
        3o 4o 5o
        .  .  7x
    """)
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason) == (Seat.SECOND, Reason.LINE)


@pytest.mark.parametrize(
    ("before", "move"),
    [
        ("5x 6x .   1o .  .   .  .  .", "4@1,3"),
        ("5x .  4o  .  .  .   .  .  .", "6@1,2"),
        ("5o 6o .   1x .  .   2x .  .", "4@1,3"),
        (".  6o 4o  .  .  .   1x .  2x", "5@1,1"),
        ("5o .  .   .  6x .   .  .  .", "4@3,3"),
        ("5x .  .   .  6x .   .  1o .", "4@3,3"),
    ],
)
def test_a_line_of_both_players_numbers_does_not_count(before: str, move: str) -> None:
    state = position(15, before).play(move)
    assert state.outcome is None
    assert len(state.moves()) > 0


def test_two_numbers_that_add_up_to_the_target_do_not_win() -> None:
    assert played(15, "9@1,1", "1@3,1", "6@1,2").outcome is None


def test_three_numbers_that_add_up_but_stand_in_no_line_do_not_win() -> None:
    assert played(15, "4@1,1", "1@3,1", "5@1,2", "2@3,2", "6@2,2").outcome is None


def test_a_line_of_the_opponent_made_worthless_by_a_block_stays_worthless() -> None:
    state = played(15, "4@1,1", "6@1,3", "5@1,2")
    assert state.outcome is None
    with pytest.raises(IllegalMove, match="taken"):
        state.play("1@3,3").play("6@1,3")


def test_a_line_wins_at_once_and_nobody_moves_any_more() -> None:
    state = played(15, *EXAMPLE)
    assert state.movers == ()
    with pytest.raises(GameOver):
        state.play("1@3,1", Seat.SECOND)


def test_one_number_may_complete_two_lines() -> None:
    state = position(
        15,
        """
        .  5x 6x
        8x 1o 2o
        3x 3o 8o
    """,
    )
    won = state.play("4@1,1").outcome
    assert won is not None
    assert (won.winner, won.reason) == (Seat.FIRST, Reason.LINE)
    assert isinstance(won.detail, WonLine)
    assert won.detail.numbers in ((4, 5, 6), (4, 8, 3))


# The full board


LAST_CELL = """
    9x 9o 8x
    8o 7x 7o
    6o 6x .
"""


def test_a_full_board_without_a_line_is_lost_by_the_last_mover() -> None:
    state = position(20, LAST_CELL)
    assert state.movers == (Seat.FIRST,)
    assert state.play("5@3,3").outcome == Outcome(Seat.SECOND, Reason.FULL)


def test_a_full_board_is_told_without_denying_a_mixed_line_of_the_target() -> None:
    state = position(20, LAST_CELL).play("5@3,3")  # column 3 holds 8, 7 and 5, and the 7 is Ben's
    assert sum(cell.number or 0 for cell in state.view(None).boards[0].cells[2::3]) == 20
    lines = SCRIPT.ending(state.view(Seat.SECOND), CAST)
    assert lines[0] == "The grid is full, and neither player's own numbers make a line of 20."
    assert lines[1:] == ["Ann made the last move and loses.", "", "Ben wins!"]


def test_the_ninth_number_wins_if_it_completes_a_line() -> None:
    won = position(20, LAST_CELL).play("4@3,3").outcome
    assert won is not None
    assert (won.winner, won.reason) == (Seat.FIRST, Reason.LINE)
    assert isinstance(won.detail, WonLine)
    assert won.detail.numbers == (9, 7, 4)


def test_the_ninth_number_is_always_placed_by_the_first_player() -> None:
    full = 0
    for seed in range(200):
        rng = Random(seed)
        state = played(20)
        seats: list[Seat] = []
        while state.outcome is None:
            seats += state.movers
            state = state.play(rng.choice(state.moves()))
        if len(seats) == 9:
            assert seats[-1] is Seat.FIRST
            expected = Seat.SECOND if state.outcome.reason is Reason.FULL else Seat.FIRST
            assert state.outcome.winner is expected
            full += 1
        else:
            assert state.outcome.reason is Reason.LINE
            assert state.outcome.winner is seats[-1]
    assert full > 20


# Rulings: the secret target and whose each number is


def test_both_players_see_the_target_and_a_spectator_does_not() -> None:
    state = played(13, "5@1,1")
    for seat in SEATS:
        assert state.view(seat).setup == {"target": 13}
    assert state.view(None).setup == {}
    assert "13" not in repr(state.view(None))


def test_a_spectator_sees_the_target_once_a_line_has_won() -> None:
    assert played(15, *EXAMPLE[:-1]).view(None).setup == {}
    assert played(15, *EXAMPLE).view(None).setup == {"target": 15}


def test_a_spectator_sees_the_target_once_the_board_is_full() -> None:
    assert position(20, LAST_CELL).view(None).setup == {}
    assert position(20, LAST_CELL).play("5@3,3").view(None).setup == {"target": 20}


def test_every_viewer_sees_whose_each_number_is() -> None:
    state = played(15, *EXAMPLE[:4])
    for viewer in (None, *SEATS):
        (board,) = state.view(viewer).boards
        shown = {cell.label: (cell.number, cell.owner) for cell in board.cells if cell.owner is not None}
        assert shown == {
            "1,1": (5, Seat.FIRST),
            "1,2": (7, Seat.SECOND),
            "2,2": (6, Seat.FIRST),
            "1,3": (8, Seat.SECOND),
        }
        assert board.owner is None


def test_every_viewer_sees_the_numbers_left_to_both() -> None:
    state = played(15, *EXAMPLE[:3])
    for viewer in (None, *SEATS):
        view = state.view(viewer)
        assert view.numbers("hand", Seat.FIRST) == (1, 2, 3, 4, 7, 8, 9)
        assert view.numbers("hand", Seat.SECOND) == (1, 2, 3, 4, 5, 6, 8, 9)
        assert view.phase == "placing"


# What a page needs


def test_a_spot_is_the_number_and_the_cell() -> None:
    assert GAME.spot(GAME.parse("5@1,1")) == Spot(5, (0,))
    assert GAME.spot(GAME.parse("9@3,2")) == Spot(9, (7,))


def test_the_page_asks_for_a_number_and_a_cell_and_tells_where_it_went() -> None:
    assert chosen(played(15)) == "Choose one of your numbers and an empty cell."
    assert news(played(15), "5@1,1") == "Ann put 5 in the top left."
    assert news(played(15, "5@1,1"), "7@1,2") == "Ben put 7 in the top middle."
