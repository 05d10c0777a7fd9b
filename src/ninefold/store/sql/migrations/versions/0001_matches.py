"""Matches, their moves and their events."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "matches",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("setup", sa.Text, nullable=False),
        sa.Column("seats", sa.Text, nullable=False),
        sa.Column("first_hash", sa.Text),
        sa.Column("second_hash", sa.Text),
        sa.Column("hints", sa.Boolean, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("started", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("result", sa.Text),
        sa.Column("rest", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("touched", sa.Float, nullable=False),
        sa.Column("due", sa.Boolean, nullable=False),
        sa.Column("maker", sa.Text),
        sa.Column("clock", sa.Integer),
        sa.Column("deadline", sa.Float),
    )
    op.create_index("matches_by_status", "matches", ["status", "touched"])
    op.create_index("matches_due", "matches", ["due"])
    op.create_index("matches_by_first", "matches", ["first_hash"])
    op.create_index("matches_by_second", "matches", ["second_hash"])
    running, unfinished = sa.text("deadline IS NOT NULL"), sa.text("status <> 'over'")
    _create_partial_index("matches_by_deadline", ["deadline"], running, running)
    _create_partial_index("matches_by_maker", ["maker"], unfinished, unfinished)
    _create_partial_index(
        "matches_listed", ["status", "touched"], sa.text("listed = 1"), sa.text("listed")
    )
    match_id = sa.Column(
        "match_id", sa.Text, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True
    )
    op.create_table(
        "moves",
        match_id._copy(),
        sa.Column("place", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("move", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
    )
    op.create_table(
        "events",
        match_id._copy(),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("data", sa.Text, nullable=False),
    )


def _create_partial_index(
    name: str, columns: list[str], sqlite: sa.TextClause, postgresql: sa.TextClause
) -> None:
    op.create_index(name, "matches", columns, sqlite_where=sqlite, postgresql_where=postgresql)
