"""Grid Conquest: its rule book and our rulings, one by one.

In the drawings X is the first player's cell, O the second player's, `.` an empty one.
"""

from __future__ import annotations

from random import Random

import pytest

import ninefold
from ninefold import (
    SEATS,
    GameOver,
    IllegalMove,
    MalformedMove,
    NotYourTurn,
    Outcome,
    Reason,
    Seat,
    SetupError,
)
from ninefold.core.view import Spot
from ninefold.games.conquest.rules import Conquest, Holdings
from ninefold.games.conquest.script import SCRIPT
from tests.games.telling import CAST, chosen, news

GAME = ninefold.load("conquest")
ALL = (1, 2, 3, 4, 5)
OWNERS = {"X": Seat.FIRST, "O": Seat.SECOND, ".": None}


def played(*moves: str, size: int = 3) -> Conquest:
    state = GAME.sequence(GAME.start(size=size), moves)
    assert isinstance(state, Conquest)
    return state


def position(
    picture: str, turn: Seat = Seat.FIRST, hands: tuple[tuple[int, ...], tuple[int, ...]] = (ALL, ALL)
) -> Conquest:
    """The position of a drawing, with any hands, also such as play does not lead to."""
    rows = picture.split()
    return Conquest(len(rows), tuple(OWNERS[mark] for row in rows for mark in row), hands, turn)


def drawn(state: Conquest) -> str:
    rows = state.view(None).boards[0].rows
    return " ".join("".join("." if c.owner is None else "XO"[c.owner] for c in row) for row in rows)


def hands(state: Conquest) -> tuple[tuple[int, ...], tuple[int, ...]]:
    view = state.view(None)
    return view.numbers("hand", Seat.FIRST), view.numbers("hand", Seat.SECOND)


def texts(state: Conquest, seat: Seat | None = None) -> list[str]:
    return [str(move) for move in state.moves(seat)]


def challenged(state: Conquest, cell: int, challenger: int, defender: int) -> Conquest:
    """After a whole challenge by the seat to move."""
    seat = state.movers[0]
    state = state.play(f"challenge:{cell}")
    return state.play(f"bid:{challenger}", seat).play(f"bid:{defender}", seat.other)


# The book's examples


def test_the_example_turn_sequence_gives_the_grids_of_the_book() -> None:
    state = played("claim:5")
    assert drawn(state) == "... .X. ..."
    state = state.play("claim:1")
    assert drawn(state) == "O.. .X. ..."
    state = challenged(state, 1, 4, 3)
    assert drawn(state) == "X.. .X. ..."
    assert hands(state) == ((1, 2, 3, 5), (1, 2, 4, 5))
    assert state.movers == (Seat.SECOND,)
    state = state.play("claim:2")
    assert drawn(state) == "XO. .X. ..."
    assert state.outcome is None


def test_the_end_of_game_scenario_is_won_by_the_second_player_with_five_cells() -> None:
    claims = [f"claim:{cell}" for cell in (1, 2, 4, 3, 5, 6, 8, 7)]
    state = played(*claims, "challenge:7", "bid:1", "bid:2", "claim:9")
    assert drawn(state) == "XOO XXO OXO"
    assert state.outcome == Outcome(Seat.SECOND, Reason.CELLS, Holdings((4, 5), (14, 13)))


def test_the_tie_breaker_scenario_is_won_by_9_unused_against_7() -> None:
    # Four cells each cannot be on a square grid; with the same hands on 2x2 it is two each.
    state = played("claim:1", size=2)
    state = challenged(state, 1, 3, 4).play("claim:2")
    state = challenged(state, 2, 5, 2).play("claim:3")
    assert hands(state) == ((1, 3, 5), (1, 2, 4))
    state = state.play("claim:4")
    assert drawn(state) == "XO XO"
    assert state.outcome == Outcome(Seat.FIRST, Reason.UNUSED, Holdings((2, 2), (9, 7)))


def test_the_sample_challenge_is_won_by_5_against_4() -> None:
    state = played("claim:5")
    assert texts(state)[-1:] == ["challenge:5"], "the opponent's cells: 5"
    state = challenged(state, 5, 5, 4)
    assert drawn(state) == "... .O. ..."
    assert hands(state) == ((1, 2, 3, 5), (1, 2, 3, 4))


