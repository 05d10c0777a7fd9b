from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.postgres import RUN, Postgres, postgres


@pytest.fixture(scope="session")
def instance() -> Iterator[Postgres]:
    """PostgreSQL, shared by the processes of one test run."""
    with postgres(RUN) as it:
        yield it


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'server.db'}"
        return
    instance = request.getfixturevalue("instance")
    name = instance.create()
    yield instance.url(name)
    instance.drop(name)
