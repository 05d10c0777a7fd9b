"""The schema's migrations, by Alembic. A server applies them when it starts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

from ninefold.core.errors import NinefoldError

LOCK = 0x9F01D  # any number, the same for all processes
HEAD = "0004"  # the newest revision
VERSIONS = Path(__file__).parent / "versions"


def upgrade(engine: sa.Engine, revision: str = HEAD, versions: Path = VERSIONS) -> None:
    """Upgrade the schema to the newest revision in a folder of migrations, completely or not at all.

    Processes that start together wait for each other. Raises NinefoldError if the database is newer
    than this program.
    """
    with engine.connect() as connection:
        found = revision_of(connection)
    if found == revision:
        return  # most starts need no upgrade, and Alembic is slow to import
    check_revision(found, revision)

    from alembic import command
    from alembic.config import Config

    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent))
    settings.set_main_option("version_locations", str(versions))
    settings.set_main_option("path_separator", "os")
    with _in_one_transaction(engine) as connection:
        settings.attributes["connection"] = connection
        command.upgrade(settings, revision)


def check_revision(found: str | None, newest: str = HEAD) -> None:
    """Raise NinefoldError if a database is newer than this program."""
    if found is not None and found > newest:
        raise NinefoldError(
            f"This database is newer than this program: it has schema {found}, and this program"
            f" knows {newest}. Install a newer Ninefold, or go back to a backup."
        )


@contextmanager
def _in_one_transaction(engine: sa.Engine) -> Iterator[sa.Connection]:
    """A connection whose statements are all rolled back if the process dies before the end."""
    if engine.dialect.name == "postgresql":
        with engine.begin() as connection:  # the lock ends with the transaction
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
            yield connection
        return
    # Python's sqlite3 opens no transaction for CREATE TABLE and the like, so we open our own.
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        try:
            yield connection
        except BaseException:
            connection.exec_driver_sql("ROLLBACK")
            raise
        connection.exec_driver_sql("COMMIT")


def revision_of(connection: sa.Connection) -> str | None:
    """The schema's revision; None if there is no schema yet."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(sa.text("SELECT version_num FROM alembic_version"))
    return found.scalar_one_or_none()