def test_a_spent_number_is_refused_in_the_words_of_the_book() -> None:
    state = played("claim:1", "claim:5", "challenge:5", "bid:4", "bid:5", "claim:2", "challenge:5")
    assert texts(state, Seat.FIRST) == ["bid:1", "bid:2", "bid:3", "bid:5"]
    with pytest.raises(IllegalMove, match="Number 4 has already been used"):
        state.play("bid:4", Seat.FIRST)
    assert state.play("bid:5", Seat.FIRST).view(Seat.FIRST).panel("secret", Seat.FIRST) == 5


def test_the_free_cells_are_those_that_are_really_free() -> None:
    state = played("claim:1", "claim:2")
    assert texts(state) == [*(f"claim:{cell}" for cell in range(3, 10)), "challenge:2"]


# Setup


def test_the_grid_is_3x3_unless_asked_otherwise() -> None:
    assert GAME.start() == GAME.start(size=3)
    assert GAME.start().setup == {"size": 3}
    assert GAME.start(rng=Random(0)).setup == {"size": 3}


@pytest.mark.parametrize("size", [2, 3, 4])
def test_the_cells_are_numbered_row_by_row_from_1(size: int) -> None:
    state = played(size=size)
    board = state.view(None).boards[0]
    assert [cell.label for cell in board.cells] == [str(number) for number in range(1, size**2 + 1)]
    assert [len(row) for row in board.rows] == [size] * size
    assert all(cell.owner is None for cell in board.cells)
    assert texts(state) == [f"claim:{cell}" for cell in range(1, size**2 + 1)]


def test_other_sizes_are_refused() -> None:
    for size in (0, 1, 5, -3, "3x3", "", "two"):
        with pytest.raises(SetupError, match="2, 3 or 4"):
            GAME.start(size=size)


def test_each_player_has_the_numbers_1_to_5() -> None:
    assert hands(played()) == (ALL, ALL)


# Claiming


def test_the_players_alternate_and_the_first_seat_opens() -> None:
    assert played().movers == (Seat.FIRST,)
    assert played("claim:5").movers == (Seat.SECOND,)
    assert played("claim:5", "claim:1").movers == (Seat.FIRST,)
    with pytest.raises(NotYourTurn):
        played("claim:5").play("claim:1", Seat.FIRST)


def test_nobody_may_pass() -> None:
    with pytest.raises(MalformedMove):
        played().play("pass")


def test_a_claimed_cell_cannot_be_claimed_again() -> None:
    state = played("claim:5", "claim:1")
    with pytest.raises(IllegalMove, match=r"Cell 5 is not empty\. It is yours"):
        state.play("claim:5")
    with pytest.raises(IllegalMove, match=r"Cell 1 is not empty\. It is your opponent's"):
        state.play("claim:1")


@pytest.mark.parametrize(("size", "beyond"), [(2, 5), (2, 16), (3, 10)])
def test_a_cell_beyond_the_grid_is_refused(size: int, beyond: int) -> None:
    for action in ("claim", "challenge"):
        with pytest.raises(IllegalMove, match=f"no cell {beyond}.*1 to {size**2}"):
            played(size=size).play(f"{action}:{beyond}")


# Challenging


def test_only_the_opponents_cells_can_be_challenged() -> None:
    state = played("claim:5", "claim:1")
    assert [text for text in texts(state) if text.startswith("challenge")] == ["challenge:1"]
    with pytest.raises(IllegalMove, match=r"Cell 5 is your own"):
        state.play("challenge:5")
    with pytest.raises(IllegalMove, match=r"Cell 9 is empty"):
        state.play("challenge:9")


def test_without_a_cell_of_the_opponent_there_is_nothing_to_challenge() -> None:
    with pytest.raises(IllegalMove, match="no cells to challenge"):
        played().play("challenge:5")


@pytest.mark.parametrize("seat", SEATS)
def test_the_higher_number_takes_or_keeps_the_cell_and_a_tie_leaves_it_with_its_owner(seat: Seat) -> None:
    start = position("X.. .O. ...", turn=seat)
    cell, own = (5, "X") if seat is Seat.FIRST else (1, "O")
    for challenger in ALL:
        for defender in ALL:
            state = challenged(start, cell, challenger, defender)
            taken = challenger > defender
            assert drawn(state) == (f"{own}.. .{own}. ..." if taken else "X.. .O. ...")
            assert state.movers == (seat.other,)
            left = {
                seat: tuple(number for number in ALL if number != challenger),
                seat.other: tuple(number for number in ALL if number != defender),
            }
            assert hands(state) == (left[Seat.FIRST], left[Seat.SECOND])


