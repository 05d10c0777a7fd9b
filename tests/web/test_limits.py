"""How much a client may ask for, and that remembering it has a bound."""

from __future__ import annotations

import pytest

from ninefold.web import limits
from ninefold.web.limits import Buckets


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
