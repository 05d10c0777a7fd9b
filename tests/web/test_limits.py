"""How much a client may ask for, and that remembering it has a bound."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest

from ninefold.web import limits
from ninefold.web.limits import Buckets
from ninefold.web.server import Server
from tests.web.inside import inside
from tests.web.support import API


def test_a_burst_then_the_rate() -> None:
    clock = [100.0]
    buckets = Buckets(rate=2.0, burst=3, clock=lambda: clock[0])
    assert [buckets.wait("a") for _ in range(5)] == [0.0, 0.0, 0.0, 0.5, 0.5]
    assert buckets.wait("b") == 0.0
    clock[0] += 0.5
    assert buckets.wait("a") == 0.0
    assert buckets.wait("a") == 0.5
    clock[0] += 1000
    assert [buckets.wait("a") for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]


def test_without_a_rate_nobody_waits_and_nobody_is_remembered() -> None:
    buckets = Buckets(rate=0.0, burst=1)
    assert not any(buckets.wait("a") for _ in range(100))
    assert buckets.remembered == 0


def test_without_a_burst_nobody_waits_either() -> None:
    buckets = Buckets(rate=1.0, burst=0)
    assert not any(buckets.wait("a") for _ in range(100))


def test_a_body_without_a_limit_may_be_large(tmp_path: Path) -> None:
    async def work(client: httpx.AsyncClient, _: Server) -> int:
        body = {"game": "battle", "setup": {}}
        answer = await client.post(f"{API}/matches", content=json.dumps(body) + " " * 1_000_000)
        return answer.status_code

    assert inside(tmp_path / "0", work, body=0) == 201
    assert inside(tmp_path / "1", work, body=1000) == 413


def test_however_many_come_only_the_latest_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CLIENTS", 100)
    buckets = Buckets(rate=1.0, burst=1, clock=lambda: 100.0)
    buckets.wait("a")
    for number in range(99):
        buckets.wait(f"another {number}")
        assert buckets.wait("a") > 0, "who keeps asking is not forgotten"
    for number in range(1000):
        buckets.wait(f"stranger {number}")
        assert buckets.remembered <= 100
    assert buckets.wait("a") == 0.0
