"""The schema, step by step, by Alembic. Applied when a server starts."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

LOCK = 0x9F01D  # any number, the same for all processes
HEAD = "0003"  # the newest revision


def upgrade(engine: sa.Engine, revision: str = HEAD) -> None:
    """Bring the schema to a revision. Processes that start together wait for each other."""
    if _revision(engine) == revision:
        return  # so a server that has nothing to do starts without Alembic

    from alembic import command
    from alembic.config import Config

    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent))
    settings.set_main_option("path_separator", "os")
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(sa.text("SELECT pg_advisory_lock(:lock)"), {"lock": LOCK})
            connection.commit()
        try:
            settings.attributes["connection"] = connection
            command.upgrade(settings, revision)
            connection.commit()
        finally:
            if engine.dialect.name == "postgresql":
                connection.execute(sa.text("SELECT pg_advisory_unlock(:lock)"), {"lock": LOCK})
                connection.commit()


def _revision(engine: sa.Engine) -> str | None:
    with engine.connect() as connection:
        if not sa.inspect(connection).has_table("alembic_version"):
            return None
        found = connection.execute(sa.text("SELECT version_num FROM alembic_version"))
        return found.scalar_one_or_none()
