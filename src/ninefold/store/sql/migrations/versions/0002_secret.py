"""A secret of the server, which the tokens of seats are made from."""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    server = op.create_table(
        "server",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.bulk_insert(server, [{"name": "secret", "value": secrets.token_urlsafe(32)}])
