"""No index has the time of the last move, so that a move need not change one."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    for name in ("matches_by_status", "matches_listed"):
        op.drop_index(name, "matches")
    op.create_index("matches_by_status", "matches", ["status"])
    sqlite, postgresql = sa.text("listed = 1"), sa.text("listed")
    op.create_index(
        "matches_listed", "matches", ["status"], sqlite_where=sqlite, postgresql_where=postgresql
    )