def test_both_choose_at_once_and_the_challenger_is_named_first() -> None:
    assert played("claim:5", "challenge:5").movers == (Seat.SECOND, Seat.FIRST)
    assert played("claim:5", "claim:1", "challenge:1").movers == (Seat.FIRST, Seat.SECOND)


def test_it_does_not_matter_who_chooses_first() -> None:
    state = played("claim:5", "challenge:5")
    one = state.play("bid:3", Seat.SECOND).play("bid:2", Seat.FIRST)
    other = state.play("bid:2", Seat.FIRST).play("bid:3", Seat.SECOND)
    assert one == other
    assert drawn(one) == "... .O. ..."


def test_in_a_challenge_the_seat_must_be_said() -> None:
    with pytest.raises(NotYourTurn, match="Both"):
        played("claim:5", "challenge:5").play("bid:3")


def test_nobody_chooses_a_number_twice() -> None:
    state = played("claim:5", "challenge:5").play("bid:3", Seat.FIRST)
    assert state.movers == (Seat.SECOND,)
    with pytest.raises(NotYourTurn):
        state.play("bid:4", Seat.FIRST)


def test_a_number_is_chosen_only_in_a_challenge_and_in_a_challenge_nothing_else() -> None:
    with pytest.raises(IllegalMove, match="only in a challenge"):
        played("claim:5").play("bid:3")
    state = played("claim:5", "challenge:5")
    for seat in SEATS:
        assert texts(state, seat) == ["bid:1", "bid:2", "bid:3", "bid:4", "bid:5"]
        for other in ("claim:1", "challenge:5"):
            with pytest.raises(IllegalMove, match="Cell 5 is being challenged"):
                state.play(other, seat)


def test_a_cell_that_was_taken_can_be_taken_back() -> None:
    state = challenged(played("claim:5"), 5, 3, 2)
    assert drawn(state) == "... .O. ..."
    state = challenged(state, 5, 5, 4)
    assert drawn(state) == "... .X. ..."
    assert hands(state) == ((1, 3, 4), (1, 2, 5))


def test_a_challenge_never_empties_a_cell_and_hands_keep_the_same_size() -> None:
    challenges = 0
    for size in (2, 3, 4):
        for seed in range(30):
            rng = Random(seed)
            state = played(size=size)
            while state.outcome is None:
                seat = rng.choice(state.movers)
                later = state.play(rng.choice(state.moves(seat)), seat)
                if state.secret and not later.secret:
                    assert later.owners.count(None) == state.owners.count(None)
                    assert len(later.hands[0]) == len(later.hands[1]) == len(state.hands[0]) - 1
                    challenges += 1
                else:
                    assert later.hands == state.hands
                state = later
    assert challenges > 100


# Empty hands


def test_without_numbers_nobody_can_challenge_but_claiming_goes_on() -> None:
    state = position("XO. ... ...", hands=((), ()))
    assert texts(state) == [f"claim:{cell}" for cell in range(3, 10)]
    with pytest.raises(IllegalMove, match="no numbers left to challenge with"):
        state.play("challenge:2")


def test_five_challenges_empty_both_hands() -> None:
    state = played("claim:1", "claim:2")
    for number in ALL:
        state = challenged(state, 2 if state.movers[0] is Seat.FIRST else 1, number, number)
    assert hands(state) == ((), ())
    assert drawn(state) == "XO. ... ..."
    assert state.movers == (Seat.SECOND,)
    assert texts(state) == [f"claim:{cell}" for cell in range(3, 10)]


@pytest.mark.parametrize("seat", SEATS)
def test_a_defender_without_numbers_can_be_challenged_and_counts_as_0(seat: Seat) -> None:
    cell = 2 if seat is Seat.FIRST else 1
    hand = ((1, 4), ()) if seat is Seat.FIRST else ((), (1, 4))
    state = position("XO. ... ...", turn=seat, hands=hand).play(f"challenge:{cell}")
    assert state.movers == (seat,), "the defender has nothing to choose"
    state = state.play("bid:1")
    own = "X" if seat is Seat.FIRST else "O"
    assert drawn(state) == f"{own}{own}. ... ..."
    assert state.hands[seat] == (4,)
    assert state.hands[seat.other] == ()
    assert state.movers == (seat.other,)
    assert not state.secret


# The end


