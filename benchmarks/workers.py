"""The server on PostgreSQL with 1, 2 and 4 workers, all on one machine with the database and the clients.

python -m benchmarks.workers [--seconds N] [--matches N]
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.web.postgres import postgres

from benchmarks.server import (
    HOST,
    IN_FLIGHT,
    Ours,
    Side,
    free_port,
    measure,
    run_loop,
    serve,
    show,
    stopped_at_the_end,
    wait_for,
)

WORKERS = (1, 2, 4)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="the server on PostgreSQL, by number of workers")
    parser.add_argument("--seconds", type=float, default=6.0, help="flat out, for each (6)")
    parser.add_argument("--matches", type=int, default=200)
    options = parser.parse_args(arguments if arguments is not None else [])
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    processes: list[subprocess.Popen[bytes]] = []
    with (
        postgres(f"bench-{os.getpid()}") as database,
        tempfile.TemporaryDirectory(prefix="ninefold-bench-") as name,
        stopped_at_the_end(processes),
    ):
        sides: list[Side] = []
        for workers in WORKERS:
            port, url = free_port(), database.url(database.create())
            process = serve(Path(name), port, "--workers", str(workers), database=url)
            processes.append(process)
            wait_for(f"http://{HOST}:{port}/readyz", process)
            sides.append(Ours(process, port, f"{workers} worker{'s' if workers > 1 else ''}"))
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        figures = run_loop(measure(sides, options.matches, options.seconds, in_flight=IN_FLIGHT))
        show(f"flat out, {options.matches} matches, {IN_FLIGHT} moves under way:", figures)


if __name__ == "__main__":
    main(sys.argv[1:])
