"""Which matches wait for a computer's move, so that they go on after a restart."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("matches", sa.Column("due", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_index("matches_due", "matches", ["due"])


def downgrade() -> None:
    op.drop_index("matches_due", "matches")
    op.drop_column("matches", "due")
