"""Live events: numbered, each once, in order, after the acknowledgement, and for whoever comes back."""

from __future__ import annotations

import asyncio
import http.client
import json
import select
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest
import sqlalchemy as sa

from ninefold import SEATS, SLUGS
from ninefold.store.sql.database import Database, SavedEvent
from ninefold.store.sql.outage import Unavailable
from ninefold.store.sql.schema import events as event_table
from ninefold.web.hub import EPHEMERAL, Hub
from tests.web.conftest import Start
from tests.web.readers import KeptEvents
from tests.web.support import (
    API,
    OPEN,
    PATIENCE,
    Ended,
    Follower,
    Server,
    Stream,
    Table,
    bearer,
    got,
    seat_named,
    sqlite_url,
    wait_for,
)

FIRST, SECOND = SEATS


def heard(table: Table, count: int, after: int | None = None) -> list[tuple[int, str]]:
    """The numbers and kinds of so many events."""
    with table.stream(after) as stream:
        return [(one.id, one.data["kind"]) for one in stream.take(count)]


def test_every_event_arrives_in_order(server: Server) -> None:
    table = server.create("battle", second=OPEN)
    with table.stream() as stream:
        table.tokens[SECOND] = got(table.post("/join", None, {"name": "Bob"}), 201)["token"]
        table.play("0,0")
        got(table.ask("takeback", FIRST, "offer"))
        got(table.ask("takeback", SECOND, "decline"))
        got(table.ask("takeback", FIRST, "offer"))
        got(table.ask("takeback", SECOND, "accept"))
        got(table.post("/resign", FIRST))
        got(table.ask("rematch", FIRST, "offer"))
        got(table.ask("rematch", SECOND, "decline"))
        got(table.ask("rematch", SECOND, "offer"))
        following = got(table.ask("rematch", FIRST, "accept"))["next"]
        live = stream.take(11)
    assert [one.data for one in live] == [
        {"number": 1, "kind": "joined", "seat": "second", "name": "Bob", "deadline": None},
        {"number": 2, "kind": "move", "seat": "first", "move": "0,0", "ply": 1, "deadline": None},
        {"number": 3, "kind": "offered", "seat": "first", "offer": "takeback"},
        {"number": 4, "kind": "declined", "seat": "second", "offer": "takeback"},
        {"number": 5, "kind": "offered", "seat": "first", "offer": "takeback"},
        {"number": 6, "kind": "takeback", "seat": "first", "ply": 0, "deadline": None},
        {"number": 7, "kind": "over", "winner": "second", "reason": "resigned"},
        {"number": 8, "kind": "offered", "seat": "first", "offer": "rematch"},
        {"number": 9, "kind": "declined", "seat": "second", "offer": "rematch"},
        {"number": 10, "kind": "offered", "seat": "second", "offer": "rematch"},
        {"number": 11, "kind": "rematch", "match": following},
    ]
    assert [one.id for one in live] == list(range(1, 12))
    with table.stream() as later:
        assert later.take(11) == live
    assert table.seen()["version"] == 11


def test_the_numbers_of_a_challenge_are_told_in_written_order_whoever_chose_first(server: Server) -> None:
    table = server.create("conquest")
    table.play("claim:1", "challenge:1")
    got(table.move(FIRST, "bid:5", 2))
    got(table.move(SECOND, "bid:3", 2))
    with table.stream() as stream:
        told = [(one.data["kind"], one.data["seat"], one.data.get("move")) for one in stream.take(5)]
    written = [("second", "bid:3"), ("first", "bid:5")]  # the challenger's comes first
    assert told[2:] == [("chosen", "first", None), *(("move", *one) for one in written)]
    moves = [(one["seat"], one["move"]) for one in table.seen()["moves"]]
    assert moves[2:] == written
    record = got(server.get(f"{table.path}/record"))
    assert [(one["seat"], one["move"]) for one in record["moves"]] == moves


