"""What a spectator's machine makes of a match, with everything secret made up."""

from __future__ import annotations

from random import Random

from ninefold import Game
from ninefold.client.seat import imagine_match
from ninefold.core.seat import SEATS
from ninefold.games import load
from ninefold.match import Match, Player, Record
from ninefold.match.sitting import Sitting
from ninefold.players import PERSON
from ninefold.show.moves import cast_of
from ninefold.show.scene import scene_at
from tests.setups import Setup, every_game_table

LIMIT = 30  # moves; then somebody resigns


@every_game_table
def test_a_made_up_match_looks_to_a_spectator_like_the_real_one(game: Game, setup: Setup) -> None:
    rng = Random(str(setup))
    players = (Player("Ann", SEATS[0], PERSON), Player("Ben", SEATS[1], PERSON))
    match = Match(game.start(rng=rng, **setup), players)
    while True:
        public = Record.from_json(match.record(None).to_json())
        imagined = imagine_match(public, None, match.state.view(None).pending)
        cast = cast_of(match)
        assert scene_at(Sitting(match=imagined), cast) == scene_at(Sitting(match=match), cast)
        if match.over:
            break
        if len(match.played) >= LIMIT:
            match.resign(rng.choice(SEATS))
            continue
        seat = rng.choice(match.state.movers)
        match.submit(seat, rng.choice(match.state.moves(seat)))


def test_a_secret_that_would_have_ended_the_game_is_not_made_up() -> None:
    """With target 10, the first that is tried, Ann would have won."""
    players = (Player("Ann", SEATS[0], PERSON), Player("Ben", SEATS[1], PERSON))
    match = Match(load("shadow").start(target=20), players)
    for move in ("2@1,1", "9@2,1", "3@1,2", "8@2,2", "5@1,3"):
        match.submit(match.state.movers[0], move)
    assert not imagine_match(match.record(None), None, ()).over


def test_a_choice_that_a_newer_record_reveals_is_not_made_up() -> None:
    """The seats that have chosen are read before the record: by then the choice may be known."""
    players = (Player("Ann", SEATS[0], PERSON), Player("Ben", SEATS[1], PERSON))
    match = Match(load("conquest").start(), players)
    for move in ("claim:1", "challenge:1", "bid:5", "bid:1"):
        match.submit(match.state.movers[0], move)
    for viewer in (None, *SEATS):
        assert imagine_match(match.record(viewer), viewer, SEATS).played == match.played
