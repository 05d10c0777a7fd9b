"""The server dies in the middle of heavy play: nothing that was acknowledged is lost, all goes on."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random

import pytest

from ninefold import SEATS
from ninefold.store.sql.database import Database
from tests.web.campaign import Campaign, finish
from tests.web.conftest import Start
from tests.web.support import Server, Table, got, sqlite_url, wait_for

FIRST, SECOND = SEATS


def killed_again_and_again(server: Server, kills: int) -> None:
    campaign = Campaign(server)
    try:
        for _ in range(kills):
            campaign.go_on(30)
            server.kill()
            server.start()
        campaign.go_on(30)
        campaign.end()
        campaign.check(server)
        resumed = [follower for client in campaign.clients for follower in client.followers]
        assert any(follower.connections > 1 for follower in resumed)
    finally:
        campaign.close()


def test_killed_on_sqlite(start: Start) -> None:
    killed_again_and_again(start(), 3)


def test_killed_on_postgresql(start: Start, database: str) -> None:
    killed_again_and_again(start(database), 2)


@pytest.mark.long
def test_killed_many_times_on_sqlite(start: Start) -> None:
    killed_again_and_again(start(), 20)


@pytest.mark.long
def test_killed_many_times_on_postgresql(start: Start, database: str) -> None:
    killed_again_and_again(start(database), 20)


def test_computers_go_on_by_themselves_after_a_restart(start: Start, address: str) -> None:
    server = start(address)
    players = {"first": {"kind": "level:1"}, "second": {"kind": "greedy"}}
    tables = [server.create(game, **players) for game in ("battle", "cross", "conquest", "pattern")]
    waiting = server.create("battle", second={"kind": "level:1"})
    got(waiting.move(FIRST, "0,0", 0))
    server.kill()
    server.start()
    for table in tables:
        wait_for(partial(has_gone_on, table), "the computers")
    wait_for(lambda: len(waiting.seen()["moves"]) == 2, "the computer's answer")
    finish(waiting, Random(1))


def has_gone_on(table: Table) -> bool:
    now = table.seen()
    return bool(now["status"] == "over" or now["ply"] > 8)


def test_a_stop_finishes_what_was_accepted(start: Start, address: str) -> None:
    server = start(address)
    campaign = Campaign(server, patient=False)
    try:
        campaign.go_on(40)
        assert server.stop() == 0
        campaign.end()
        server.start()
        campaign.check(server, all_acknowledged=True)
    finally:
        campaign.close()


def test_everything_is_there_again_after_a_kill(start: Start, address: str) -> None:
    """Offers, names, endings and rematches too, to the byte."""
    server = start(address)
    names = {"first": {"name": "Ada"}, "second": {"kind": "person", "name": "Bob"}}
    asked = server.create("battle", **names)
    asked.play("0,0")
    got(asked.ask("takeback", FIRST, "offer"))
    bidding = server.create("conquest", **names)
    bidding.play("claim:1", "claim:2", "challenge:2", "bid:3")
    given_up = server.create("shadow", {"target": 11}, hints=False, **names)
    got(given_up.post("/resign", FIRST))
    got(given_up.ask("rematch", FIRST, "offer"))
    again = server.create("cross", **names)
    got(again.post("/resign", FIRST))
    got(again.ask("rematch", FIRST, "offer"))
    following = got(again.ask("rematch", SECOND, "accept"))["next"]
    rematch = Table(server, following, {FIRST: again.tokens[SECOND], SECOND: again.tokens[FIRST]})
    rematch.play("Row2")
    waiting = server.create("battle", second={"kind": "open"}, listed=True)
    tables = (asked, bidding, given_up, again, rematch)

    def everything() -> list[str]:
        seen = [
            table.get(what, viewer).text
            for table in tables
            for viewer in (FIRST, SECOND, None)
            for what in ("", "/record")
        ]
        streams = []
        for table in tables:
            with table.stream() as stream:
                streams += [one.text for one in stream.take(table.seen()["version"])]
        return [*seen, *streams, waiting.get("").text, server.get("/api/v1/matches").text]

    before = everything()
    server.kill()
    server.start()
    after = everything()
    assert after == before
    got(asked.ask("takeback", SECOND, "accept"))
    got(bidding.move(SECOND, "bid:1", 3))
    got(given_up.ask("rematch", SECOND, "accept"))
    got(waiting.post("/join", None), 201)


def test_a_move_sent_again_after_a_kill_is_answered_like_the_first(start: Start) -> None:
    server = start()
    table = server.create("battle")
    first = table.move(FIRST, "0,0", 0)
    server.kill()
    server.start()
    assert table.move(FIRST, "0,0", 0).content == first.content
    assert table.seen()["version"] == 1


def test_what_was_acknowledged_is_on_disk_at_once(start: Start, tmp_path: Path) -> None:
    """The files as they lie there right after an answer, without the process, hold the move."""
    server = start()
    table = server.create("battle")
    moves = ("0,0", "0,1", "0,2")
    for ply, move in enumerate(moves):
        got(table.move(SEATS[ply % 2], move, ply))
        copy = tmp_path / f"copy{ply}"
        copy.mkdir()
        for path in tmp_path.glob("server.db*"):
            (copy / path.name).write_bytes(path.read_bytes())
        database = Database(sqlite_url(copy))
        room = database.read(partial(database.load, table.id)).result()
        assert [str(one.move) for one in room.match.played] == [*moves[: ply + 1]]
        database.close()
