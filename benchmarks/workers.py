"""The server on PostgreSQL with 1, 2 and 4 workers, all on one machine with the database and the clients.

python -m benchmarks.workers [--seconds N] [--matches N]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.web.postgres import postgres

from benchmarks.server import (
    IN_FLIGHT,
    Side,
    allow_many_files,
    measure,
    run_loop,
    show,
    start_ours,
    stop_at_end,
)
from ninefold.core.words import pluralize

WORKERS = (1, 2, 4)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="the server on PostgreSQL, by number of workers")
    parser.add_argument("--seconds", type=float, default=6.0, help="flat out, for each (6)")
    parser.add_argument("--matches", type=int, default=200)
    options = parser.parse_args(arguments if arguments is not None else [])
    allow_many_files()
    processes: list[subprocess.Popen[bytes]] = []
    with (
        postgres(f"bench-{os.getpid()}") as database,
        tempfile.TemporaryDirectory(prefix="ninefold-bench-") as name,
        stop_at_end(processes),
    ):
        sides: list[Side] = []
        for workers in WORKERS:
            url, title = database.url(database.create()), pluralize(workers, "worker")
            count = ("--workers", str(workers))
            sides.append(start_ours(processes, Path(name), *count, name=title, database=url))
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        figures = run_loop(measure(sides, options.matches, options.seconds, in_flight=IN_FLIGHT))
        show(f"flat out, {options.matches} matches, {IN_FLIGHT} moves in flight:", figures)


if __name__ == "__main__":
    main(sys.argv[1:])
