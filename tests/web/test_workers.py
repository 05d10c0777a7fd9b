"""Several servers on one PostgreSQL database: any of them serves any match."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from uuid import uuid4

import httpx
import pytest

from ninefold import SEATS, SLUGS, Seat
from ninefold.match import Match, Record
from ninefold.store.sql.database import Database
from ninefold.web.actions import play
from tests.web.campaign import Campaign, finish
from tests.web.conftest import Start
from tests.web.postgres import Postgres, postgres
from tests.web.support import OPEN, PATIENCE, Follower, Server, Stream, Table, got, seat_named, wait_for

FIRST, SECOND = SEATS


@pytest.fixture(scope="module")
def shared_pair(
    instance: Postgres, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Server, Server]]:
    """Two servers that start together on an empty database."""
    folder, name = tmp_path_factory.mktemp("pair"), instance.create()
    here, there = (Server(folder, instance.url(name)) for _ in range(2))
    with here.launch(), there.launch():
        here.wait()
        there.wait()
        yield here, there
    instance.drop(name)


@pytest.fixture
def pair(shared_pair: tuple[Server, Server]) -> tuple[Server, Server]:
    """Two servers for all tests, each with matches of its own; started again if a test left them dead."""
    for server in shared_pair:
        if server.process is None or server.process.poll() is not None:
            server.start()
    return shared_pair


def test_events_of_one_server_arrive_at_the_other(pair: tuple[Server, Server]) -> None:
    here, there = pair
    table = here.create("conquest", second=OPEN)
    with Stream(here, table.id) as at_home, Stream(there, table.id) as away:
        table.tokens[SECOND] = got(table.at(there).post("/join", None), 201)["token"]
        assert at_home.next(5).data["kind"] == "joined"
        assert away.next(5).data["kind"] == "joined"
        for move in ("claim:1", "claim:2", "challenge:2", "bid:4", "bid:1"):
            now = table.seen()
            seat = seat_named(now["view"]["movers"][0])
            assert table.at(there).seen() == now
            through = table.at(pair[seat])
            got(through.move(seat, move, now["ply"]))
        assert [one.id for one in at_home.take(5, 5)] == [2, 3, 4, 5, 6]
        assert [one.id for one in away.take(5, 5)] == [2, 3, 4, 5, 6]
    for viewer in (FIRST, SECOND, None):
        assert table.get("/record", viewer).content == table.at(there).get("/record", viewer).content
    assert [one["move"] for one in table.seen()["moves"]][3:] == ["bid:4", "bid:1"]


def test_rivals_on_two_servers(pair: tuple[Server, Server]) -> None:
    """Of two different moves for one ply one counts; two bids both do; a match is one on both servers."""
    tables = [pair[0].create("battle") for _ in range(6)]
    bidding = [pair[1].create("conquest") for _ in range(6)]
    for table in bidding:
        table.play("claim:1", "claim:2", "challenge:2")

    def rival(table: Table, place: int) -> int:
        return table.at(pair[place]).move(FIRST, ("0,0", "2,2")[place], 0).status_code

    def bid(table: Table, seat: Seat) -> int:
        return table.at(pair[seat]).move(seat, "bid:2", 3).status_code

    with ThreadPoolExecutor(8) as pool:
        moved = [[pool.submit(rival, table, place) for place in (0, 1)] for table in tables]
        bids = [[pool.submit(bid, table, seat) for seat in SEATS] for table in bidding]
        assert all(sorted(one.result() for one in two) == [200, 409] for two in moved)
        assert all([one.result() for one in two] == [200, 200] for two in bids)
    for table in tables + bidding:
        assert table.at(pair[0]).seen() == table.at(pair[1]).seen()
    assert all(len(table.seen()["moves"]) == 5 for table in bidding)


def test_one_is_killed_and_play_goes_on_through_the_other(pair: tuple[Server, Server]) -> None:
    here, there = pair
    campaign = Campaign(here, there, clients=3)
    table = here.create("battle")
    try:
        with Stream(here, table.id) as stream:
            table.play("0,0")
            assert stream.next(5).id == 1
            campaign.go_on(20)
            here.kill()
        campaign.go_on(20)
        table = table.at(there)
        table.play("1,1")
        with Stream(there, table.id, 1, by_header=True) as stream:
            assert stream.next(5).id == 2
        here.start()
        campaign.go_on(20)
        campaign.end()
        campaign.check(there)
    finally:
        campaign.close()


def test_events_of_a_server_that_died_before_it_could_notify_arrive_anyway(
    pair: tuple[Server, Server],
) -> None:
    table = pair[0].create("battle")
    database = Database(pair[0].database)
    database.open()
    try:
        with Stream(pair[1], table.id) as stream:
            token = table.tokens[FIRST]
            moved = database.run(partial(play.move, id=table.id, token=token, text="0,0", ply=0))
            assert len(moved.result(PATIENCE)[1]) == 1  # committed, and nobody tells
            assert got(table.at(pair[1]).move(FIRST, "0,0", 0))["version"] == 1
            assert stream.next().data["move"] == "0,0"
    finally:
        database.close()


def test_computers_move_once_whoever_thinks(pair: tuple[Server, Server]) -> None:
    players = {"first": {"kind": "level:1"}, "second": {"kind": "greedy"}}
    tables = [
        pair[place % 2].create(game, **players) for place, game in enumerate(["battle", "cross"] * 3)
    ]
    for table in tables:
        wait_for(partial(is_over, table.at(pair[1])), "the end")
        match = Match.of(Record.from_json(table.get("/record").text))
        assert match.outcome is not None
        version = table.seen()["version"]
        assert version == len(match.played) + 1
        with Stream(pair[0], table.id) as stream:
            assert [one.id for one in stream.take(version)] == list(range(1, version + 1))


def is_over(table: Table) -> bool:
    return bool(table.seen()["status"] == "over")


@pytest.mark.parametrize("game", SLUGS)
def test_a_takeback_on_one_is_known_to_the_other(pair: tuple[Server, Server], game: str) -> None:
    table = pair[0].create(game)
    away = table.at(pair[1])
    me = SEATS[table.seen()["view"]["movers"][0] == "second"]
    move = table.seen(me)["view"]["moves"][0]
    got(table.move(me, move, 0))
    assert len(away.seen(me)["moves"]) == 1
    got(away.ask("takeback", me, "offer"))
    got(table.ask("takeback", me.other, "accept"))
    assert away.seen(me)["moves"] == []
    got(away.move(me, move, 0))
    finish(table, Random(4))
    assert away.seen() == table.seen()


# The database goes away


def test_the_database_is_restarted_under_them(start: Start) -> None:
    with postgres(uuid4().hex[:12]) as own:
        address = own.url(own.create())
        servers = [start(address) for _ in range(2)]
        table = servers[0].create("battle")
        campaign = Campaign(*servers, clients=3)
        try:
            with Follower(servers[0], table.id) as one, Follower(servers[1], table.id) as other:
                table.play("0,0")
                one.until(1)
                other.until(1)
                campaign.go_on(20)
                own.stop()
                wait_for(lambda: servers[0].get("/readyz").status_code == 503, "the loss to be noted")
                assert got(servers[1].get("/healthz"))["status"] == "ok"
                own.start()
                for server in servers:
                    server.wait()
                campaign.go_on(20)
                table.play("1,1")
                table.at(servers[1]).play("2,2")
                assert one.until(3) == [1, 2, 3]
                assert other.until(3) == [1, 2, 3]
            campaign.end()
            campaign.check(servers[1])
        finally:
            campaign.close()
            for server in servers:
                server.kill()


def test_broken_connections_are_replaced(pair: tuple[Server, Server], instance: Postgres) -> None:
    name = pair[0].database.rpartition("?")[0].rpartition("/")[2]
    table = pair[0].create("battle")
    with Follower(pair[1], table.id) as follower:
        wait_for(lambda: follower.connections > 0, "the stream")
        for ply, move in enumerate(("0,0", "0,1", "0,2")):
            instance.execute(
                f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
            )

            def accepted(ply: int = ply, move: str = move) -> bool:
                answer: httpx.Response = table.move(SEATS[ply % 2], move, ply)
                return answer.status_code == 200

            wait_for(accepted, f"move {ply}")
        assert follower.until(3) == [1, 2, 3]


# Starting


def test_many_that_start_together_on_an_empty_database_all_get_ready(start: Start, database: str) -> None:
    servers = [start(database, ready=False) for _ in range(4)]
    for server in servers:
        server.wait()
        assert '"level": "error"' not in server.log()
    table = servers[0].create("cross")
    table.at(servers[3]).play("Row1")
    assert len(table.at(servers[2]).seen()["moves"]) == 1