@pytest.mark.parametrize("game", SLUGS)
def test_a_stream_opened_before_and_one_opened_after_hear_the_same(server: Server, game: str) -> None:
    table, rng = server.create(game), Random(game)
    with Follower(server, table.id) as before:
        for _ in range(30):
            now = table.seen()
            if now["status"] == "over":
                break
            seat = seat_named(rng.choice(now["view"]["movers"]))
            got(table.move(seat, rng.choice(table.seen(seat)["view"]["moves"]), now["ply"]))
        version = table.seen()["version"]
        assert before.until(version) == list(range(1, version + 1))
    with table.stream() as after:
        assert after.take(version) == before.heard
    moves = [one.data["move"] for one in before.heard if one.data["kind"] == "move"]
    now = table.seen()
    assert moves == [one["move"] for one in now["moves"]][: len(moves)]
    assert len(moves) == now["ply"]
    assert (before.heard[-1].data["kind"] == "over") == (now["status"] == "over")


@pytest.mark.parametrize("by_header", [True, False])
def test_a_reader_who_reconnects_misses_nothing_and_gets_nothing_twice(
    server: Server, by_header: bool
) -> None:
    table = server.create("battle")
    table.play("0,0", "0,1", "0,2")
    with table.stream(2, by_header=by_header) as stream:
        assert stream.next().id == 3
        table.play("1,0")
        assert stream.next().id == 4
    table.play("1,1")
    with table.stream(4, by_header=by_header) as stream:
        assert stream.next().id == 5
        with pytest.raises(TimeoutError):
            stream.next(0.2)


def test_a_reader_beyond_the_last_event_is_asked_to_reload(server: Server) -> None:
    """As when the server has gone back to a backup."""
    table = server.create("battle")
    table.play("0,0", "0,1")
    with table.stream(99) as stream:
        assert stream.next().data == {"number": 2, "kind": "reload"}
        table.play("0,2")
        assert stream.next().id == 3


def test_the_header_that_a_browser_sends_counts_before_the_address(server: Server) -> None:
    table = server.create("battle")
    table.play("0,0", "0,1", "0,2")
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    connection.request("GET", f"{table.path}/events?after=0", headers={"Last-Event-ID": "2"})
    answer = connection.getresponse()
    lines = [answer.readline() for _ in range(3)]
    assert lines[2] == b"id: 3\n"
    answer.close()
    connection.close()


@pytest.mark.parametrize("after", ["-1", "x", "1.5", "9" * 30, "²"])
def test_a_number_that_is_none_is_refused(server: Server, after: str) -> None:
    table = server.create("battle")
    assert table.get("/events", after=after).status_code == 400


def test_events_are_the_same_for_every_viewer(server: Server) -> None:
    table = server.create("conquest")
    table.play("claim:1", "claim:2", "challenge:2", "bid:4")
    version = table.seen()["version"]
    told = []
    for token in (*table.tokens.values(), None):
        with table.stream(token=token) as stream:
            told.append([one.text for one in stream.take(version)])
    assert told[0] == told[1] == told[2]
    assert "bid" not in "".join(told[0])


