"""Metrics are summed over the processes of a server, and no counter goes back when one ends."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from ninefold.web.metrics import Metrics, Snapshot
from tests.web.conftest import Start
from tests.web.support import Server, wait_for

GETS = 'ninefold_requests_total{method="GET",status="200"}'


def values(text: str) -> dict[str, float]:
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def leave(folder: Path, pid: int, samples: dict[str, float], gauges: dict[str, float]) -> None:
    (folder / f"{pid}.json").write_bytes(msgspec.json.encode(Snapshot(samples, gauges)))


@pytest.fixture
def gone() -> int:
    """The number of a process that has ended."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    return ended.pid


def test_counters_of_all_processes_are_added_and_gauges_of_those_that_live(
    tmp_path: Path, gone: int
) -> None:
    here = Metrics(tmp_path)
    here.count_request("GET", 200)
    here.observe_move(0.02)
    other = {GETS: 4.0, "ninefold_move_seconds_count": 2.0}
    leave(tmp_path, os.getppid(), other, {"streams": 3.0})
    leave(tmp_path, gone, {**other, "ninefold_matches_created_total": 7.0}, {"streams": 50.0})
    here.publish({"streams": 1000.0})  # our own are not counted twice
    (tmp_path / "99.json").write_text("half a fi")
    found = values(here.render({"streams": 2.0}, {"uptime_seconds": 1.0}))
    assert found[GETS] == 9
    assert found["ninefold_move_seconds_count"] == 5
    assert found["ninefold_matches_created_total"] == 7
    assert found["ninefold_streams"] == 5
    assert found["ninefold_uptime_seconds"] == 1


def test_buckets_are_in_their_order_and_families_have_one_type(tmp_path: Path) -> None:
    metrics = Metrics()
    for seconds in (0.001, 0.02, 0.02, 9.0):
        metrics.observe_move(seconds)
    metrics.count_request("GET", 200)
    metrics.count_request("POST", 201)
    text = metrics.render({}, {})
    counts = re.findall(r'move_seconds_bucket\{le="(.*)"\} (\d+)', text)
    assert [bound for bound, _ in counts] == [
        *("0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1.0", "2.5", "+Inf")
    ]
    assert [int(count) for _, count in counts] == [1, 1, 3, 3, 3, 3, 3, 3, 3, 4]
    types = re.findall(r"# TYPE (\S+)", text)
    assert len(types) == len(set(types))
    assert "ninefold_database_errors_total 0" in text


def test_any_worker_reports_the_metrics_of_all(start: Start, database: str) -> None:
    server = start(database, "--workers", "2")
    wait_for(lambda: server.log().count("Application startup complete") == 2, "two workers")
    for _ in range(10):
        server.create("battle")

    def told(by: Server) -> float:
        return values(by.get("/metrics").text)["ninefold_matches_created_total"]

    wait_for(lambda: [told(server) for _ in range(6)] == [10] * 6, "all workers to know")
    assert values(server.get("/metrics").text)["ninefold_matches_unfinished"] in range(11)
