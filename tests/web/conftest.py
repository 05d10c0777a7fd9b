from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.web.postgres import RUN, Postgres, postgres
from tests.web.support import Server, sqlite_url

Start = Callable[..., Server]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on SQLite that many tests may use, each with matches of its own."""
    folder = tmp_path_factory.mktemp("server")
    with Server(folder, sqlite_url(folder), "--log-level", "debug", "--streams-each", "0").start() as it:
        yield it


@pytest.fixture(scope="session")
def instance() -> Iterator[Postgres]:
    """PostgreSQL, shared by the processes of one test run."""
    with postgres(RUN) as it:
        yield it


@pytest.fixture
def database(instance: Postgres) -> Iterator[str]:
    """The address of an empty PostgreSQL database."""
    name = instance.create()
    yield instance.url(name)
    instance.drop(name)


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database of either kind."""
    if request.param == "sqlite":
        return sqlite_url(tmp_path)
    found = request.getfixturevalue("database")
    assert isinstance(found, str)
    return found


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start servers that end with the test."""
    with ExitStack() as stack:

        def started(database: str | None = None, *options: str, ready: bool = True) -> Server:
            one = stack.enter_context(Server(tmp_path, database or sqlite_url(tmp_path), *options))
            return one.start() if ready else one.launch()

        yield started
