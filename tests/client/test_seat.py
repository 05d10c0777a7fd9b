"""A match on a server, as another machine knows it: with everything secret made up, and of one moment."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from ninefold import Game
from ninefold.client import Link
from ninefold.client.seat import RemoteSeat, imagine_match
from ninefold.client.wire import MatchInfo
from ninefold.core.seat import SEATS
from ninefold.games import load
from ninefold.match import Match, Player, Record
from ninefold.match.sitting import Sitting
from ninefold.players import PERSON
from ninefold.show.moves import cast_of
from ninefold.show.scene import scene_at
from tests.setups import Setup, every_game_table
from tests.web.support import Server, sqlite_url

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


def test_a_match_that_moves_on_while_it_is_read_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or a choice that is revealed by now would be made up once more, and an end would not count."""
    with Server(tmp_path, sqlite_url(tmp_path)) as server:
        table = server.start().create("conquest", {"size": 2})
        table.play("claim:1", "challenge:1", "bid:2")
        seat = RemoteSeat(Link.parse(f"{server.base}/m/{table.id}#{table.tokens[SEATS[0]]}"))
        read_info = seat.info

        def reveal_after() -> MatchInfo:
            found = read_info()
            if found.view.pending:
                table.play("bid:1")
            return found

        monkeypatch.setattr(seat, "info", reveal_after)
        info, match = seat.read_match()
        assert not info.view.pending
        assert [str(one.move) for one in match.played] == ["claim:1", "challenge:1", "bid:2", "bid:1"]

        def resign_after() -> MatchInfo:
            found = read_info()
            table.post("/resign", SEATS[1])
            return found

        monkeypatch.setattr(seat, "info", resign_after)
        info, match = seat.read_match()
        assert match.over
        assert (info.first.wins, info.second.wins) == (1, 0)
