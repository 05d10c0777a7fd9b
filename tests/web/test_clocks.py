"""A clock for each move, who is there, and what happens when time runs out or somebody stays away."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from ninefold import SEATS, Reason, Seat
from ninefold.match import Match, Record
from ninefold.store.sql import queries
from ninefold.web import clocks, presence
from ninefold.web.actions import changes, play
from ninefold.web.clocks import TrustedClock, end_overdue, end_overdue_games
from ninefold.web.server import Server
from tests.web.conftest import Start
from tests.web.inside import inside
from tests.web.support import API, OPEN, PATIENCE, PERSON, Table, bearer, got, wait_for

FIRST, SECOND = SEATS


class Sitting:
    """A match of a server in this process, with both seats' tokens."""

    def __init__(self, client: httpx.AsyncClient, server: Server, created: dict[str, Any]) -> None:
        self.client, self.server = client, server
        self.id = str(created["match"])
        self.tokens = [str(held["token"]) for held in created["held"]]

    async def seen(self) -> dict[str, Any]:
        found = got(await self.client.get(f"{API}/matches/{self.id}"))
        assert isinstance(found, dict)
        return found

    async def post(self, what: str, seat: Seat, body: Any = None) -> httpx.Response:
        path = f"{API}/matches/{self.id}/{what}"
        return await self.client.post(path, json=body or {}, headers=bearer(self.tokens[seat]))

    async def move(self, seat: Seat, text: str, ply: int) -> None:
        got(await self.post("moves", seat, {"move": text, "ply": ply}))

    async def deadline(self) -> float:
        text = (await self.seen())["deadline"]
        return datetime.fromisoformat(text).timestamp()

    async def end(self, now: float) -> dict[str, Any]:
        await end_overdue(self.server, now)
        return await self.seen()


def sit(
    folder: Path, work: Callable[[Sitting], Awaitable[None]], game: str = "battle", **more: Any
) -> None:
    async def begin(client: httpx.AsyncClient, server: Server) -> None:
        setup = {"battle": {"grid": "792415863"}, "conquest": {"size": 2}}[game]
        wanted = {"game": game, "setup": setup, "first": PERSON, "second": PERSON, **more}
        await work(Sitting(client, server, got(await client.post(f"{API}/matches", json=wanted), 201)))

    inside(folder, begin)


@pytest.mark.parametrize("clock", [30, 120, 600, 86400])
def test_whoever_does_not_move_in_time_loses(tmp_path: Path, clock: int) -> None:
    async def work(table: Sitting) -> None:
        began = time.time()
        assert (await table.seen())["clock"] == clock
        assert began + clock - 2 <= await table.deadline() <= time.time() + clock
        await table.move(FIRST, "0,0", 0)
        assert (await table.end(time.time() + clock - 5))["status"] == "playing"
        over = await table.end(time.time() + clock + 5)
        assert over["status"] == "over"
        assert (over["outcome"]["winner"], over["outcome"]["reason"]) == ("first", "time")
        assert over["outcome"]["text"] == ["Player 1 wins.", "Player 2 ran out of time."]
        assert over["deadline"] is None
        got(await table.post("moves", SECOND, {"move": "0,1", "ply": 1}), 409)
        record = Record.from_json((await table.client.get(f"{API}/matches/{table.id}/record")).text)
        match = Match.of(record)
        assert match.clock == clock
        assert match.outcome is not None
        assert match.outcome.reason is Reason.TIME
        again = Record.from_json(match.record(None).to_json())
        assert again == record

    sit(tmp_path, work, clock=clock)


def test_there_is_no_other_clock(tmp_path: Path) -> None:
    async def work(client: httpx.AsyncClient, server: Server) -> None:
        for clock in (0, -1, 31, 30.5, "30", True):
            wanted = {"game": "battle", "clock": clock}
            assert (await client.post(f"{API}/matches", json=wanted)).status_code == 400, clock

    inside(tmp_path, work)


