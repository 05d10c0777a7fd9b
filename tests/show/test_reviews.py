"""What is said of a match that is over."""

from __future__ import annotations

from random import Random

from ninefold import Seat
from ninefold.match import Match
from ninefold.show.moves import cast_of
from ninefold.show.reviews import accuracy, say_undecided
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
    assert marks[-1] == "loses sooner"
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
    assert told(match) == "Alice had given nothing away."


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
    assert [accuracy(found, seat) for seat in Seat] == ["100%", "every move was equally good"]