def test_the_game_ends_the_moment_the_last_empty_cell_is_claimed() -> None:
    claims = [f"claim:{cell}" for cell in range(1, 10)]
    for count in range(9):
        assert played(*claims[:count]).outcome is None
    state = played(*claims)
    assert drawn(state) == "XOX OXO XOX"
    assert state.outcome == Outcome(Seat.FIRST, Reason.CELLS, Holdings((5, 4), (15, 15)))
    assert state.movers == ()
    with pytest.raises(GameOver):
        state.play("challenge:1", Seat.SECOND)


def test_more_cells_win_whatever_numbers_are_left() -> None:
    state = position("XXX XOO OO.", turn=Seat.SECOND, hands=((5,), (1,))).play("claim:9")
    assert state.outcome == Outcome(Seat.SECOND, Reason.CELLS, Holdings((4, 5), (5, 1)))


@pytest.mark.parametrize("size", [2, 4])
def test_with_equal_cells_the_higher_sum_of_unused_numbers_wins(size: int) -> None:
    half = size**2 // 2
    marks = "X" * half + "O" * (half - 1) + "."
    picture = " ".join(marks[k : k + size] for k in range(0, size**2, size))
    last = f"claim:{size**2}"
    state = position(picture, turn=Seat.SECOND, hands=((1, 5), (2, 3))).play(last)
    assert state.outcome == Outcome(Seat.FIRST, Reason.UNUSED, Holdings((half, half), (6, 5)))
    state = position(picture, turn=Seat.SECOND, hands=((1, 4), (2, 5))).play(last)
    assert state.outcome == Outcome(Seat.SECOND, Reason.UNUSED, Holdings((half, half), (5, 7)))


def test_the_sum_counts_and_not_how_many_numbers_or_how_high() -> None:
    state = position("XX O.", turn=Seat.SECOND, hands=((5,), (1, 2, 3))).play("claim:4")
    assert state.outcome == Outcome(Seat.SECOND, Reason.UNUSED, Holdings((2, 2), (5, 6)))


# Sudden death


def full(size: int) -> Conquest:
    """Every cell claimed in order without a challenge."""
    return played(*(f"claim:{cell}" for cell in range(1, size**2 + 1)), size=size)


def test_with_cells_and_sums_equal_every_turn_is_a_challenge() -> None:
    state = full(2)
    assert drawn(state) == "XO XO"
    assert state.outcome is None
    assert state.sudden_death
    assert state.movers == (Seat.FIRST,)
    assert texts(state) == ["challenge:2", "challenge:4"]
    with pytest.raises(IllegalMove, match="sudden death"):
        state.play("claim:1")
    assert state.view(None).phase == "sudden death"


def test_sudden_death_is_only_for_a_full_board_that_is_not_decided() -> None:
    assert not played().sudden_death
    assert not full(3).sudden_death
    assert not played("claim:1", "claim:2", "claim:3", size=2).sudden_death
    assert full(4).sudden_death


def test_in_sudden_death_a_taken_cell_wins() -> None:
    state = challenged(full(2), 4, 2, 1)
    assert drawn(state) == "XO XX"
    assert state.outcome == Outcome(Seat.FIRST, Reason.CELLS, Holdings((3, 1), (13, 14)))


def test_in_sudden_death_a_cell_that_is_kept_leaves_the_game_open_whatever_the_sums_are() -> None:
    state = challenged(full(2), 2, 1, 5)
    assert drawn(state) == "XO XO"
    assert state.holdings == Holdings((2, 2), (14, 10))
    assert state.outcome is None
    assert state.sudden_death
    assert state.movers == (Seat.SECOND,)
    assert texts(state) == ["challenge:1", "challenge:3"]
    state = challenged(state, 1, 4, 3)
    assert state.outcome == Outcome(Seat.SECOND, Reason.CELLS, Holdings((1, 3), (11, 6)))


def test_sums_decide_the_same_cells_and_numbers_only_right_after_the_last_claim() -> None:
    fought_before = challenged(played("claim:1", "claim:2", size=2), 2, 1, 5)
    claimed = fought_before.play("claim:4").play("claim:3")
    fought_after = challenged(full(2), 2, 1, 5)
    for state in (claimed, fought_after):
        assert (drawn(state), hands(state)) == ("XO XO", ((2, 3, 4, 5), (1, 2, 3, 4)))
        assert state.turn is Seat.SECOND
    assert claimed.outcome == Outcome(Seat.FIRST, Reason.UNUSED, Holdings((2, 2), (14, 10)))
    assert fought_after.outcome is None


