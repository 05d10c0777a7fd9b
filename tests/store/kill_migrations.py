"""Kills an upgrade of a SQLite database at every one of its statements, and looks at what is left.

Run as a program: `python -m tests.store.kill_migrations FOLDER REVISION`. Each attempt is a process of
its own, forked from this one, on a fresh copy of a database at that revision ("" for an empty one). It
upgrades to the revision that the tests make up.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path

import sqlalchemy as sa

from ninefold.store.sql.database import Database
from ninefold.store.sql.migrations import revision_of, upgrade
from tests.store.test_migrations import NEXT, fill, make_up_next, rows


def in_a_process(work: Callable[[], None]) -> int:
    """How it ended: 0 if well, minus the number of the signal that killed it."""
    pid = os.fork()
    if not pid:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def begin(path: Path, revision: str) -> None:
    if revision:
        engine = Database(f"sqlite:///{path}").engine
        upgrade(engine, revision)
        fill(engine)
        engine.dispose()


def killed_at(path: Path, versions: Path, statement: int) -> None:
    """Upgrade, and die when SQLite begins with the statement of this number."""
    numbers = count(1)

    def notice(text: str) -> None:
        if next(numbers) == statement:
            os.kill(os.getpid(), signal.SIGKILL)

    engine = Database(f"sqlite:///{path}").engine
    sa.event.listen(engine, "connect", lambda connection, _: connection.set_trace_callback(notice))
    upgrade(engine, NEXT, versions)


def check(path: Path, versions: Path, before: str) -> None:
    """It is as it was before or as it should be after, and the next start brings it there."""
    engine = Database(f"sqlite:///{path}").engine
    with engine.connect() as connection:
        assert (revision_of(connection) or "") in (before, NEXT)
    upgrade(engine, NEXT, versions)
    with engine.connect() as connection:
        assert revision_of(connection) == NEXT
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        found = sa.inspect(connection)
        assert found.has_table("badges")
        assert "matches_due" not in {index["name"] for index in found.get_indexes("matches")}
        for name, content in rows().items() if before else ():
            assert connection.exec_driver_sql(f"SELECT count(*) FROM {name}").scalar() == len(content)
        assert connection.exec_driver_sql("SELECT count(*) FROM matches WHERE rounds = 1").scalar() == 0


def main(folder: Path, revision: str) -> None:
    versions = make_up_next(folder)
    original = folder / "original"
    original.mkdir()
    assert in_a_process(partial(begin, original / "server.db", revision)) == 0
    for statement in count(1):
        copy = folder / f"killed-{statement}"
        shutil.copytree(original, copy)
        ended = in_a_process(partial(killed_at, copy / "server.db", versions, statement))
        left = in_a_process(partial(check, copy / "server.db", versions, revision))
        assert left == 0, f"statement {statement}"
        shutil.rmtree(copy)
        if ended == 0:
            print(statement - 1)  # more than the upgrade has: all have been tried
            return
        assert ended == -signal.SIGKILL


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
