"""Figures for /metrics, in Prometheus's text format."""

from __future__ import annotations

import threading
import time
from collections import Counter

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Stats:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()
        self._requests: Counter[tuple[str, int]] = Counter()
        self._moves: Counter[float] = Counter()
        self._moves_seconds = 0.0
        self._moves_count = 0
        self._began = time.time()

    def count(self, name: str) -> None:
        with self._lock:
            self._counts[name] += 1

    def request(self, method: str, status: int) -> None:
        with self._lock:
            self._requests[method, status] += 1

    def move(self, seconds: float) -> None:
        """A move was committed in that time."""
        with self._lock:
            self._moves_count += 1
            self._moves_seconds += seconds
            for bound in BOUNDS:
                if seconds <= bound:
                    self._moves[bound] += 1

    def text(self, **gauges: float) -> str:
        with self._lock:
            lines = ["# TYPE ninefold_requests_total counter"]
            for (method, status), count in sorted(self._requests.items()):
                lines.append(f'ninefold_requests_total{{method="{method}",status="{status}"}} {count}')
            for name, count in sorted(self._counts.items()):
                lines += [f"# TYPE ninefold_{name}_total counter", f"ninefold_{name}_total {count}"]
            lines.append("# TYPE ninefold_move_seconds histogram")
            lines += [f'ninefold_move_seconds_bucket{{le="{b}"}} {self._moves[b]}' for b in BOUNDS]
            lines += [
                f'ninefold_move_seconds_bucket{{le="+Inf"}} {self._moves_count}',
                f"ninefold_move_seconds_sum {self._moves_seconds:.6f}",
                f"ninefold_move_seconds_count {self._moves_count}",
            ]
        for name, value in {**gauges, "uptime_seconds": time.time() - self._began}.items():
            lines += [f"# TYPE ninefold_{name} gauge", f"ninefold_{name} {value:g}"]
        return "\n".join(lines) + "\n"
