"""Figures for /metrics, in Prometheus's text format, summed over the processes of a server."""

from __future__ import annotations

import os
import threading
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

import msgspec

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
SECONDS = "ninefold_move_seconds"  # how long moves took to be committed


class Figures(msgspec.Struct):
    """What one process has counted, and how much there is of something in it now."""

    samples: dict[str, float]  # by name and labels
    gauges: dict[str, float]


class Stats:
    """The counts of a process. Those of the others are found in a folder, if there is one.

    What a process counted that has ended stays, so that no counter goes back.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._samples: defaultdict[str, float] = defaultdict(float)
        for name in ("matches_created", "database_errors"):
            self._samples[f"ninefold_{name}_total"] = 0

    def count(self, name: str) -> None:
        self._add(f"ninefold_{name}_total")

    def request(self, method: str, status: int) -> None:
        self._add(f'ninefold_requests_total{{method="{method}",status="{status}"}}')

    def move(self, seconds: float) -> None:
        """A move was committed in that time."""
        buckets = [_bucket(bound) for bound in BOUNDS if seconds <= bound]
        self._add(*buckets, _bucket("+Inf"), f"{SECONDS}_count")
        with self._lock:
            self._samples[f"{SECONDS}_sum"] += seconds

    def _add(self, *names: str) -> None:
        with self._lock:
            for name in names:
                self._samples[name] += 1

    def publish(self, gauges: dict[str, float]) -> None:
        """Have the other processes know."""
        if self._folder is None:
            return
        path = self._folder / f"{os.getpid()}.json"
        beside = path.with_suffix(".new")
        with self._lock:
            beside.write_bytes(msgspec.json.encode(Figures(dict(self._samples), gauges)))
        beside.replace(path)

    def text(self, gauges: dict[str, float], whole: dict[str, float]) -> str:
        """All figures: `gauges` of this process, to be added up, and those of the server as a `whole`."""
        with self._lock:
            samples = defaultdict(float, self._samples)
        sums = defaultdict(float, gauges)
        for figures, lives in self._others():
            _add_to(samples, figures.samples)
            _add_to(sums, figures.gauges if lives else {})
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
        for name, value in {**sums, **whole}.items():
            lines += [f"# TYPE ninefold_{name} gauge", f"ninefold_{name} {value:.15g}"]
        return "\n".join(lines) + "\n"

    def _others(self) -> list[tuple[Figures, bool]]:
        """What the other processes have published, and whether they live."""
        found = []
        for path in [] if self._folder is None else sorted(self._folder.glob("*.json")):
            if path.stem != str(os.getpid()):
                with suppress(OSError, msgspec.DecodeError):
                    figures = msgspec.json.decode(path.read_bytes(), type=Figures)
                    found.append((figures, _lives(path.stem)))
        return found


def _add_to(sums: defaultdict[str, float], more: dict[str, float]) -> None:
    for name, value in more.items():
        sums[name] += value


def _bucket(bound: float | str) -> str:
    return f'{SECONDS}_bucket{{le="{bound}"}}'


def _lives(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (OSError, ValueError):
        return False
    return True