def test_events_of_racing_moves_have_no_gaps_or_repeats(server: Server) -> None:
    tables = [server.create("conquest", {"size": 3}) for _ in range(4)]
    followers = [Follower(server, table.id) for table in tables for _ in range(2)]

    def play(table: Table, seed: int) -> None:
        rng = Random(seed)
        for _ in range(60):
            now = table.seen()
            if now["status"] == "over":
                return
            seat = rng.choice(SEATS)
            moves = table.seen(seat)["view"]["moves"]
            if moves:
                table.move(seat, rng.choice(moves), now["ply"])

    try:
        with ThreadPoolExecutor(8) as pool:
            for done in [pool.submit(play, table, n) for n, table in enumerate(tables * 2)]:
                done.result()
        for place, follower in enumerate(followers):
            version = tables[place // 2].seen()["version"]
            assert follower.until(version) == list(range(1, version + 1))
    finally:
        for follower in followers:
            follower.stop()


def test_nobody_hears_of_a_move_before_it_is_acknowledged(start: Start, address: str) -> None:
    server = start(address)
    table = server.create("pattern")
    moves = ["6@2,2", "7@3,3", "1@1,3", "4@1,1", "9@3,1", "5@1,3", "8@1,1", "2@3,1", "3@3,2"]
    with table.stream() as stream, socket.create_connection(("127.0.0.1", server.port)) as player:
        assert stream.response.readline() == b"retry: 1000\n"
        assert stream.response.readline() == b"\n"
        listening = stream._socket
        # Looked at in this order: if the event is there when it is looked at, the answer must be too.
        order = select.poll()
        order.register(listening, select.POLLIN)
        order.register(player, select.POLLIN)
        for ply, move in enumerate(moves):
            body = json.dumps({"move": move, "ply": ply})
            head = {**bearer(table.tokens[SEATS[ply % 2]]), "Host": "x", "Content-Length": str(len(body))}
            lines = [f"POST {table.path}/moves HTTP/1.1", *(f"{k}: {v}" for k, v in head.items())]
            player.sendall("\r\n".join([*lines, "", body]).encode())
            ready: set[int] = set()
            while listening.fileno() not in ready:
                ready = {descriptor for descriptor, _ in order.poll(10_000)}
                assert player.fileno() in ready
            assert player.recv(65536).startswith(b"HTTP/1.1 200")
            assert stream.next().data["move"] == move


def test_the_end_of_the_server_ends_the_streams(start: Start) -> None:
    server = start()
    table = server.create("battle")
    table.play("0,0")
    with table.stream() as one, table.stream(1) as other:
        one.next()
        stopping = threading.Thread(target=server.stop)
        stopping.start()
        for stream in (one, other):
            with pytest.raises(Ended):
                stream.next()
        stopping.join(PATIENCE)
        assert not stopping.is_alive()
    assert server.process is not None
    assert server.process.returncode == 0
    server.start()
    assert heard(table, 1) == [(1, "move")]


# Slow readers


def test_a_slow_reader_gets_nothing_more_until_it_is_ready_and_then_all_it_has_missed() -> None:
    kept = [SavedEvent("m", number, "{}") for number in range(1, 1001)]

    async def told() -> tuple[KeptEvents, KeptEvents, int]:
        shown = 0

        async def fetch(_: str, after: int) -> list[SavedEvent]:
            return [one for one in kept if after < one.number <= shown]

        hub, slow, quick = Hub(fetch), KeptEvents(), KeptEvents()
        async with hub.follow("m", 0, slow), hub.follow("m", 0, quick):
            for event in kept:
                shown = event.number
                hub.publish([event])
                if shown == 500:
                    slow.pause()
                    hub.publish([SavedEvent("m", EPHEMERAL, "3"), SavedEvent("m", EPHEMERAL, "4")])
                await asyncio.sleep(0)
            assert slow.numbers == list(range(1, 501))
            slow.resume()
            while slow.numbers[-1] != EPHEMERAL:
                await asyncio.sleep(0)
        return slow, quick, hub.count

    slow, quick, left = asyncio.run(asyncio.wait_for(told(), 20))
    assert quick.numbers == [*range(1, 501), EPHEMERAL, EPHEMERAL, *range(501, 1001)]
    assert slow.numbers == [*range(1, 1001), EPHEMERAL]  # of those that are not stored, the latest
    assert left == 0


def test_a_slow_reader_gets_the_latest_of_what_is_not_stored_as_soon_as_it_is_ready() -> None:
    async def told() -> list[int]:
        async def fetch(_: str, after: int) -> list[SavedEvent]:
            return []

        hub, reader = Hub(fetch), KeptEvents()
        async with hub.follow("m", 0, reader):
            reader.pause()
            hub.publish([SavedEvent("m", EPHEMERAL, "3"), SavedEvent("m", EPHEMERAL, "4")])
            reader.resume()
            for _ in range(5):
                await asyncio.sleep(0)
            return reader.numbers

    assert asyncio.run(asyncio.wait_for(told(), 20)) == [EPHEMERAL]


def test_what_is_published_while_a_reader_catches_up_comes_once_and_in_order() -> None:
    async def told() -> list[int]:
        shown = 3

        def publish_next() -> None:
            nonlocal shown
            shown += 1
            hub.publish([SavedEvent("m", shown, "{}")])

        async def fetch(_: str, after: int) -> list[SavedEvent]:
            if shown < 9:
                publish_next()  # and the query finds it
            found = [SavedEvent("m", number, "{}") for number in range(after + 1, shown + 1)]
            await asyncio.sleep(0)
            if shown < 9:
                publish_next()  # too late for the query
            return found

        hub, reader = Hub(fetch), KeptEvents()
        async with hub.follow("m", 3, reader):
            hub.publish([SavedEvent("m", 5, "{}")])  # known already
            publish_next()
            return reader.numbers

    assert asyncio.run(asyncio.wait_for(told(), 20)) == list(range(4, 11))


def test_a_stream_waits_out_an_outage_of_the_database_unless_it_has_just_begun() -> None:
    async def told() -> list[object]:
        away = True

        async def fetch(_: str, after: int) -> list[SavedEvent]:
            if away:
                raise Unavailable("The database is not available: it is a test.")
            return [SavedEvent("m", number, "{}") for number in range(after + 1, 4)]

        hub, begun, reader = Hub(fetch), KeptEvents(), KeptEvents()
        async with hub.follow("m", 0, begun):
            pass
        away = False
        async with hub.follow("m", 0, reader):
            away = True
            hub.publish([SavedEvent("m", 6, "{}")])  # 4 and 5 would have to be looked up
            hub.nudge("m")
            for _ in range(5):
                await asyncio.sleep(0)
            hub.publish([SavedEvent("m", 4, "{}")])
            assert not reader.ended
            hub.close()
        return [begun.numbers, begun.ended, reader.numbers, reader.ended]

    assert asyncio.run(asyncio.wait_for(told(), 20)) == [[], True, [1, 2, 3, 4], True]


def test_nothing_is_written_after_a_stream_has_ended() -> None:
    """The next response on the same connection may have begun."""

    async def told() -> list[int]:
        waiting = asyncio.Event()

        async def fetch(_: str, after: int) -> list[SavedEvent]:
            if after:
                await waiting.wait()
            return [SavedEvent("m", after + 1, "{}")]

        hub, reader = Hub(fetch), KeptEvents()
        async with hub.follow("m", 0, reader):
            hub.nudge("m")
            await asyncio.sleep(0)
        waiting.set()
        for _ in range(5):
            await asyncio.sleep(0)
        return reader.numbers

    assert asyncio.run(asyncio.wait_for(told(), 20)) == [1]


def stalled(server: Server, match_id: str) -> socket.socket:
    """A reader with little room that never reads."""
    reader = socket.socket()
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    reader.settimeout(60)
    reader.connect(("127.0.0.1", server.port))
    reader.sendall(f"GET {API}/matches/{match_id}/events HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    return reader


def stuffed(folder: Path, start: Start) -> Table:
    """A match with more in its events than the buffers of a connection hold."""
    server = start()
    table = server.create("battle")
    table.play("0,0")
    server.stop()
    database = Database(sqlite_url(folder))
    filler = json.dumps({"kind": "filler", "text": "x" * 10_000})
    rows = [{"match_serial": 1, "number": n, "data": filler} for n in range(2, 1002)]
    with database.engine.begin() as connection:
        connection.execute(sa.insert(event_table), rows)
        connection.execute(sa.text("UPDATE matches SET version = 1001"))
    database.engine.dispose()
    server.start()
    return table


def test_a_reader_who_does_not_read_holds_nobody_up(start: Start, tmp_path: Path) -> None:
    table = stuffed(tmp_path, start)
    with stalled(table.server, table.id):
        wait_for(lambda: "ninefold_streams 1" in table.server.get("/metrics").text, "the reader")
        with table.stream(1001) as stream:
            table.play("1,1")
            assert stream.next(5).data["move"] == "1,1"
        assert heard(table, 1002)[-1] == (1002, "move")


@pytest.mark.long
def test_a_reader_who_does_not_read_is_disconnected(start: Start, tmp_path: Path) -> None:
    table = stuffed(tmp_path, start)
    with stalled(table.server, table.id):
        wait_for(lambda: "ninefold_streams 1" in table.server.get("/metrics").text, "the reader")
        wait_for(lambda: "ninefold_streams 0" in table.server.get("/metrics").text, "the cut", 60)
    assert "slow reader" in table.server.log()


@pytest.mark.long
def test_a_quiet_stream_sends_heartbeats(server: Server) -> None:
    table = server.create("battle")
    with Stream(server, table.id) as stream:
        lines = [stream.response.readline() for _ in range(4)]
    assert lines == [b"retry: 1000\n", b"\n", b": \n", b"\n"]