def test_without_a_clock_nobody_loses_on_time(tmp_path: Path) -> None:
    async def work(table: Sitting) -> None:
        seen = await table.seen()
        assert (seen["clock"], seen["deadline"]) == (None, None)
        assert (await table.end(time.time() + 1e9))["status"] == "playing"

    sit(tmp_path, work)


def test_the_clock_starts_when_somebody_joins_and_again_after_a_takeback(tmp_path: Path) -> None:
    async def work(table: Sitting) -> None:
        assert (await table.seen())["deadline"] is None
        held = got(await table.client.post(f"{API}/matches/{table.id}/join", json={}), 201)
        table.tokens.append(held["token"])
        assert await table.deadline() > time.time() + 25
        await table.move(FIRST, "0,0", 0)

        def backdate(tx: Any) -> None:  # as if nearly all of the time had passed
            room = tx.room(table.id)
            tx.save(replace(room, deadline=time.time() + 1), [])

        await table.server.run(backdate)
        got(await table.post("takeback", FIRST, {"action": "offer"}))
        assert await table.deadline() < time.time() + 5, "asking gains no time"
        got(await table.post("takeback", SECOND, {"action": "accept"}))
        assert await table.deadline() > time.time() + 25

    sit(tmp_path, work, second=OPEN, clock=30)


def test_both_choose_in_secret_by_the_same_clock(tmp_path: Path) -> None:
    """Choosing first gains the other no time, and whoever has not chosen loses."""

    async def work(table: Sitting) -> None:
        for ply, (seat, move) in enumerate(((FIRST, "claim:1"), (SECOND, "claim:2"))):
            await table.move(seat, move, ply)
        await table.move(FIRST, "challenge:2", 2)
        room = await table.server.room(table.id)
        await table.move(FIRST, "bid:4", 3)
        assert (await table.server.room(table.id)).deadline == room.deadline
        over = await table.end(time.time() + 31)
        assert (over["outcome"]["winner"], over["outcome"]["reason"]) == ("first", "time")

    sit(tmp_path, work, game="conquest", clock=30)


def test_a_rematch_has_the_same_clock(tmp_path: Path) -> None:
    async def work(table: Sitting) -> None:
        got(await table.post("resign", FIRST))
        got(await table.post("rematch", FIRST, {"action": "offer"}))
        following = got(await table.post("rematch", SECOND, {"action": "accept"}))["next"]
        next_one = got(await table.client.get(f"{API}/matches/{following}"))
        assert next_one["clock"] == 600
        assert next_one["deadline"] is not None

    sit(tmp_path, work, clock=600)


def test_time_is_kept_for_as_long_as_the_server_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clocks, "CHECK", 0)
    monkeypatch.setattr(clocks, "GRACE", 0)
    ahead = TrustedClock(wall=lambda: time.time() + 31)

    async def work(table: Sitting) -> None:
        keeping = asyncio.create_task(end_overdue_games(table.server, ahead))
        async with asyncio.timeout(PATIENCE):
            while (await table.seen())["status"] != "over":
                await asyncio.sleep(0)
        keeping.cancel()

    sit(tmp_path, work, clock=30)


@pytest.mark.parametrize("jump", [1e7, -1e7, 10.0])
def test_the_clock_is_not_trusted_right_after_a_start_or_a_jump(jump: float) -> None:
    wall, steady = 1e9, 5.0

    def after(seconds: float) -> float | None:
        nonlocal wall, steady
        wall, steady = wall + seconds, steady + seconds
        return clock.now()

    clock = TrustedClock(lambda: wall, lambda: steady)
    assert after(clocks.GRACE - 1) is None
    assert after(1) == wall
    wall += jump
    assert after(1) is None
    assert after(clocks.MISTRUST - 2) is None
    assert after(2) == wall
    assert after(1000) == wall


