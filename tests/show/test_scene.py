"""What is drawn around a position: the same everywhere, and never more than the viewer may know."""

from __future__ import annotations

from random import Random

import pytest

from ninefold import SEATS, Seat, load
from ninefold.match import Match, Player
from ninefold.match.sitting import Sitting
from ninefold.show.moves import cast_of
from ninefold.show.scene import scene_at, scene_of_match
from tests.setups import Setup, every_table

FIRST, SECOND = SEATS
PLAYERS = (Player("Ann", FIRST), Player("Ben", SECOND))
LIMIT = 30


def play(match: Match, *moves: str) -> Match:
    for move in moves:
        match.submit(match.state.movers[0], move)
    return match


@every_table
def test_an_earlier_position_is_drawn_as_it_was_then(slug: str, setup: Setup) -> None:
    rng, match = Random(slug), Match(load(slug).set_up(setup), PLAYERS)
    then = []
    while not match.over and len(match.played) < LIMIT:
        if not match.state.pending:
            then.append((len(match.played), scene_of_match(match, None, cast_of(match))))
        seat = rng.choice(match.state.movers)
        match.submit(seat, rng.choice(match.state.moves(seat)))
    for count, scene in then:
        now = scene_of_match(match, None, cast_of(match), count)
        for part in ("view", "sides", "moves", "news"):
            assert getattr(now, part) == getattr(scene, part)


@pytest.mark.parametrize("viewer", [SECOND, None])
def test_a_number_chosen_in_secret_changes_nothing_for_anybody_else(viewer: Seat | None) -> None:
    scenes = []
    for number in range(1, 6):
        match = Match(load("conquest").start(size=3), PLAYERS)
        play(match, "claim:1", "claim:2", "challenge:2", f"bid:{number}")
        scenes.append(scene_of_match(match, viewer, cast_of(match, viewer)))
    assert all(scene == scenes[0] for scene in scenes)
    assert scenes[0].moves[-1] == (FIRST, "Challenge cell 2")


def test_what_came_of_a_challenge_is_still_news_after_the_next_turn() -> None:
    match = Match(load("conquest").start(size=3), PLAYERS)
    play(match, "claim:1", "claim:2", "challenge:2", "bid:4", "bid:2", "claim:3")
    news = scene_of_match(match, FIRST, cast_of(match, FIRST)).news
    assert news == ["Your 4 beat Ben's 2: you take cell 2.", "Ben claimed cell 3."]


def test_what_the_status_says_is_no_news() -> None:
    match = Match(load("conquest").start(size=3), PLAYERS)
    play(match, "claim:1", "claim:2", "challenge:2")

    def tell(*seats: Seat) -> list[str]:
        sitting = Sitting(match=match, seats=seats)
        return scene_at(sitting, cast_of(match, sitting.you)).news

    told = ["Ann challenged Ben's cell 2."]
    assert [tell(FIRST), tell(SECOND), tell(), tell(*SEATS)] == [[], [], told, told]
    play(match, "bid:4")
    assert [tell(FIRST), tell(SECOND), tell()] == [[], [], []]


def test_a_secret_setting_is_known_once_the_match_is_over() -> None:
    match = Match(load("shadow").start(target=15), PLAYERS)
    assert scene_of_match(match, None, cast_of(match)).settings == [("Target", "secret until the end")]
    match.resign(FIRST)
    assert scene_of_match(match, None, cast_of(match)).settings == [("Target", "15")]


def test_a_turn_is_one_row() -> None:
    match = Match(load("conquest").start(size=3), PLAYERS)
    play(match, "claim:1", "claim:2", "challenge:2", "bid:4", "bid:2", "challenge:1", "bid:1", "bid:5")
    rows = scene_of_match(match, FIRST, cast_of(match, FIRST)).turns
    assert rows == (
        (1, FIRST, "Claim 1"),
        (2, SECOND, "Claim 2"),
        (5, FIRST, "Challenge 2: 4 beats 2"),
        (8, SECOND, "Challenge 1: 1 loses to 5"),
    )


def test_what_decides_the_game_is_said_for_its_reader() -> None:
    match = Match(load("shadow").start(target=15), PLAYERS)
    said = [
        scene_of_match(match, viewer, cast_of(match, viewer)).goal for viewer in (FIRST, SECOND, None)
    ]
    assert said == [
        "Three of yours in a line = 15. Full grid: Ben wins.",
        "Three of yours in a line = 15. Full grid: you win.",
        "Three of a player's own in a line = the secret target. Full grid: Ben wins.",
    ]
