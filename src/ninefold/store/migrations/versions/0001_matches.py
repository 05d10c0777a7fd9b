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
        sa.Column("asked", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("touched", sa.Float, nullable=False),
    )
    op.create_index("matches_by_status", "matches", ["status", "touched"])
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


def downgrade() -> None:
    for table in ("events", "moves", "matches"):
        op.drop_table(table)