def test_a_clock_goes_on_through_a_restart(start: Start, address: str) -> None:
    server = start(address)
    table = server.create("battle", clock=120)
    table.play("0,0")
    before = table.seen()["deadline"]
    server.kill()
    server.start()
    assert table.seen()["deadline"] == before
    with table.stream() as stream:
        assert stream.next().data["deadline"] == before


# Who is there


def listening(table: Table, seat: Seat) -> Any:
    return table.stream(token=table.tokens[seat])


def test_a_player_who_leaves_for_a_while_is_away_and_then_here_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "AWAY", 0)

    async def work(table: Sitting) -> None:
        server, id = table.server, table.id
        server.presence.arrive(id, SECOND, away=False)
        server.presence.arrive(id, SECOND, away=False)
        server.presence.leave(id, SECOND)
        await settle(server)
        assert (await table.seen())["away"] == [], "one stream is left"
        server.presence.leave(id, SECOND)
        await settle(server)
        assert (await table.seen())["away"] == ["second"]
        server.presence.arrive(id, SECOND, away=True)
        await settle(server)
        assert (await table.seen())["away"] == []
        told = await server.read(partial(queries.events_after, id, 0))
        assert [event.data for event in told] == [
            '{"number":1,"kind":"away","seat":"second"}',
            '{"number":2,"kind":"here","seat":"second"}',
        ]

    sit(tmp_path, work)


async def settle(server: Server) -> None:
    """Until what was begun is done."""
    for _ in range(5):
        await asyncio.sleep(0)
        await asyncio.gather(*server.presence._tasks)


def test_a_game_is_claimed_from_whoever_stays_away_on_their_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(table: Sitting) -> None:
        server, id = table.server, table.id

        async def claimed(seat: Seat, later: float) -> str:
            act = partial(play.claim, id=id, token=table.tokens[seat], now=time.time() + later)
            try:
                return str((await server.run(act))[0].status)
            except changes.Stale as error:
                return str(error)

        assert "another person has to move" in await claimed(FIRST, 1e6)
        assert await claimed(SECOND, 1e6) == "playing", "only now they count as away"
        assert (await table.seen())["away"] == ["first"]
        assert "in 10 min" in await claimed(SECOND, 1)
        assert "in 1 min" in await claimed(SECOND, 599)
        await table.move(FIRST, "0,0", 0)
        assert (await table.seen())["away"] == [], "whoever moves is there"
        assert await claimed(FIRST, 1e6) == "playing"
        assert await claimed(FIRST, 601) == "over"
        over = await table.seen()
        assert (over["outcome"]["winner"], over["outcome"]["reason"]) == ("first", "absent")
        record = Record.from_json((await table.client.get(f"{API}/matches/{id}/record")).text)
        assert Match.of(record).outcome is not None

    sit(tmp_path, work)


def test_nobody_claims_a_game_from_a_player_who_is_here_or_where_there_is_a_clock(tmp_path: Path) -> None:
    async def here(table: Sitting) -> None:
        table.server.presence.arrive(table.id, FIRST, away=False)
        answer = await table.post("claim", SECOND)
        assert (answer.status_code, "is here" in answer.text) == (409, True)
        table.server.presence.close()

    async def timed(table: Sitting) -> None:
        answer = await table.post("claim", SECOND)
        assert (answer.status_code, "time for the move" in answer.text) == (409, True)

    sit(tmp_path / "here", here)
    sit(tmp_path / "timed", timed, clock=600)


def test_a_player_with_a_stream_at_another_server_is_not_away(start: Start, database: str) -> None:
    """A claim takes somebody for away whom another process knows to be here: it says so at once."""
    here, there = start(database), start(database)
    table = here.create("battle")
    with listening(table.at(there), FIRST) as stream:
        got(table.post("/claim", SECOND), 409)
        assert [one.data["kind"] for one in stream.take(2)] == ["away", "here"]
    wait_for(lambda: table.seen()["away"] == [], "it to be corrected")
