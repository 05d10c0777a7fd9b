"""The authority over a match: what it accepts, what it refuses, what it takes back."""

from __future__ import annotations

from random import Random

import pytest

from ninefold import (
    SEATS,
    GameOver,
    IllegalMove,
    MalformedMove,
    NinefoldError,
    NotYourTurn,
    Reason,
    Seat,
)
from ninefold.match import Match, Played, Series
from tests.match.tables import (
    ALICE_FIRST,
    BOB_FIRST,
    new_match,
    noon,
    play,
    play_at_random,
    ticking,
)
from tests.setups import Setup, every_table

FIRST, SECOND = SEATS


def cross(*moves: str) -> Match:
    return play(new_match("cross", {"grid": "123456789"}), *moves)


def conquest(*moves: str, size: int = 3) -> Match:
    return play(new_match("conquest", {"size": size}), *moves)


def everything(match: Match) -> tuple[object, ...]:
    """All that anybody can ask a match for."""
    records = tuple(match.record(viewer).to_json() for viewer in (*SEATS, None))
    return (match.states, match.played, match.outcome, match.ply, match.shared_record(), records)


# Who plays, and when


def test_players_sit_where_they_are_told() -> None:
    match = new_match("pattern", {}, players=BOB_FIRST)
    assert match.player(FIRST).name == "Bob"
    assert match.player(SECOND).name == "Alice"
    assert [player.name for player in match.players] == ["Alice", "Bob"]


def test_times_come_from_the_clock_that_is_passed_in() -> None:
    match = new_match("cross", {"grid": "123456789"}, now=ticking())
    play(match, "Row1", "Col1")
    times = [match.started, *(played.at for played in match.played)]
    assert times == [f"2025-01-01T12:00:{second:02}+00:00" for second in range(3)]


def test_without_a_clock_times_are_in_utc() -> None:
    match = Match(cross().state, ALICE_FIRST)
    assert match.started.endswith("+00:00")


def test_a_replayed_match_keeps_its_times_and_goes_on_by_the_clock() -> None:
    record = cross("Row1").shared_record()
    match = Match.of(record, now=lambda: "later")
    match.submit(SECOND, "Row2")
    assert match.started == noon()
    assert [played.at for played in match.played] == [noon(), "later"]


def test_a_match_knows_its_series() -> None:
    assert new_match("pattern", {}, series=Series(5, (2, 1))).series == Series(5, (2, 1))
    assert cross().series is None


@pytest.mark.parametrize(("best_of", "needed"), [(1, 1), (3, 2), (5, 3), (99, 50)])
def test_a_series_is_decided_by_more_than_half(best_of: int, needed: int) -> None:
    series = Series(best_of, (needed - 1, needed - 1))
    assert not series.over
    assert series.after(0) == Series(best_of, (needed, needed - 1))
    assert series.after(0).over
    assert series.after(1) == Series(best_of, (needed - 1, needed))


# Moves


def test_a_legal_move_is_played_and_answered() -> None:
    match = cross()
    row1 = Played(FIRST, match.game.parse("Row1"), noon())
    assert match.submit(FIRST, "r 1") == row1
    assert match.played == (row1,)
    assert match.state == match.states[0].play("Row1")
    assert match.ply == 1


def test_a_move_may_be_given_as_such() -> None:
    match = cross()
    move = match.state.moves()[2]
    assert match.submit(FIRST, move).move == move


@every_table
def test_every_position_of_a_match_is_the_rules_own(slug: str, setup: Setup) -> None:
    match = play_at_random(new_match(slug, setup), Random(8))
    state = match.states[0]
    for played, after in zip(match.played, match.states[1:], strict=True):
        state = state.play(played.move, played.seat)
        assert state == after
    assert match.outcome == state.outcome


