"""Store how long a move may take, and when the current one is due."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("matches", sa.Column("clock", sa.Integer))
    op.add_column("matches", sa.Column("deadline", sa.Float))
    running = sa.text("deadline IS NOT NULL")
    op.create_index(
        "matches_by_deadline", "matches", ["deadline"], sqlite_where=running, postgresql_where=running
    )


def downgrade() -> None:
    op.drop_index("matches_by_deadline", "matches")
    op.drop_column("matches", "deadline")
    op.drop_column("matches", "clock")
