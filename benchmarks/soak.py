"""Mixed load for minutes: do memory, open files and threads stay flat?

python -m benchmarks.soak [--minutes N]

Ten players play one match after the other while three clients ask for whatever takes long, as in
`benchmarks.attack`. The server's process and those that compute for it are looked at every second.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterator
from itertools import chain, count
from pathlib import Path
from statistics import mean

from benchmarks.attack import ATTACKS, attacked_server, measure
from benchmarks.server import run_loop

ATTACKERS = 3
NAMES = ("MB", "files", "threads")


def look_at(pid: int) -> tuple[float, int, int]:
    """The memory of a process and its children in MB, their open files, and their threads."""
    folder = Path(f"/proc/{pid}")
    pages = int((folder / "statm").read_text().split()[1])
    tasks = list((folder / "task").iterdir())
    found = [pages * 4096 / 1e6, len(list((folder / "fd").iterdir())), len(tasks)]
    for child in chain.from_iterable((task / "children").read_text().split() for task in tasks):
        found = [mine + theirs for mine, theirs in zip(found, look_at(int(child)), strict=True)]
    memory, files, threads = found
    return memory, int(files), int(threads)


def mixed() -> Iterator[str]:
    """The addresses of all attacks in turn."""
    each = [make(count()) for attackers, make in ATTACKS.values() if attackers]
    return chain.from_iterable(zip(*each, strict=True))


async def run(pid: int, port: int, seconds: float) -> None:
    seen: list[tuple[float, int, int]] = []

    async def watch() -> None:
        while True:
            await asyncio.sleep(1)
            seen.append(look_at(pid))

    watching = asyncio.create_task(watch())
    load = await measure(port, ATTACKERS, mixed(), seconds)
    watching.cancel()
    part = max(1, len(seen) // 4)
    print(f"{len(load.moves):,} moves, {sum(load.answers.values()):,} other answers")
    for place, name in enumerate(NAMES):
        quarters = [mean(one[place] for one in seen[k * part : (k + 1) * part]) for k in range(4)]
        print(f"{name:8}" + "".join(f"{value:10.0f}" for value in quarters) + "   by quarter of the time")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="mixed load for minutes")
    parser.add_argument("--minutes", type=float, default=10.0)
    options = parser.parse_args(arguments if arguments is not None else [])
    with attacked_server() as (pid, port):
        run_loop(run(pid, port, 60 * options.minutes))


if __name__ == "__main__":
    main(sys.argv[1:])
