"""Indexes to find the matches of one browser by the hash of its token, and the public matches."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_index("matches_by_first", "matches", ["first_hash"])
    op.create_index("matches_by_second", "matches", ["second_hash"])
    op.create_index(
        "matches_listed",
        "matches",
        ["status", "touched"],
        sqlite_where=sa.text("listed = 1"),
        postgresql_where=sa.text("listed"),
    )


def downgrade() -> None:
    op.drop_index("matches_listed", "matches")
    op.drop_index("matches_by_second", "matches")
    op.drop_index("matches_by_first", "matches")
