"""Store who made a match, as a short hash of an address, to limit how many one client can have."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("matches", sa.Column("maker", sa.Text))
    unfinished = sa.text("status <> 'over'")
    op.create_index(
        "matches_by_maker",
        "matches",
        ["maker"],
        sqlite_where=unfinished,
        postgresql_where=unfinished,
    )


def downgrade() -> None:
    op.drop_index("matches_by_maker", "matches")
    op.drop_column("matches", "maker")
