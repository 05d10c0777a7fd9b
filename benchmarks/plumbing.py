"""What our own plumbing gains and costs: the server against itself with libraries' ways instead.

python -m benchmarks.plumbing [--seconds N] [--matches N]

Each variant is a whole server under the load of `benchmarks.server`. They are loaded in turn, in many
short rounds whose ratios are averaged, so that a difference of 5% shows:

- *libraries' HTTP*: uvicorn's protocol and sse-starlette's streams instead of `web/protocol.py` and
  `web/streams.py`, without limits on a request's head;
- *SQLAlchemy's way*: its pool and its statements instead of a kept connection and the driver's;
- *SQLite's copying*: the writer stops to copy the log into the database, after 1,000 pages;
- *SQLite's pages*: of 4 kB, as is its default, not of 1 kB;
- *the writer's work*: a thread that writes to SQLite runs the moves itself, not the event loop, and gets
  the interpreter after 5 ms, as is Python's default.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from importlib import import_module
from operator import itemgetter
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from benchmarks.server import (
    IN_FLIGHT,
    Side,
    allow_many_files,
    measure,
    peak_mebibytes,
    run_loop,
    show,
    start_ours,
    stop_at_end,
)

VARIANTS = {
    "ninefold": "",
    "libraries' HTTP": "http",
    "SQLAlchemy's way": "sql",
    "SQLite's copying": "copying",
    "SQLite's pages": "pages",
    "the writer's work": "writer",
}


def use_libraries_http() -> None:
    responses = import_module("sse_starlette")

    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

    from ninefold.store.sql.database import SavedEvent
    from ninefold.web import launch, streams

    class QueuedEvents:
        paused = False

        def __init__(self) -> None:
            self.queue: asyncio.Queue[SavedEvent | None] = asyncio.Queue()
            self.write = self.queue.put_nowait

        async def drain(self) -> None: ...

        def end(self) -> None:
            self.queue.put_nowait(None)

    def protocol(*given: Any, seconds: float, **more: Any) -> HttpToolsProtocol:
        return HttpToolsProtocol(*given, **more)

    def stream(server: Any, room: Any, after: int, *_: object) -> Any:
        async def events() -> AsyncIterator[dict[str, object]]:
            yield {"retry": 1000}
            reader = QueuedEvents()
            async with server.hub.follow(room.id, after, reader):
                while (event := await reader.queue.get()) is not None:
                    yield {"id": str(event.number), "data": event.data}

        return responses.EventSourceResponse(events(), sep="\n", ping=15, send_timeout=20)

    vars(launch)["Protocol"] = protocol
    vars(streams)["Stream"] = stream
    vars(streams)["cycle_of"] = lambda _: True


def use_sqlalchemy() -> None:
    from ninefold.store.sql import database, statements
    from ninefold.store.sql.rooms import to_json

    plain = statements._Statement.execute

    def execute(self: Any, connection: Any, rows: list[Any]) -> int:
        if not self.names or not rows:
            return plain(self, connection, rows)
        values = (to_json(list(map(itemgetter(*self.names), rows))),)
        return int(connection.exec_driver_sql(self.at_once, values).rowcount)

    setattr(database.Database, "_begin", lambda self: self.engine.begin())  # noqa: B010
    setattr(statements._Statement, "execute", execute)  # noqa: B010


def use_sqlite_copying() -> None:
    from ninefold.store.sql import connections, database

    connections.LOG = 1000 * connections.PAGE
    setattr(database.Database, "_copy_loop", lambda _: None)  # noqa: B010


def use_the_writer() -> None:
    from ninefold.store.sql.database import Database
    from ninefold.web import launch

    setattr(Database, "_run_in_memory", lambda *_: None)  # noqa: B010
    vars(launch)["SWITCH"] = sys.getswitchinterval()


def use_larger_pages() -> None:
    from ninefold.store.sql import connections

    connections.PAGE = 4096


PARTS = {
    "http": use_libraries_http,
    "sql": use_sqlalchemy,
    "copying": use_sqlite_copying,
    "pages": use_larger_pages,
    "writer": use_the_writer,
}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="what our own plumbing gains")
    parser.add_argument("--seconds", type=float, default=20.0, help="flat out, for each variant (20)")
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--serve", metavar="VARIANT", help=argparse.SUPPRESS)
    options, rest = parser.parse_known_args(arguments if arguments is not None else [])
    if options.serve is not None:
        if options.serve:
            PARTS[options.serve]()
        from ninefold.commands import main as ninefold

        sys.exit(ninefold(rest))
    allow_many_files()
    processes: list[subprocess.Popen[bytes]] = []
    with tempfile.TemporaryDirectory(prefix="ninefold-bench-") as name, stop_at_end(processes):
        library = Path(name) / "library"
        words = f"-m pip install --quiet --no-deps --target {library} sse-starlette".split()
        subprocess.run([sys.executable, *words], check=True, timeout=120)
        os.environ["PYTHONPATH"] = f"{library}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
        sides: list[Side] = []
        for variant, part in VARIANTS.items():
            folder = Path(name) / variant
            folder.mkdir()
            program = ("benchmarks.plumbing", "--serve", part)
            sides.append(start_ours(processes, folder, name=variant, program=program))
        figures = run_loop(measure(sides, options.matches, options.seconds, in_flight=IN_FLIGHT))
        show(f"flat out, {options.matches} matches, {IN_FLIGHT} moves in flight:", figures)
        ours = figures[sides[0].name]
        for name, one in list(figures.items())[1:]:
            ratios = [cost / own for cost, own in zip(one.costs, ours.costs, strict=True)]
            error = stdev(ratios) / len(ratios) ** 0.5
            print(f"{name}: {mean(ratios):.3f} of our processor time per move, +- {2 * error:.3f}")
        for side in sides:
            print(f"{side.name}: {peak_mebibytes(side.process.pid):.0f} MiB at most")


if __name__ == "__main__":
    main(sys.argv[1:])
