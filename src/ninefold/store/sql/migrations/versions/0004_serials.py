"""Moves and events refer to a match by a small number, so that what is in play is close together."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

INDEXES = (
    ("matches_by_status", "status", None, None),
    ("matches_by_deadline", "deadline", "deadline IS NOT NULL", "deadline IS NOT NULL"),
    ("matches_by_maker", "maker", "status <> 'over'", "status <> 'over'"),
    ("matches_due", "due", None, None),
    ("matches_by_first", "first_hash", None, None),
    ("matches_by_second", "second_hash", None, None),
    ("matches_listed", "status", "listed = 1", "listed"),
)


def upgrade() -> None:
    before = sa.Table("matches", sa.MetaData(), autoload_with=op.get_bind())
    described = [column._copy() for column in before.columns if column.name != "id"]
    for name, *_ in INDEXES:
        op.drop_index(name, "matches")
    for table in ("matches", "moves", "events"):
        op.rename_table(table, f"old_{table}")
    names = ", ".join(["id", *(column.name for column in described)])
    op.create_table(
        "matches",
        sa.Column("serial", sa.Integer, primary_key=True),
        sa.Column("id", sa.Text, nullable=False, unique=True),
        *described,
    )
    op.execute(f"INSERT INTO matches ({names}) SELECT {names} FROM old_matches ORDER BY started")
    _create_child(
        "moves",
        sa.Column("place", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("move", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
    )
    _create_child(
        "events",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("data", sa.Text, nullable=False),
    )
    op.drop_table("old_matches")
    for name, column, sqlite, postgresql in INDEXES:
        op.create_index(
            name,
            "matches",
            [column],
            sqlite_where=None if sqlite is None else sa.text(sqlite),
            postgresql_where=None if postgresql is None else sa.text(postgresql),
        )


def _create_child(table: str, *columns: sa.Column[Any]) -> None:
    matches_serial = sa.ForeignKey("matches.serial", ondelete="CASCADE")
    op.create_table(
        table,
        sa.Column("match_serial", sa.Integer, matches_serial, primary_key=True, autoincrement=False),
        *columns,
    )
    names = ", ".join(column.name for column in columns)
    op.execute(
        f"INSERT INTO {table} SELECT serial, {names} FROM old_{table} JOIN matches ON id = match_id"
    )
    op.drop_table(f"old_{table}")
