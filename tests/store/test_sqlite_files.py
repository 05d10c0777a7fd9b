"""The database is for its owner alone, and so is a folder that is made for it."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ninefold.store.sql.database import Database
from ninefold.store.sql.sqlite_files import lock_file


@pytest.fixture(autouse=True)
def _generous_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o7777


def opened(path: Path) -> Database:
    database = Database(f"sqlite:///{path}")
    database.open()
    return database


def test_a_new_database_and_its_folders_are_for_the_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "one" / "two" / "server.db"
    database = opened(path)
    kept = sorted(path.parent.iterdir())
    assert [one.name for one in kept] == ["server.db", "server.db-shm", "server.db-wal"]
    assert {mode(one) for one in kept} == {0o600}
    assert mode(tmp_path / "one") == mode(tmp_path / "one" / "two") == 0o700
    database.close()


def test_a_database_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    path = tmp_path / "server.db"
    first = opened(path)  # stays open, so that all files are there
    for one in tmp_path.iterdir():
        one.chmod(0o644)
    opened(path).close()
    assert {mode(one) for one in tmp_path.iterdir()} == {0o600}
    first.close()


def test_a_folder_that_is_there_is_not_changed_but_warned_about(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for bits, warned in ((0o755, False), (0o777, True), (0o1777, False)):
        folder = tmp_path / f"{bits:o}"
        folder.mkdir()
        folder.chmod(bits)
        caplog.clear()
        with caplog.at_level(logging.WARNING, "ninefold.store"):
            opened(folder / "server.db").close()
        assert mode(folder) == bits
        assert [str(folder) in one.getMessage() for one in caplog.records] == [True] * warned


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(Exception, match="unable to open"):
        opened(tmp_path / "server.db")


def test_a_server_makes_the_folder_of_its_database(tmp_path: Path) -> None:
    held = lock_file(tmp_path / "new" / "folder" / "server.db")
    assert held is not None
    os.close(held)
    assert (tmp_path / "new" / "folder").stat().st_mode & 0o777 == 0o700