REFUSALS = [
    (cross, FIRST, "hello", MalformedMove),
    (cross, FIRST, "", MalformedMove),
    (cross, FIRST, "Row4", MalformedMove),
    (cross, SECOND, "Row1", NotYourTurn),
    (lambda: cross("Row1"), SECOND, "Row1", IllegalMove),
    (lambda: cross("Row1"), FIRST, "Row2", NotYourTurn),
    (lambda: conquest("claim:1"), SECOND, "claim:1", IllegalMove),
    (lambda: conquest("claim:1"), SECOND, "challenge:2", IllegalMove),
    (lambda: conquest("claim:1"), SECOND, "bid:2", IllegalMove),
    (lambda: conquest("claim:1", "challenge:1"), SECOND, "claim:2", IllegalMove),
    (lambda: conquest("claim:1", "challenge:1"), FIRST, "bid:6", MalformedMove),
    (lambda: conquest("claim:1", "challenge:1", "bid:3"), SECOND, "bid:4", NotYourTurn),
]


@pytest.mark.parametrize(("make", "seat", "move", "error"), REFUSALS)
@pytest.mark.parametrize("with_ply", [True, False])
def test_a_refused_move_changes_nothing(
    make: object, seat: Seat, move: str, error: type[NinefoldError], with_ply: bool
) -> None:
    assert callable(make)
    match: Match = make()
    before = everything(match)
    with pytest.raises(error):
        match.submit(seat, move, match.ply if with_ply else None)
    assert everything(match) == before


# The ply a move answers


def test_the_same_move_sent_again_is_answered_like_the_first_time() -> None:
    match = new_match("cross", {"grid": "123456789"}, now=ticking())
    first = match.submit(FIRST, "Row1", 0)
    before = everything(match)
    assert match.submit(FIRST, "Row1", 0) == first
    assert match.submit(FIRST, "row 1", 0) == first
    assert everything(match) == before
    match.submit(SECOND, "Row2", 1)
    match.submit(FIRST, "Row3", 2)
    assert match.submit(FIRST, "Row1", 0) == first


def test_the_last_move_of_a_game_sent_again_is_answered_too() -> None:
    match = cross("Row1", "Row2", "Row3", "Col1", "Col2")
    last = match.submit(SECOND, "Col3", 5)
    assert match.outcome is not None
    assert match.submit(SECOND, "Col3", 5) == last


@pytest.mark.parametrize(
    ("seat", "move", "ply"),
    [
        (FIRST, "Row3", 0),  # another move for a position of the past
        (SECOND, "Row1", 0),  # the same by the other seat
        (FIRST, "Row1", 1),
        (FIRST, "Row3", 1),
        (FIRST, "Row3", 3),  # a position that is yet to come
        (FIRST, "Row3", 99),
        (FIRST, "Row3", -1),
        (SECOND, "Row2", -1),
    ],
)
def test_a_move_for_another_position_is_refused_as_late(seat: Seat, move: str, ply: int) -> None:
    match = cross("Row1", "Row2")
    before = everything(match)
    with pytest.raises(NotYourTurn, match="moved on since"):
        match.submit(seat, move, ply)
    assert everything(match) == before


def test_a_move_for_a_turn_that_was_taken_back_is_refused_as_late() -> None:
    match = cross("Row1", "Row2")
    match.undo()
    with pytest.raises(NotYourTurn):
        match.submit(FIRST, "Row3", 2)


@pytest.mark.parametrize("order", [(SECOND, FIRST), (FIRST, SECOND)])
def test_both_numbers_answer_the_same_ply_in_either_order(order: tuple[Seat, Seat]) -> None:
    match = conquest("claim:1", "challenge:1")
    number = {FIRST: "bid:2", SECOND: "bid:4"}
    assert match.ply == 2
    for seat in order:
        assert match.ply == 2
        match.submit(seat, number[seat], 2)
    assert match.ply == 4
    before = everything(match)
    for seat in order:
        assert str(match.submit(seat, number[seat], 2).move) == number[seat]
        with pytest.raises(NotYourTurn):
            match.submit(seat, "bid:5", 2)
    assert everything(match) == before


