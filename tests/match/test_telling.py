"""What is said of a match that is over."""

from __future__ import annotations

from ninefold import Seat
from ninefold.match import Match
from ninefold.match.telling import accuracy, reviewed, undecided
from tests.match.tables import new_match, play

BATTLE = {"grid": "123456789"}


def told(match: Match) -> str:
    found = reviewed(match)
    assert found.deciding is None
    return undecided(match, found)


def test_where_a_move_only_lost_sooner_nothing_is_said_of_better_ones() -> None:
    """The second player is lost from the start, and here loses sooner than need be."""
    match = play(new_match("pattern", {}), "5@2,2", "1@1,1", "6@1,1", "9@3,3", "4@3,3")
    assert [str(one.mark) for one in reviewed(match).moves if one.seat is Seat.SECOND][
        -1
    ] == "loses sooner"
    assert told(match) == "No move of Bob would have changed who wins."


def test_who_resigned_may_have_been_winning() -> None:
    match = play(new_match("battle", BATTLE), "2,2", "2,1")
    match.resign(Seat.FIRST)
    assert told(match) == "Alice had thrown nothing away."


def test_luck_is_called_so() -> None:
    """Both choose as perfect players do, and the numbers decide."""
    moves = "claim:1 claim:2 claim:3 claim:4 challenge:4 bid:4 bid:3"
    match = play(new_match("conquest", {"size": 2}), *moves.split())
    assert told(match) == "Bob threw nothing away: luck decided."


def test_of_a_player_who_stopped_before_a_move_there_is_nothing_to_judge() -> None:
    match = play(new_match("battle", BATTLE), "2,2")
    match.forfeit(Seat.SECOND, "The program has stopped.")
    found = reviewed(match)
    assert [accuracy(found, seat) for seat in Seat] == ["100%", "no move to judge"]


def test_a_player_whose_moves_could_change_nothing_had_nothing_to_decide() -> None:
    moves = ("2,2", "2,1", "2,0", "1,2", "1,1", "1,0", "0,2", "0,1", "0,0")
    match = play(new_match("battle", BATTLE), *moves)
    found = reviewed(match)
    assert [accuracy(found, seat) for seat in Seat] == ["100%", "nothing to decide"]
