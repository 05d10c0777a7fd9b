"""Store which matches wait for a computer's move, so that they continue after a restart.

An existing match counts as waiting if a computer plays in it at all; the server then checks whether it is
the computer's turn. Seats get numbers, so that a rematch can keep who is Player 1.
"""

import json

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

MATCHES = sa.table("matches", *map(sa.column, ("id", "seats", "status", "due")))


def upgrade() -> None:
    op.add_column("matches", sa.Column("due", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_index("matches_due", "matches", ["due"])
    connection = op.get_bind()
    for row in connection.execute(sa.select(MATCHES.c.id, MATCHES.c.seats, MATCHES.c.status)).all():
        seats = [{"seat": place, **seat} for place, seat in enumerate(json.loads(row.seats))]
        computers = any(seat["kind"] not in ("person", "open") for seat in seats)
        connection.execute(
            sa.update(MATCHES)
            .where(MATCHES.c.id == row.id)
            .values(seats=json.dumps(seats), due=computers and row.status == "playing")
        )


def downgrade() -> None:
    op.drop_index("matches_due", "matches")
    op.drop_column("matches", "due")
