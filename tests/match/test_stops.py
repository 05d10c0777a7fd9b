"""Games that are stopped: nobody wins, and the reason is kept."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest

import ninefold
from ninefold import SEATS, SLUGS, GameOver, NinefoldError, Seat, Stop
from ninefold.analysis import Result, evaluate
from ninefold.core.outcome import HOSTED_LIMIT, LIMIT
from ninefold.match import Match, Player, Record, RecordError, Series
from ninefold.players import agrees_to_stop
from tests import stops
from tests.match.tables import new_match, play, play_at_random

FIRST, SECOND = SEATS
COMPUTERS = (Player("Hal", FIRST, "random"), Player("Deep", SECOND, "level:3"))
CIRCLE = stops.CIRCLE.split()
DEAD_WHEN_PLACED = stops.DEAD_WHEN_PLACED.split()
DEAD_WHEN_RETURNED = stops.DEAD_WHEN_RETURNED.split()


def pattern(*moves: str, players: tuple[Player, Player] | None = None, limit: int = LIMIT) -> Match:
    start = ninefold.load("pattern").start()
    sitting = players or (Player("Ann", FIRST), Player("Ben", SECOND))
    return play(Match(start, sitting, limit=limit), *moves)


def read_back(match: Match) -> Match:
    return Match.of(Record.from_json(match.shared_record().to_json()))


@pytest.mark.parametrize("moves", [DEAD_WHEN_PLACED, DEAD_WHEN_RETURNED], ids=["placed", "returned"])
def test_a_match_stops_at_the_move_after_which_nobody_can_win(moves: list[str]) -> None:
    match = pattern(*moves[:-1])
    assert (match.over, match.stopped) == (False, None)
    match.submit(match.state.movers[0], moves[-1])
    assert (match.over, match.stopped, match.outcome) == (True, Stop.DEAD, None)
    assert match.state.moves()  # the rules go on
    with pytest.raises(GameOver):
        match.submit(match.state.movers[0], match.state.moves()[0])
    for act in (match.undo, match.stop_by_agreement, lambda: match.resign(FIRST)):
        with pytest.raises(GameOver):
            act()


def test_the_same_last_move_sent_again_is_answered_like_the_first_time() -> None:
    match = pattern(*DEAD_WHEN_PLACED)
    assert match.submit(FIRST, DEAD_WHEN_PLACED[-1], 8) is match.played[-1]


@pytest.mark.parametrize("seed", range(30))
def test_a_match_is_stopped_as_dead_exactly_where_its_position_is(seed: int) -> None:
    match = play_at_random(new_match("pattern", {}), Random(seed))
    dead = [state.dead for state in match.states]
    assert not any(dead[:-1])
    assert dead[-1] == (match.stopped is Stop.DEAD)


def test_people_may_agree_to_stop_a_game_that_could_go_on_for_ever() -> None:
    match = pattern(*CIRCLE)
    match.stop_by_agreement()
    assert (match.over, match.stopped, match.outcome) == (True, Stop.AGREED, None)


@pytest.mark.parametrize("slug", [slug for slug in SLUGS if not ninefold.load(slug).endless])
def test_a_game_that_always_ends_cannot_be_stopped(slug: str) -> None:
    match = new_match(slug, dict(ninefold.load(slug).example.setup))
    with pytest.raises(NinefoldError, match="always comes to an end"):
        match.stop_by_agreement()
    assert not match.over


def test_a_computer_agrees_where_neither_side_can_force_a_win() -> None:
    state = pattern(*CIRCLE).state
    assert not state.dead
    assert evaluate(state).value.result is Result.ENDLESS
    assert agrees_to_stop(state)
    assert not agrees_to_stop(state.game.start())


def test_without_a_person_the_limit_stops_a_match() -> None:
    match = pattern(*CIRCLE, players=COMPUTERS, limit=12)
    assert not match.over
    match.submit(SECOND, match.state.moves()[0])
    assert (match.stopped, match.outcome) == (Stop.LIMIT, None)
    assert read_back(match).stopped is Stop.LIMIT


@pytest.mark.parametrize("seat", SEATS)
def test_with_a_person_on_either_side_there_is_no_limit(seat: Seat) -> None:
    players = (Player("Ann", seat), Player("Hal", seat.other, "perfect"))
    assert not pattern(*CIRCLE, players=players, limit=1).over


def test_a_limit_waits_until_secret_numbers_are_out() -> None:
    match = Match(ninefold.load("conquest").start(), COMPUTERS, limit=2)
    play(match, "claim:1", "challenge:1", "bid:4")
    assert not match.over
    play(match, "bid:3")
    assert match.stopped is Stop.LIMIT


def test_the_limit_is_200_and_nothing_else_is_written_into_a_record() -> None:
    match = pattern(players=COMPUTERS)
    assert match.limit == 200
    assert "limit" not in json.loads(match.shared_record().to_json())
    assert read_back(pattern(players=COMPUTERS, limit=7)).limit == 7


def test_on_a_server_people_have_a_limit_too_and_their_record_keeps_it() -> None:
    moves = stops.endless_moves(HOSTED_LIMIT + 2)
    at_home = pattern(*moves)
    assert (len(at_home.played), at_home.over) == (1002, False)
    record = at_home.shared_record()
    before = Match.of(replace(record, moves=record.moves[:999]), hosted=True)
    assert not before.over
    play(before, moves[999])
    assert (before.stopped, before.outcome) == (Stop.LIMIT, None)
    assert read_back(before).stopped is Stop.LIMIT
    long = Match.of(replace(record, moves=record.moves[:1001]), hosted=True)  # from before the limit
    assert not long.over
    play(long, moves[1001])
    assert long.stopped is Stop.LIMIT


# Records


def stopped_matches() -> list[Match]:
    agreed = pattern(*CIRCLE)
    agreed.stop_by_agreement()
    return [pattern(*DEAD_WHEN_PLACED), agreed, pattern(*CIRCLE, players=COMPUTERS, limit=11)]


@pytest.mark.parametrize("match", stopped_matches(), ids=list(Stop))
def test_a_record_holds_the_reason_and_no_winner(match: Match) -> None:
    assert match.stopped is not None
    data = json.loads(match.shared_record().to_json())
    assert data["ninefold"] == 1
    assert data["result"] == {"winner": None, "reason": match.stopped.value}
    again = read_back(match)
    assert (again.stopped, again.outcome, again.state) == (match.stopped, None, match.state)


@pytest.mark.parametrize(
    ("moves", "result"),
    [
        (CIRCLE, {"winner": None, "reason": "dead"}),
        (CIRCLE, {"winner": None, "reason": "limit"}),
        (CIRCLE, {"winner": "first", "reason": "dead"}),
        (CIRCLE, {"winner": None, "reason": "line"}),
        (CIRCLE, {"winner": None, "reason": "tired"}),
        (CIRCLE, {"reason": "agreed"}),
        (CIRCLE, {"winner": None}),
        (["8@1,1", "2@1,1", "1@1,2", "3@1,2", "6@1,3"], {"winner": None, "reason": "agreed"}),
    ],
)
def test_a_record_with_a_reason_that_its_moves_do_not_give_is_refused(
    moves: list[str], result: object
) -> None:
    data = json.loads(pattern(*moves).shared_record().to_json()) | {"result": result}
    with pytest.raises(RecordError, match=r"result|winner"):
        Match.of(Record.from_json(json.dumps(data)))


def test_a_record_of_another_game_cannot_be_stopped_by_agreement() -> None:
    match = new_match("cross", {"grid": "123456789"})
    data = json.loads(match.shared_record().to_json())
    data["result"] = {"winner": None, "reason": "agreed"}
    with pytest.raises(RecordError, match="result"):
        Match.of(Record.from_json(json.dumps(data)))


def test_a_stopped_match_may_leave_its_result_to_the_moves() -> None:
    alone = (Player("Ann", FIRST, "random"), Player("Ben", SECOND, "random"))
    for match in (pattern(*DEAD_WHEN_RETURNED), pattern(*CIRCLE, players=alone, limit=len(CIRCLE))):
        assert match.stopped is not None
        data = json.loads(match.shared_record().to_json()) | {"result": None}
        assert Match.of(Record.from_json(json.dumps(data))).stopped is match.stopped


def test_a_record_with_a_move_after_the_stop_is_refused() -> None:
    data = json.loads(pattern(*DEAD_WHEN_RETURNED).shared_record().to_json()) | {"result": None}
    data["moves"].append({"seat": "first", "move": "swap@1,3", "at": ""})
    with pytest.raises(RecordError, match='Move 11, "swap@1,3": The game is over'):
        Match.of(Record.from_json(json.dumps(data)))


def test_a_match_that_was_stopped_by_its_moves_cannot_have_been_given_up() -> None:
    data = json.loads(pattern(*DEAD_WHEN_RETURNED).shared_record().to_json())
    for result in ({"winner": "second", "reason": "resigned"}, {"winner": None, "reason": "agreed"}):
        with pytest.raises(RecordError, match="result does not follow"):
            Match.of(Record.from_json(json.dumps(data | {"result": result})))


# Series


def test_a_stopped_game_counts_for_nobody_in_a_series() -> None:
    series = Series(3, (1, 0)).after(None)
    assert (series.wins, series.stopped, series.over) == ((1, 0), 1, False)
    assert read_back(new_match("pattern", {}, series=series)).series == series


def test_a_series_has_no_more_games_than_it_may_have() -> None:
    series = Series(3)
    for _ in range(3):
        assert not series.over
        series = series.after(None)
    assert (series.over, series.wins) == (True, (0, 0))


def test_a_series_that_is_over_is_not_read() -> None:
    data = json.loads(new_match("pattern", {}, series=Series(3)).shared_record().to_json())
    for wins, stopped in (([1, 1], 1), ([0, 0], 3), ([0, 0], -1), ([0, 0], "1")):
        data["series"] |= {"wins": wins, "stopped": stopped}
        with pytest.raises(RecordError, match="series"):
            Record.from_json(json.dumps(data))
