"""Metrics as Prometheus reads them."""

from __future__ import annotations

import re

from ninefold.web.metrics import Metrics


def test_buckets_are_in_their_order_and_families_have_one_type() -> None:
    metrics = Metrics()
    for seconds in (0.001, 0.02, 0.025, 9.0):
        metrics.observe_move(seconds)
    metrics.count_request("GET", 200)
    metrics.count_request("GET", 200)
    metrics.count_request("POST", 201)
    metrics.count("matches_created")
    text = metrics.render({"streams": 3})
    counts = re.findall(r'move_seconds_bucket\{le="(.*)"\} (\d+)', text)
    assert [bound for bound, _ in counts] == [
        *("0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1.0", "2.5", "+Inf")
    ]
    assert [int(count) for _, count in counts] == [1, 1, 3, 3, 3, 3, 3, 3, 3, 4]
    types = re.findall(r"# TYPE (\S+)", text)
    assert len(types) == len(set(types))
    lines = text.splitlines()
    for line in (
        'ninefold_requests_total{method="GET",status="200"} 2',
        "ninefold_move_seconds_sum 9.046000",
        "ninefold_move_seconds_count 4",
        "ninefold_matches_created_total 1",
        "ninefold_database_errors_total 0",
        "ninefold_streams 3",
    ):
        assert line in lines
