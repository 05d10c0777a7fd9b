"""Checks whether a server could use a database, without changing it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa

from ninefold.core.errors import NinefoldError
from ninefold.store.sql.database import FREE_DISK, Database
from ninefold.store.sql.migrations import HEAD, check_revision, revision_of
from ninefold.store.sql.outage import reason


@contextmanager
def connect(database: Database) -> Iterator[sa.Connection]:
    """A connection to an existing database. Raises NinefoldError, a sentence, if it cannot be used."""
    database.check_exists()
    try:
        with database.engine.connect() as connection:
            yield connection
    except sa.exc.SQLAlchemyError as error:
        why = reason(error) or type(error).__name__
        raise NinefoldError(f"The database cannot be used: {why}.") from None
    finally:
        database.engine.dispose()


def check_usable(database: Database) -> list[str]:
    """Check an existing database, and say what is fine. Raises NinefoldError if something is not."""
    with connect(database) as connection:
        revision = revision_of(connection)
        if not database.shared:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        elif connection.execute(sa.text("SHOW transaction_read_only")).scalar() == "on":
            raise NinefoldError("The database cannot be used: it is read-only.")
        connection.rollback()
    check_revision(revision)
    found = [
        f"The database {database.url.render_as_string()} is writable.",
        _say_schema(revision),
    ]
    free = database.free_disk()
    if free is not None:
        if free < FREE_DISK:
            raise NinefoldError("The disk is full.")
        found.append(f"There are {free // 1_000_000:,} MB free on its disk.")
    return found


def _say_schema(revision: str | None) -> str:
    if revision is None:
        return "It is empty. The first start creates its schema."
    if revision != HEAD:
        return f"Its schema is {revision}, and the next start upgrades it to {HEAD}."
    return f"Its schema is {HEAD}, the newest."