@pytest.mark.parametrize("numbers", [(2, 4), (4, 2), (3, 3)])
def test_numbers_in_either_order_lead_to_equal_positions(numbers: tuple[int, int]) -> None:
    one, other = (conquest("claim:1", "challenge:1") for _ in range(2))
    for seat in (FIRST, SECOND):
        one.submit(seat, f"bid:{numbers[seat]}")
    for seat in (SECOND, FIRST):
        other.submit(seat, f"bid:{numbers[seat]}")
    assert one.state == other.state
    assert hash(one.state) == hash(other.state)
    cell = one.state.view(None).boards[0].cells[0]
    assert cell.owner is (SECOND if numbers[1] > numbers[0] else FIRST)


@pytest.mark.parametrize("owner", SEATS)
def test_a_number_sent_again_is_answered_while_the_other_is_awaited(owner: Seat) -> None:
    match = conquest("claim:1", "challenge:1")
    first = match.submit(owner, "bid:3", 2)
    before = everything(match)
    assert match.submit(owner, "bid:3", 2) == first
    with pytest.raises(NotYourTurn):
        match.submit(owner, "bid:4", 2)
    assert everything(match) == before


def test_a_number_sent_for_the_ply_of_the_challenge_is_late() -> None:
    match = conquest("claim:1", "challenge:1")
    match.submit(SECOND, "bid:3", 2)
    match.submit(FIRST, "bid:5", 2)
    with pytest.raises(NotYourTurn):
        match.submit(SECOND, "bid:3", 1)


def test_the_ply_does_not_tell_that_a_number_is_in() -> None:
    assert conquest("claim:1", "challenge:1").ply == conquest("claim:1", "challenge:1", "bid:3").ply == 2


# The end


@pytest.mark.parametrize("loser", SEATS)
def test_a_player_may_resign_at_any_time_and_the_other_wins(loser: Seat) -> None:
    for match in (cross(), cross("Row1"), conquest("claim:1", "challenge:1", "bid:3")):
        match.resign(loser)
        assert match.outcome is not None
        assert (match.outcome.winner, match.outcome.reason) == (loser.other, Reason.RESIGNED)
        assert match.state.outcome is None


def test_a_forfeit_says_why() -> None:
    match = cross("Row1")
    match.forfeit(FIRST, "it played out of turn")
    assert match.outcome is not None
    assert match.outcome.winner is SECOND
    assert match.outcome.reason is Reason.FORFEIT
    assert match.outcome.detail == "it played out of turn"


def resigned() -> Match:
    match = cross("Row1")
    match.resign(SECOND)
    return match


def forfeited() -> Match:
    match = cross("Row1")
    match.forfeit(SECOND, "gone")
    return match


def played_out() -> Match:
    return cross("Row1", "Row2", "Row3", "Col1", "Col2", "Col3")


@pytest.mark.parametrize("make", [resigned, forfeited, played_out])
def test_nothing_happens_any_more_after_the_end(make: object) -> None:
    assert callable(make)
    match: Match = make()
    before = everything(match)
    for seat in SEATS:
        with pytest.raises(GameOver):
            match.submit(seat, "Row3")
        with pytest.raises(GameOver):
            match.submit(seat, "Row3", match.ply)
        with pytest.raises(GameOver):
            match.resign(seat)
        with pytest.raises(GameOver):
            match.forfeit(seat, "too late")
    with pytest.raises(GameOver):
        match.undo()
    assert everything(match) == before


def test_a_resigned_match_that_was_read_again_is_over_too() -> None:
    match = Match.of(resigned().shared_record())
    with pytest.raises(GameOver):
        match.submit(SECOND, "Row3")


# Taking back


