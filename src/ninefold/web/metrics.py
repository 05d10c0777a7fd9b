"""Metrics in Prometheus's text format. Prometheus asks each process, and adds up."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from itertools import accumulate

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)  # seconds; of the histogram's buckets
COUNTERS = ("matches_created", "database_errors")


class Metrics:
    """The counters of this process. Only the event loop's thread may use it."""

    def __init__(self) -> None:
        self._counts = Counter(dict.fromkeys(COUNTERS, 0))
        self._requests: Counter[tuple[str, int]] = Counter()  # by method and status
        self._moves = [0] * (len(BOUNDS) + 1)  # by how long they took to be committed
        self._seconds = 0.0

    def count(self, name: str) -> None:
        self._counts[name] += 1

    def count_request(self, method: str, status: int) -> None:
        self._requests[method, status] += 1

    def observe_move(self, seconds: float) -> None:
        """Record how long a move took to be committed."""
        self._moves[bisect_left(BOUNDS, seconds)] += 1
        self._seconds += seconds

    def render(self, gauges: Mapping[str, float]) -> str:
        """All metrics as text."""
        lines = []
        for name, count in self._counts.items():
            lines += [f"# TYPE ninefold_{name}_total counter", f"ninefold_{name}_total {count}"]
        lines.append("# TYPE ninefold_requests_total counter")
        for (method, status), count in sorted(self._requests.items()):
            lines.append(f'ninefold_requests_total{{method="{method}",status="{status}"}} {count}')
        lines.append("# TYPE ninefold_move_seconds histogram")
        sums = accumulate(self._moves)
        for bound, count in zip((*BOUNDS, "+Inf"), sums, strict=True):
            lines.append(f'ninefold_move_seconds_bucket{{le="{bound}"}} {count}')
        lines.append(f"ninefold_move_seconds_sum {self._seconds:.6f}")
        lines.append(f"ninefold_move_seconds_count {sum(self._moves)}")
        for name, value in gauges.items():
            lines += [f"# TYPE ninefold_{name} gauge", f"ninefold_{name} {value:.15g}"]
        return "\n".join(lines) + "\n"
