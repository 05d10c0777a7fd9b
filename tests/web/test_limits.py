"""How much a client may ask for, and that remembering it has a bound."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace

from ninefold.store.sql import cleanup
from ninefold.store.sql.database import Transaction
from ninefold.web import limits
from ninefold.web.app import make_app
from ninefold.web.limits import Limits, RateLimiter, network_of
from ninefold.web.server import Server
from tests.web.inside import inside
from tests.web.support import API, PATIENCE, PERSON, bearer, got


def test_a_burst_then_the_rate() -> None:
    clock = [100.0]
    limiter = RateLimiter(rate=2.0, burst=3, clock=lambda: clock[0])
    assert [limiter.admit("a") for _ in range(5)] == [0.0, 0.0, 0.0, 0.5, 0.5]
    assert limiter.admit("b") == 0.0
    clock[0] += 0.5
    assert limiter.admit("a") == 0.0
    assert limiter.admit("a") == 0.5
    clock[0] += 1000
    assert [limiter.admit("a") for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]


def test_without_a_rate_nobody_waits_and_nobody_is_remembered() -> None:
    limiter = RateLimiter(rate=0.0, burst=1)
    assert not any(limiter.admit("a") for _ in range(100))
    assert limiter.remembered == 0


def test_without_a_burst_nobody_waits_either() -> None:
    limiter = RateLimiter(rate=1.0, burst=0)
    assert not any(limiter.admit("a") for _ in range(100))


def test_a_body_without_a_limit_may_be_large(tmp_path: Path) -> None:
    async def work(client: httpx.AsyncClient, _: Server) -> int:
        body = {"game": "battle", "setup": {}}
        answer = await client.post(f"{API}/matches", content=json.dumps(body) + " " * 1_000_000)
        return answer.status_code

    assert inside(tmp_path / "0", work, body=0) == 201
    assert inside(tmp_path / "1", work, body=1000) == 413


def test_a_client_has_a_share_of_the_matches(tmp_path: Path) -> None:
    """One that is used up leaves room for others, and comes back with the end of a match."""

    async def work(client: httpx.AsyncClient, server: Server) -> None:
        async def create(address: str) -> httpx.Response:
            made = httpx.ASGITransport(make_app(server), client=(address, 1))
            async with httpx.AsyncClient(transport=made, base_url="http://test") as one:
                return await one.post(f"{API}/matches", json={"game": "battle", "second": PERSON})

        greedy = [await create("10.0.0.1") for _ in range(4)]
        assert [answer.status_code for answer in greedy] == [201, 201, 201, 429]
        assert (await create("10.0.0.2")).status_code == 201
        many = [await create(f"fd00::{number}") for number in range(4)]
        assert [answer.status_code for answer in many] == [201, 201, 201, 429], "one network"
        assert (await create("fd00:0:0:1::1")).status_code == 201
        held = greedy[0].json()["held"][0]
        path = f"{API}/matches/{held['match']}/resign"
        got(await client.post(path, headers=bearer(held["token"])))
        assert [(await create("10.0.0.1")).status_code for _ in range(2)] == [201, 429]

    inside(tmp_path / "share", work, matches=30)
    assert Limits(matches=0).matches_per_client == 0
    assert Limits(matches=100, matches_each=0).matches_per_client == 0
    assert Limits(matches=100, matches_each=7).matches_per_client == 7


def test_an_ipv6_network_is_one_client_everywhere(tmp_path: Path) -> None:
    assert network_of("fd00::1") == network_of("fd00::ffff:1") != network_of("fd00:0:0:1::1")
    assert network_of("::ffff:10.0.0.1") == network_of("10.0.0.1") == "10.0.0.1"
    assert network_of("testclient") == "testclient"

    async def work(client: httpx.AsyncClient, server: Server) -> None:
        async def ask(address: str) -> int:
            made = httpx.ASGITransport(make_app(server), client=(address, 1))
            async with httpx.AsyncClient(transport=made, base_url="http://test") as one:
                return (await one.get(f"{API}/games")).status_code

        assert [await ask(f"fd00::{number}") for number in range(3)] == [200, 200, 429]
        assert await ask("fd00:0:0:1::1") == 200

    inside(tmp_path, work, rate=0.001, burst=2)


def test_idle_matches_make_room_for_others_unstarted_ones_first(tmp_path: Path) -> None:
    async def work(client: httpx.AsyncClient, server: Server) -> None:
        async def create() -> httpx.Response:
            return await client.post(f"{API}/matches", json={"game": "cross", "second": PERSON})

        first, played, last = [got(await create(), 201)["held"][0] for _ in range(3)]
        move = {"move": "Row1", "ply": 0}
        path = f"{API}/matches/{played['match']}"
        got(await client.post(f"{path}/moves", json=move, headers=bearer(played["token"])))
        assert (await create()).status_code == 503

        def age(id: str, seconds: float) -> None:
            def work(tx: Transaction) -> None:
                room = tx.room(id)
                tx.save(replace(room, touched=room.touched - seconds), [])

            server.database.run(work).result(PATIENCE)

        age(played["match"], cleanup.ABANDONED - 60)
        assert (await create()).status_code == 503, "all of them are too young"
        age(last["match"], cleanup.UNSTARTED + 1)
        assert (await create()).status_code == 201
        assert (await client.get(f"{API}/matches/{last['match']}")).status_code == 404
        age(played["match"], 61)
        age(first["match"], cleanup.UNSTARTED - 60)
        assert (await create()).status_code == 201
        assert (await client.get(path)).status_code == 404
        assert (await client.get(f"{API}/matches/{first['match']}")).status_code == 200

    inside(tmp_path, work, matches=3, matches_each=0)


def test_however_many_come_only_the_latest_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CLIENTS", 100)
    limiter = RateLimiter(rate=1.0, burst=1, clock=lambda: 100.0)
    limiter.admit("a")
    for number in range(99):
        limiter.admit(f"another {number}")
        assert limiter.admit("a") > 0, "who keeps asking is not forgotten"
    for number in range(1000):
        limiter.admit(f"stranger {number}")
        assert limiter.remembered <= 100
    assert limiter.admit("a") == 0.0
