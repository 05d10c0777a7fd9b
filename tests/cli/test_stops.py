"""Games that nobody wins, at the terminal: how they end, and are saved, replayed and reviewed."""

from __future__ import annotations

import json
import re

import pytest

from ninefold import SLUGS, Seat, Stop, load
from ninefold.match import Match, Player, Record
from tests import stops
from tests.cli.session import Session, flags, only_id, only_saved, run, save
from tests.match.tables import play

PATTERN = ("play", "pattern", "--name1", "Ann", "--name2", "Ben")
ALONE = ("play", "pattern", "--p1", "random", "--p2", "random")
CIRCLE = stops.CIRCLE.split()
DEAD = stops.DEAD_WHEN_PLACED.split()
NOBODY_CAN_WIN = (
    "Nobody can win anymore: the game is stopped.\n"
    "No row, column or diagonal is full on either grid, and no empty cell can be filled anymore.\n"
)


def test_a_dead_position_ends_the_game_between_two_people() -> None:
    session = run(*PATTERN, typed=[*DEAD, "n"])
    assert (session.status, session.err) == (0, "")
    assert f"\n{NOBODY_CAN_WIN}\nRematch? Ben starts. [y/N] " in session.out
    assert only_saved().stopped is Stop.DEAD


def test_against_the_computer_a_dead_position_ends_the_game() -> None:
    players = (Player("Ann", Seat.FIRST), Player("Computer", Seat.SECOND, "random"))
    save(play(Match(load("pattern").start(), players), *DEAD[:-1]))
    session = run("resume", typed=[DEAD[-1], "n"])
    assert f"\n{NOBODY_CAN_WIN}" in session.out
    assert only_saved().stopped is Stop.DEAD


@pytest.mark.parametrize("seed", ["4", "1", "word"])
def test_two_programs_always_come_to_an_end(seed: str) -> None:
    session = run(*ALONE, "--seed", seed)
    assert (session.status, session.err) == (0, "")
    assert only_saved().over


def test_the_game_of_seed_4_ends_because_nobody_can_win_it() -> None:
    assert run(*ALONE, "--seed", "4").out.endswith(NOBODY_CAN_WIN)


def test_where_no_person_plays_the_limit_stops_the_game() -> None:
    session = run(*ALONE, "--seed", "1", "--limit", "10")
    assert session.out.endswith("\nNobody wins: the game is stopped after 10 moves.\n")
    match = only_saved()
    assert (match.stopped, len(match.played), match.limit) == (Stop.LIMIT, 10, 10)


@pytest.mark.parametrize("limit", ["0", "-1", "many", "1000000", ""])
def test_a_limit_is_a_number_of_moves(limit: str) -> None:
    session = run(*ALONE, "--limit", limit)
    assert session.status == 2
    assert "it must be a number from 1 to 999999" in session.err


# Agreeing to stop


def test_two_people_agree_to_stop() -> None:
    session = run(*PATTERN, typed=[*CIRCLE, "stop", "maybe", "y", "n"])
    assert session.status == 0
    asked = "Ben offers to stop, and nobody wins. Ann, do you agree? [y/N] "
    assert asked in session.out
    assert "Type y to stop the game without a winner, or n to play on." in session.out
    assert "\nNobody wins: Ann and Ben agreed to stop.\n" in session.out
    assert only_saved().stopped is Stop.AGREED


@pytest.mark.parametrize("answer", ["n", ""])
def test_whoever_wants_to_play_on_does(answer: str) -> None:
    session = run(*PATTERN, typed=[*CIRCLE, "stop", answer, "quit"])
    assert "Ann wants to play on.\n" in session.out
    assert not only_saved().over


def against_a_computer(*typed: str) -> Session:
    """The circle with a computer on the first seat, and Ann to move."""
    players = (Player("Ann", Seat.SECOND), Player("Computer", Seat.FIRST, "perfect"))
    save(play(Match(load("pattern").start(), players), *CIRCLE))
    return run("resume", typed=typed)


def test_the_computer_agrees_where_neither_side_can_force_a_win() -> None:
    session = against_a_computer("stop", "n")
    assert "\nNobody wins: you and the computer agreed to stop.\n" in session.out
    assert only_saved().stopped is Stop.AGREED


def test_the_computer_plays_on_while_somebody_can_force_a_win() -> None:
    session = run(*PATTERN[:2], "--p2", "perfect", typed=["stop", "quit"])
    said = "The computer wants to play on. It stops when neither side can force a win.\n"
    assert said in session.out
    assert not only_saved().over


@pytest.mark.parametrize("slug", SLUGS)
def test_stop_is_a_command_only_in_a_game_that_could_go_on_forever(slug: str) -> None:
    game = load(slug)
    words = ("play", slug, *flags(dict(game.example.setup)), "--name1", "Ann", "--name2", "Ben")
    session = run(*words, typed=["help", "stop", "", "quit"])
    assert ("offer to stop" in session.out) == game.endless
    assert ("do you agree?" in session.out) == game.endless


def test_before_the_game_there_is_nothing_to_stop() -> None:
    assert "The game has not started yet." in run("play", "shadow", typed=["stop"]).out


# Series and rematches


def test_a_stopped_game_counts_for_nobody_in_a_series() -> None:
    session = run(*PATTERN, "--best-of", "3", typed=[*DEAD, "resign", "resign", "n"])
    assert re.findall(r"Series: .*", session.out) == [
        "Series: Ann 0, Ben 0. Stopped: 1.",
        "Series: Ann 1, Ben 0. Stopped: 1.",
        "Series: Ann 1, Ben 1. Stopped: 1.",
    ]
    assert "Nobody wins the best of 3!\n" in session.out


def test_a_series_without_people_ends_though_nobody_wins_any_game() -> None:
    session = run(*ALONE, "--seed", "1", "--limit", "1", "--best-of", "3")
    assert session.status == 0
    assert session.out.count("Nobody wins: the game is stopped after 1 move.") == 3
    assert session.out.endswith(
        "Series: Computer 1 0, Computer 2 0. Stopped: 3.\nNobody wins the best of 3!\n"
    )


# What is saved


def test_a_stopped_match_is_listed_replayed_and_cannot_be_resumed() -> None:
    run(*PATTERN, typed=DEAD)
    assert "stopped (dead)" in run("history").out
    (entry,) = json.loads(run("history", "--json").out)
    assert entry["result"] == {"winner": None, "reason": "dead"}
    assert run("replay", only_id()).out.endswith(NOBODY_CAN_WIN)
    again = Match.of(Record.from_json(run("replay", only_id(), "--json").out))
    assert again.stopped is Stop.DEAD
    assert "There is no unfinished match." in run("resume").err
    assert "is over." in run("resume", only_id()).err


def test_a_review_of_a_stopped_match_has_no_deciding_move() -> None:
    run(*PATTERN, typed=DEAD)
    assert run("review", only_id()).out.endswith("\nNobody lost, so no move decided it.\n")
    assert json.loads(run("review", only_id(), "--json").out)["deciding"] is None