def test_in_sudden_death_equal_numbers_hand_the_challenge_to_the_next_player() -> None:
    state = challenged(full(2), 4, 3, 3)
    assert state.outcome is None
    assert state.sudden_death
    assert hands(state) == ((1, 2, 4, 5), (1, 2, 4, 5))
    assert state.movers == (Seat.SECOND,)
    assert texts(state) == ["challenge:1", "challenge:3"]
    state = challenged(state, 1, 4, 1)
    assert drawn(state) == "OO XO"
    assert state.outcome == Outcome(Seat.SECOND, Reason.CELLS, Holdings((1, 3), (11, 8)))


def test_an_open_challenge_in_sudden_death_is_not_the_end() -> None:
    state = full(2).play("challenge:2")
    assert state.outcome is None
    assert state.play("bid:5", Seat.FIRST).outcome is None
    assert state.view(None).phase == "bidding"


@pytest.mark.parametrize("size", [2, 4])
def test_with_no_numbers_left_and_all_equal_the_second_player_wins(size: int) -> None:
    state = full(size)
    before = drawn(state)
    half = size**2 // 2
    for count, number in enumerate(ALL):
        assert state.outcome is None
        assert state.movers == (SEATS[count % 2],)
        cell = int(texts(state)[0].removeprefix("challenge:"))
        state = challenged(state, cell, number, number)
    assert drawn(state) == before
    assert hands(state) == ((), ())
    assert state.outcome == Outcome(Seat.SECOND, Reason.SPENT, Holdings((half, half), (0, 0)))
    assert state.movers == ()
    assert not state.sudden_death
    with pytest.raises(GameOver):
        state.play("challenge:1")


@pytest.mark.parametrize("turn", SEATS)
def test_the_last_cell_claimed_with_empty_hands_and_all_equal_is_won_by_the_second(turn: Seat) -> None:
    picture = "XO .O" if turn is Seat.FIRST else "XX .O"
    state = position(picture, turn=turn, hands=((), ())).play("claim:3")
    assert state.outcome == Outcome(Seat.SECOND, Reason.SPENT, Holdings((2, 2), (0, 0)))


def test_sudden_death_begins_with_the_player_whose_turn_it_is() -> None:
    # One challenge shifts the turns by one, so the first player claims the last cell.
    state = played("claim:1", "claim:2", size=2)
    state = challenged(state, 2, 3, 3)
    state = state.play("claim:3").play("claim:4")
    assert drawn(state) == "XO OX"
    assert state.sudden_death
    assert state.movers == (Seat.SECOND,)
    assert texts(state) == ["challenge:1", "challenge:4"]


def test_sudden_death_follows_equal_sums_of_different_numbers_too() -> None:
    state = position("XX O.", turn=Seat.SECOND, hands=((1, 4), (2, 3))).play("claim:4")
    assert state.sudden_death
    assert challenged(state, 3, 1, 3).outcome is None
    assert challenged(state, 3, 4, 3).outcome == Outcome(
        Seat.FIRST, Reason.CELLS, Holdings((3, 1), (1, 2))
    )


# Secrets


def test_a_number_chosen_is_shown_to_who_chose_it_and_to_nobody_else() -> None:
    state = played("claim:5", "challenge:5").play("bid:4", Seat.FIRST)
    assert state.view(Seat.FIRST).panel("secret", Seat.FIRST) == 4
    for viewer in (None, Seat.SECOND):
        view = state.view(viewer)
        assert view.panel("secret", Seat.FIRST) is None
        assert not [panel for panel in view.panels if panel.key == "secret"]
        assert view.numbers("hand", Seat.FIRST) == ALL, "the number is still among those left"


def test_everybody_may_know_the_cell_and_who_has_chosen() -> None:
    state = played("claim:5", "challenge:5")
    for viewer in (None, *SEATS):
        view = state.view(viewer)
        assert view.panel("challenged", Seat.SECOND) == 5
        assert view.pending == ()
        assert view.phase == "bidding"
        assert state.play("bid:4", Seat.FIRST).view(viewer).pending == (Seat.FIRST,)
        assert state.play("bid:4", Seat.SECOND).view(viewer).pending == (Seat.SECOND,)


