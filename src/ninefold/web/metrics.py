"""Metrics in Prometheus's text format, summed over the processes of a server."""

from __future__ import annotations

import os
import threading
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

import msgspec

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
SECONDS = "ninefold_move_seconds"  # how long moves took to be committed


class Snapshot(msgspec.Struct):
    """The counters and gauges of one process."""

    samples: dict[str, float]  # counters, by name and labels
    gauges: dict[str, float]


class Metrics:
    """The metrics of this process, and those that the others have published in a folder, if there is one.

    The counters of a process that has ended stay, so that no sum ever goes down.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._samples: defaultdict[str, float] = defaultdict(float)
        for name in ("matches_created", "database_errors"):
            self._samples[f"ninefold_{name}_total"] = 0

    def count(self, name: str) -> None:
        self._add(f"ninefold_{name}_total")

    def count_request(self, method: str, status: int) -> None:
        self._add(f'ninefold_requests_total{{method="{method}",status="{status}"}}')

    def observe_move(self, seconds: float) -> None:
        """Record how long a move took to be committed."""
        buckets = [_bucket(bound) for bound in BOUNDS if seconds <= bound]
        self._add(*buckets, _bucket("+Inf"), f"{SECONDS}_count")
        with self._lock:
            self._samples[f"{SECONDS}_sum"] += seconds

    def _add(self, *names: str) -> None:
        with self._lock:
            for name in names:
                self._samples[name] += 1

    def publish(self, gauges: dict[str, float]) -> None:
        """Write a snapshot for the other processes."""
        if self._folder is None:
            return
        path = self._folder / f"{os.getpid()}.json"
        temporary = path.with_suffix(".new")
        with self._lock:
            temporary.write_bytes(msgspec.json.encode(Snapshot(dict(self._samples), gauges)))
        temporary.replace(path)

    def render(self, gauges: dict[str, float], totals: dict[str, float]) -> str:
        """All metrics as text. `gauges` are this process's, and `totals` those of the whole server."""
        with self._lock:
            samples = defaultdict(float, self._samples)
        sums = defaultdict(float, gauges)
        for snapshot, alive in self._others():
            _add_to(samples, snapshot.samples)
            _add_to(sums, snapshot.gauges if alive else {})
        lines = []
        for name in sorted(samples):
            family = name.partition("{")[0]
            if not family.startswith(SECONDS):
                kind = f"# TYPE {family} counter"
                lines += [*(() if kind in lines else (kind,)), f"{name} {samples[name]:.15g}"]
        lines.append(f"# TYPE {SECONDS} histogram")
        lines += [f"{name} {samples[name]:.15g}" for name in (*map(_bucket, BOUNDS), _bucket("+Inf"))]
        lines += [f"{SECONDS}_sum {samples[f'{SECONDS}_sum']:.6f}"]
        lines += [f"{SECONDS}_count {samples[f'{SECONDS}_count']:.15g}"]
        for name, value in {**sums, **totals}.items():
            lines += [f"# TYPE ninefold_{name} gauge", f"ninefold_{name} {value:.15g}"]
        return "\n".join(lines) + "\n"

    def _others(self) -> list[tuple[Snapshot, bool]]:
        """The snapshots of the other processes, and whether each is alive."""
        found = []
        for path in [] if self._folder is None else sorted(self._folder.glob("*.json")):
            if path.stem != str(os.getpid()):
                with suppress(OSError, msgspec.DecodeError):
                    snapshot = msgspec.json.decode(path.read_bytes(), type=Snapshot)
                    found.append((snapshot, _is_alive(path.stem)))
        return found


def _add_to(sums: defaultdict[str, float], more: dict[str, float]) -> None:
    for name, value in more.items():
        sums[name] += value


def _bucket(bound: float | str) -> str:
    return f'{SECONDS}_bucket{{le="{bound}"}}'


def _is_alive(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (OSError, ValueError):
        return False
    return True
