"""The tables of a server's database. `migrations` upgrades an older database to them."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()
matches = sa.Table(
    "matches",
    metadata,
    # What moves and events refer to. New matches have the highest, so what is in play is close together.
    sa.Column("serial", sa.Integer, primary_key=True),
    sa.Column("id", sa.Text, nullable=False, unique=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("setup", sa.Text, nullable=False),
    sa.Column("seats", sa.Text, nullable=False),  # JSON, Player 1 and Player 2: seat, kind and name
    sa.Column("first_hash", sa.Text),
    sa.Column("second_hash", sa.Text),
    sa.Column("hints", sa.Boolean, nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),
    sa.Column("started", sa.Text, nullable=False),
    sa.Column("status", sa.Text, nullable=False),  # a Status
    sa.Column("result", sa.Text),  # JSON, for an ending that does not follow from the moves
    sa.Column("rest", sa.Text, nullable=False),  # JSON: what has no column of its own, see rooms.py
    sa.Column("version", sa.Integer, nullable=False),  # the number of the last event
    sa.Column("touched", sa.Float, nullable=False),  # seconds since the epoch
    sa.Column("due", sa.Boolean, nullable=False),  # a computer has to move
    sa.Column("maker", sa.Text),  # a short hash of its maker's address
    sa.Column("clock", sa.Integer),  # seconds per move
    sa.Column("deadline", sa.Float),  # when the move is due, in seconds since the epoch
    # A move changes no column of an index, unless there is a clock or a computer: each would cost a page.
    sa.Index("matches_by_status", "status"),
    sa.Index(
        "matches_by_deadline",
        "deadline",
        sqlite_where=sa.text("deadline IS NOT NULL"),
        postgresql_where=sa.text("deadline IS NOT NULL"),
    ),
    sa.Index(
        "matches_by_maker",
        "maker",
        sqlite_where=sa.text("status <> 'over'"),
        postgresql_where=sa.text("status <> 'over'"),
    ),
    sa.Index("matches_due", "due"),
    sa.Index("matches_by_first", "first_hash"),
    sa.Index("matches_by_second", "second_hash"),
    sa.Index(
        "matches_listed",
        "status",
        sqlite_where=sa.text("listed = 1"),
        postgresql_where=sa.text("listed"),
    ),
)


def serial_of(id: str | sa.ColumnElement[str]) -> sa.ScalarSelect[int]:
    """The serial of the match with an id."""
    return sa.select(matches.c.serial).where(matches.c.id == id).scalar_subquery()


def _refer_to_match() -> sa.Column[int]:
    matches_serial = sa.ForeignKey("matches.serial", ondelete="CASCADE")
    return sa.Column("match_serial", sa.Integer, matches_serial, primary_key=True, autoincrement=False)


moves = sa.Table(
    "moves",
    metadata,
    _refer_to_match(),
    sa.Column("place", sa.Integer, primary_key=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("move", sa.Text, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
)
events = sa.Table(
    "events",
    metadata,
    _refer_to_match(),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("data", sa.Text, nullable=False),  # JSON that every viewer may see
)
server = sa.Table(
    "server",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
