"""Copies of a SQLite database: made while it is in use, read back, and put in its place again."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa

from ninefold.core.errors import NinefoldError
from ninefold.store.migrations import HEAD, check_revision, revision_of
from ninefold.store.private import COMPANIONS, hold
from ninefold.store.rooms import Unreadable, load_match
from ninefold.store.schema import events, matches, moves


@dataclass(frozen=True, slots=True)
class Contents:
    """What is in a database."""

    revision: str
    matches: Counter[str]  # by status
    games: Counter[str]
    moves: int
    events: int
    damaged: tuple[str, ...] = ()  # the matches that cannot be read, if that was looked into


def back_up(source: Path, target: Path) -> Contents:
    """Copy a database that may be in use, and read the copy back. Raises NinefoldError.

    There is nothing at the target until the copy is whole and on disk.
    """
    if not source.exists():
        raise NinefoldError(f"There is no database {source}.")
    if target.exists():
        raise NinefoldError(f"{target} is there already. Choose another name.")
    beside = target.with_name(target.name + ".part")
    try:
        os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as error:
        raise NinefoldError(f"{beside} cannot be made: {error.strerror}.") from None
    try:
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(beside)) as new:
            old.backup(new)
        contents = verify(beside)
        _flush(beside)
        os.link(beside, target)  # unlike a rename, it replaces nothing
    except sqlite3.Error as error:
        raise NinefoldError(f"The copy cannot be made: {error}.") from None
    except OSError as error:
        raise NinefoldError(f"The copy cannot be made: {error.strerror}.") from None
    finally:
        for suffix in COMPANIONS:
            with suppress(FileNotFoundError):
                beside.with_name(beside.name + suffix).unlink()
    return contents


def restore(source: Path, target: Path) -> tuple[Contents, Path | None]:
    """Put a copy in the place of a database that no server uses. Raises NinefoldError.

    A torn copy, or one of a newer program, is refused and nothing is changed. What was there before, if
    anything, is kept beside it, with the files that belong to it and would spoil the copy: that is where.
    """
    if not source.exists():
        raise NinefoldError(f"There is no file {source}.")
    if target.exists() and source.samefile(target):
        raise NinefoldError("That is the database itself.")
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    held = hold(target)
    try:
        beside = target.with_name(target.name + ".part")
        try:
            for suffix in ("", "-wal"):  # a copy of the plain files may have its latest part beside it
                with suppress(FileNotFoundError):
                    copy = beside.with_name(beside.name + suffix)
                    shutil.copyfile(source.with_name(source.name + suffix), copy)
                    copy.chmod(0o600)
            contents = verify(beside)
            _flush(beside)
            replaced = _set_aside(target)
            beside.replace(target)
            _flush(target.parent)
        finally:
            for suffix in COMPANIONS:
                with suppress(FileNotFoundError):
                    beside.with_name(beside.name + suffix).unlink()
    except OSError as error:
        raise NinefoldError(f"The copy cannot be put in place: {error.strerror}.") from None
    finally:
        if held is not None:
            os.close(held)
    return contents, replaced


def _set_aside(target: Path) -> Path | None:
    kept = target.with_name(f"{target.name}.replaced-{datetime.now(UTC):%Y%m%dT%H%M%S}")
    for suffix in reversed(COMPANIONS):  # the database last: its companions mean nothing without it
        with suppress(FileNotFoundError):
            target.with_name(target.name + suffix).rename(kept.with_name(kept.name + suffix))
    return kept if kept.exists() else None


def verify(path: Path) -> Contents:
    """What is in a copy that nobody else uses, every match of it read. Raises NinefoldError.

    A match may have been damaged before; that the file is whole is what counts here.
    """
    try:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")  # what is beside it goes into it
            (found,) = connection.execute("PRAGMA integrity_check").fetchone()
            loose = connection.execute("PRAGMA foreign_key_check").fetchone()
    except sqlite3.DatabaseError:
        raise NinefoldError("This file is torn, or is no database at all.") from None
    if found != "ok" or loose is not None:
        raise NinefoldError("This file is torn: what is in it does not fit together.")
    engine = sa.create_engine("sqlite://", creator=lambda: sqlite3.connect(path), poolclass=sa.NullPool)
    with engine.connect() as connection:
        return count(connection, read_all=True)


def count(connection: sa.Connection, *, read_all: bool = False) -> Contents:
    """What is in a database; if asked to, with the matches that cannot be read."""
    revision = revision_of(connection)
    if revision is None:
        raise NinefoldError("This database has never been used by Ninefold.")
    check_revision(revision)

    def by(column: sa.Column[str]) -> Counter[str]:
        found = connection.execute(sa.select(column, sa.func.count()).group_by(column))
        return Counter({str(value): number for value, number in found})

    def size(table: sa.Table) -> int:
        return int(connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())

    damaged = []
    if read_all and revision == HEAD:
        for id in connection.execute(sa.select(matches.c.id)).scalars().all():
            try:
                load_match(id, connection)
            except Unreadable:
                damaged.append(id)
    by_status, by_game = by(matches.c.status), by(matches.c.game)
    return Contents(revision, by_status, by_game, size(moves), size(events), tuple(damaged))


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
