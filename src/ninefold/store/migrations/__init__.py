"""The schema, step by step, by Alembic. Applied when a server starts."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

LOCK = 0x9F01D  # any number, the same for all processes


def config() -> Config:
    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent))
    settings.set_main_option("path_separator", "os")
    return settings


def upgrade(engine: sa.Engine, revision: str = "head") -> None:
    """Bring the schema to a revision. Processes that start together wait for each other."""
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(sa.text("SELECT pg_advisory_lock(:lock)"), {"lock": LOCK})
            connection.commit()
        try:
            settings = config()
            settings.attributes["connection"] = connection
            command.upgrade(settings, revision)
            connection.commit()
        finally:
            if engine.dialect.name == "postgresql":
                connection.execute(sa.text("SELECT pg_advisory_unlock(:lock)"), {"lock": LOCK})
                connection.commit()