@every_table
def test_taking_back_leads_through_the_same_positions(slug: str, setup: Setup) -> None:
    match = play_at_random(new_match(slug, setup), Random(2), 4)
    if match.outcome is not None:
        return
    states, played = match.states, match.played
    while match.played:
        kept = len(match.played)
        if not match.state.pending and states[kept - 1].secret:
            with pytest.raises(NinefoldError, match="secret choices are revealed"):
                match.undo()
            break
        count = match.undo()
        assert match.played == played[: kept - count]
        assert match.states == states[: kept - count + 1]


def test_the_last_turn_is_taken_back_and_another_may_be_played() -> None:
    match = cross("Row1", "Row2")
    assert match.undo() == 1
    assert [str(played.move) for played in match.played] == ["Row1"]
    assert match.state == cross("Row1").state
    match.submit(SECOND, "Col3")
    assert [str(played.move) for played in match.played] == ["Row1", "Col3"]


def test_at_the_start_there_is_nothing_to_take_back() -> None:
    match = cross()
    before = everything(match)
    with pytest.raises(NinefoldError, match="no move to take back"):
        match.undo()
    assert everything(match) == before
    match.submit(FIRST, "Row1")
    match.undo()
    with pytest.raises(NinefoldError, match="no move to take back"):
        match.undo()


def test_a_challenge_may_be_taken_back_before_any_number_is_in() -> None:
    match = conquest("claim:1", "challenge:1")
    assert match.undo() == 1
    assert everything(match) == everything(conquest("claim:1"))


@pytest.mark.parametrize("owner", SEATS)
def test_a_challenge_may_be_taken_back_with_one_number_in(owner: Seat) -> None:
    match = conquest("claim:1", "challenge:1")
    match.submit(owner, "bid:3")
    assert match.undo() == 2
    assert everything(match) == everything(conquest("claim:1"))
    assert match.state.view(owner).numbers("hand", owner) == (1, 2, 3, 4, 5)


@pytest.mark.parametrize("bidder", [None, *SEATS])
def test_nobody_takes_back_a_challenge_that_the_other_player_has_opened(bidder: Seat | None) -> None:
    match = conquest("claim:1", "challenge:1")
    if bidder is not None:
        match.submit(bidder, "bid:3")
    before = everything(match)
    for until in (SEATS, (FIRST,)):
        with pytest.raises(NinefoldError, match="Only the player who began this turn"):
            match.undo(until, by=FIRST)
    assert everything(match) == before
    match.undo(by=SECOND)
    assert everything(match) == everything(conquest("claim:1"))


def test_either_player_takes_back_any_other_turn() -> None:
    for seat in SEATS:
        match = conquest("claim:1", "claim:2")
        assert match.undo(by=seat) == 1
        assert everything(match) == everything(conquest("claim:1"))


def test_a_challenge_may_not_be_taken_back_once_its_numbers_have_been_seen() -> None:
    match = conquest("claim:1", "challenge:1", "bid:3", "bid:2")
    before = everything(match)
    with pytest.raises(NinefoldError, match="secret choices are revealed"):
        match.undo()
    assert everything(match) == before


def test_turns_after_a_challenge_may_be_taken_back_but_not_the_challenge() -> None:
    match = conquest("claim:1", "challenge:1", "bid:3", "bid:2", "claim:2", "challenge:2")
    assert match.undo() == 1
    assert match.undo() == 1
    with pytest.raises(NinefoldError, match="secret choices are revealed"):
        match.undo()
    assert everything(match) == everything(conquest("claim:1", "challenge:1", "bid:3", "bid:2"))


def test_a_second_challenge_in_a_row_is_taken_back_alone() -> None:
    match = conquest("claim:1", "challenge:1", "bid:3", "bid:2", "challenge:1", "bid:5")
    assert match.undo() == 2
    assert everything(match) == everything(conquest("claim:1", "challenge:1", "bid:3", "bid:2"))


def test_a_match_that_was_read_again_can_be_taken_back() -> None:
    match = Match.of(cross("Row1", "Row2").shared_record())
    assert match.undo() == 1
    assert match.state == cross("Row1").state