def test_the_numbers_are_revealed_together_by_leaving_the_hands() -> None:
    state = challenged(played("claim:5"), 5, 3, 2)
    for viewer in (None, *SEATS):
        view = state.view(viewer)
        assert view.pending == ()
        assert view.phase == "acting"
        assert view.numbers("hand", Seat.FIRST) == (1, 3, 4, 5)
        assert view.numbers("hand", Seat.SECOND) == (1, 2, 4, 5)
        assert not [panel for panel in view.panels if panel.key in ("secret", "challenged")]


# What is said at the table


def offered(state: Conquest) -> str:
    """The actions that the player to move is offered."""
    return SCRIPT.turn(state.view(state.turn), CAST)[-1]


CLAIM, BOTH = (
    "Available actions: [claim] an empty cell.",
    "Available actions: [claim] an empty cell, [challenge] an opponent's cell.",
)


def test_a_challenge_is_not_an_available_action_for_an_empty_hand() -> None:
    assert offered(position("XO. ... ...", hands=((), ()))) == CLAIM
    assert offered(position("XO. ... ...", hands=((1,), (1,)))) == BOTH


def test_a_challenge_is_not_an_available_action_where_the_opponent_holds_no_cell() -> None:
    assert offered(challenged(played("claim:5"), 5, 1, 4)) == CLAIM


def test_the_books_first_prompt_names_both_actions() -> None:
    assert offered(played()) == BOTH


@pytest.mark.parametrize("size", [2, 3, 4])
def test_the_available_actions_are_those_that_are_legal(size: int) -> None:
    for seed in range(30):
        state, rng = played(size=size), Random(seed)
        while state.outcome is None:
            if state.challenged is None and set(state.owners) != {None}:
                line, verbs = offered(state), {text.partition(":")[0] for text in texts(state)}
                assert {verb for verb in ("claim", "challenge") if f"[{verb}]" in line} == verbs
            seat = state.movers[0]
            state = state.play(rng.choice(state.moves(seat)), seat)


# What a page needs


def test_a_spot_is_the_cell_and_in_a_challenge_the_number() -> None:
    assert GAME.spot(GAME.parse("claim:5")) == Spot(None, (4,), "claim")
    assert GAME.spot(GAME.parse("challenge:16")) == Spot(None, (15,), "challenge")
    assert GAME.spot(GAME.parse("bid:4")) == Spot(4, (), "bid")


def test_the_page_asks_only_for_what_can_be_done() -> None:
    assert chosen(played()) == "Claim an empty cell."
    assert chosen(played("claim:5", "claim:1")) == "Claim an empty cell, or challenge one of Ben's."
    assert chosen(played("claim:5")) == "Claim an empty cell, or challenge one of Ann's."
    spent = position("XX. O.. ...", hands=((), ()))
    assert chosen(spent) == "Claim an empty cell. You have no numbers left to challenge with."
    assert chosen(full(2)) == (
        "Sudden death: each turn is a challenge until somebody holds more cells. "
        "Choose one of Ben's cells."
    )


def test_in_a_challenge_the_page_asks_each_side_for_a_number_with_what_it_is_for() -> None:
    state = played("claim:5", "challenge:5")
    assert chosen(state, Seat.SECOND) == (
        "You challenge Ann's cell 5. Choose a number in secret: it takes the cell if it is higher than "
        "Ann's."
    )
    challenged = "Ben challenges your cell 5. Choose a number in secret: a tie keeps the cell."
    assert chosen(state, Seat.FIRST) == challenged


def test_the_page_tells_of_claims_and_challenges() -> None:
    assert news(played(), "claim:5") == "Ann claimed cell 5."
    assert news(played("claim:5"), "challenge:5") == "Ben challenged Ann's cell 5."


@pytest.mark.parametrize("quicker", SEATS)
def test_the_page_tells_both_numbers_when_both_are_in_and_the_challengers_first(quicker: Seat) -> None:
    state = played("claim:5", "challenge:5")
    for numbers, verdict in (
        ((2, 4), "Ben's 4 beat Ann's 2: Ben takes cell 5."),
        ((4, 2), "Ben's 2 lost to Ann's 4: Ann keeps cell 5."),
        ((3, 3), "Ben's 3 met Ann's 3: Ann keeps cell 5, because a tie goes to the defender."),
    ):
        bids = [f"bid:{number}" for number in numbers]
        seats = (quicker, quicker.other)
        first, second = (bids[seat] for seat in seats)
        assert news(state, first, seats=seats) == f"{CAST.names[quicker]} has chosen."
        assert news(state, first, second, seats=seats) == verdict
