"""What is said of a match that is over."""

from __future__ import annotations

from random import Random

import pytest

from ninefold import Seat
from ninefold.match import Match
from ninefold.show.moves import cast_of
from ninefold.show.reviews import accuracy, say_points_lost, say_undecided
from ninefold.study.facts import chance_of
from ninefold.study.reviews import review_match
from tests.match.tables import new_match, play, play_at_random
from tests.setups import Setup, every_table

BATTLE: Setup = {"grid": "123456789"}


def told(match: Match) -> str:
    found = review_match(match)
    assert found.deciding is None
    return say_undecided(match, found, cast_of(match))


def test_where_a_move_only_lost_sooner_nothing_is_said_of_better_ones() -> None:
    """The second player is lost from the start, and here loses sooner than need be."""
    match = play(new_match("pattern", {}), "5@2,2", "1@1,1", "6@1,1", "9@3,3", "4@3,3")
    marks = [str(one.mark) for one in review_match(match).moves if one.seat is Seat.SECOND]
    assert marks[-1] == "sooner"
    assert told(match) == "No single move lost it: Alice was winning from the start."


@every_table
def test_who_is_said_to_be_winning_from_the_start_was(slug: str, setup: Setup) -> None:
    for seed in range(6):
        match = play_at_random(new_match(slug, setup), Random(seed))
        found = review_match(match)
        if match.outcome is not None and found.deciding is None and not any(o.luck for o in found.moves):
            assert "was winning from the start" in told(match)
            assert chance_of(found.values[0], match.outcome.winner) == 1


def test_whoever_resigned_may_have_been_winning() -> None:
    match = play(new_match("battle", BATTLE), "2,2", "2,1")
    match.resign(Seat.FIRST)
    assert told(match) == "Alice was still winning."


def test_luck_is_called_so() -> None:
    """Both choose as perfect players do, and the numbers decide."""
    moves = "claim:1 claim:2 claim:3 claim:4 challenge:4 bid:4 bid:3"
    match = play(new_match("conquest", {"size": 2}), *moves.split())
    assert told(match) == "Bob gave nothing away: luck decided."


def test_of_a_player_who_stopped_before_a_move_there_is_nothing_to_judge() -> None:
    match = play(new_match("battle", BATTLE), "2,2")
    match.forfeit(Seat.SECOND, "The program has stopped.")
    found = review_match(match)
    assert [accuracy(found, seat) for seat in Seat] == ["100%", "no move to judge"]


def test_a_player_whose_moves_could_change_nothing_is_told_so() -> None:
    moves = ("2,2", "2,1", "2,0", "1,2", "1,1", "1,0", "0,2", "0,1", "0,0")
    found = review_match(play(new_match("battle", BATTLE), *moves))
    assert [accuracy(found, seat) for seat in Seat] == ["100%", "no result at stake"]


@pytest.mark.parametrize(
    ("slug", "setup", "moves", "said"),
    [
        ("battle", BATTLE, "2,2 2,1 0,0 2,0", "Points given away: 6 by you, none by Bob."),
        ("cross", {"grid": "123456789"}, "Row3 Row1", "Points given away: none by you, 12 by Bob."),
        ("shadow", {"target": 15}, "5@2,2 1@1,1", ""),
    ],
)
def test_points_are_counted_where_they_decide(slug: str, setup: Setup, moves: str, said: str) -> None:
    match = play(new_match(slug, setup), *moves.split())
    assert say_points_lost(review_match(match), cast_of(match, Seat.FIRST)) == said


def test_the_winner_of_a_game_that_was_never_in_doubt_is_not_told_that_no_move_lost_it() -> None:
    moves = ("2,2", "2,1", "2,0", "1,2", "1,1", "1,0", "0,2", "0,1", "0,0")
    match = play(new_match("battle", BATTLE), *moves)
    told = say_undecided(match, review_match(match), cast_of(match, Seat.FIRST))
    assert told == "You were winning from the start and gave nothing away."
