"""Backups of a SQLite database: made while it is in use, verified, and restored."""

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
from ninefold.store.sql.migrations import HEAD, check_revision, revision_of
from ninefold.store.sql.rooms import Unreadable, load_match
from ninefold.store.sql.schema import events, matches, moves
from ninefold.store.sql.sqlite_files import SUFFIXES, lock_file


@dataclass(frozen=True, slots=True)
class Contents:
    """What is in a database."""

    revision: str
    matches: Counter[str]  # by status
    games: Counter[str]
    moves: int
    events: int
    damaged: tuple[str, ...] = ()  # the ids of unreadable matches; empty unless all were read


def back_up(source: Path, target: Path) -> Contents:
    """Copy a database that may be in use, and verify the copy. Raises NinefoldError.

    The target appears only when the copy is complete and on disk.
    """
    if not source.exists():
        raise NinefoldError(f"There is no database {source}.")
    if target.exists():
        raise NinefoldError(f"{target} already exists. Choose another name.")
    part = target.with_name(target.name + ".part")
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as error:
        raise NinefoldError(f"{part} cannot be created: {error.strerror}.") from None
    try:
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(part)) as new:
            old.backup(new)
        contents = verify(part)
        _flush(part)
        os.link(part, target)  # unlike a rename, this never replaces a file
    except sqlite3.Error as error:
        raise NinefoldError(f"The backup failed: {error}.") from None
    except OSError as error:
        raise NinefoldError(f"The backup failed: {error.strerror}.") from None
    finally:
        for suffix in SUFFIXES:
            with suppress(FileNotFoundError):
                part.with_name(part.name + suffix).unlink()
    return contents


def restore(source: Path, target: Path) -> tuple[Contents, Path | None]:
    """Replace a database that no server uses with a backup. Raises NinefoldError.

    A torn backup, or one made by a newer program, is refused and nothing changes. The old database, if
    there is one, is kept beside the new one, together with its `-wal` and `-shm` files, which would
    corrupt the restored one. The new one gets its owner and mode. Returns what was restored, and the path
    of the old database.
    """
    if not source.exists():
        raise NinefoldError(f"There is no file {source}.")
    if target.exists() and source.samefile(target):
        raise NinefoldError("That is the database itself.")
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    model = target.stat() if target.exists() else target.parent.stat()
    lock = lock_file(target)
    try:
        if lock is not None:
            os.chown(lock, model.st_uid, model.st_gid)  # or else its owner could not start the server
        part = target.with_name(target.name + ".part")
        try:
            # If the backup is a plain copy of the files, its -wal file holds the latest changes.
            for suffix in ("", "-wal"):
                with suppress(FileNotFoundError):
                    copy = part.with_name(part.name + suffix)
                    shutil.copyfile(source.with_name(source.name + suffix), copy)
                    copy.chmod(model.st_mode & 0o777 if target.exists() else 0o600)
                    os.chown(copy, model.st_uid, model.st_gid)
            contents = verify(part)
            _flush(part)
            replaced = _set_aside(target)
            part.replace(target)
            _flush(target.parent)
        finally:
            for suffix in SUFFIXES:
                with suppress(FileNotFoundError):
                    part.with_name(part.name + suffix).unlink()
    except OSError as error:
        raise NinefoldError(f"The backup cannot be restored: {error.strerror}.") from None
    finally:
        if lock is not None:
            os.close(lock)
    return contents, replaced


def _set_aside(target: Path) -> Path | None:
    kept = target.with_name(f"{target.name}.replaced-{datetime.now(UTC):%Y%m%dT%H%M%S}")
    for suffix in reversed(SUFFIXES):  # the database last: the other files mean nothing without it
        with suppress(FileNotFoundError):
            target.with_name(target.name + suffix).rename(kept.with_name(kept.name + suffix))
    return kept if kept.exists() else None


def verify(path: Path) -> Contents:
    """Read every match of a copy that nobody else uses. Raises NinefoldError if the file is torn.

    A match may have been damaged before the copy was made; those are counted, not refused.
    """
    try:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")  # merges the -wal file into the database
            (found,) = connection.execute("PRAGMA integrity_check").fetchone()
            orphan = connection.execute("PRAGMA foreign_key_check").fetchone()
    except sqlite3.DatabaseError:
        raise NinefoldError("This file is damaged, or is not a database.") from None
    if found != "ok" or orphan is not None:
        raise NinefoldError("This file is damaged: its contents do not fit together.")
    engine = sa.create_engine("sqlite://", creator=lambda: sqlite3.connect(path), poolclass=sa.NullPool)
    with engine.connect() as connection:
        return count_contents(connection, read_all=True)


def count_contents(connection: sa.Connection, *, read_all: bool = False) -> Contents:
    """Count what is in a database. With `read_all`, find the unreadable matches, too."""
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
