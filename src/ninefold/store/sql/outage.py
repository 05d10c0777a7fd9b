"""Why the database is unavailable for now, in words that hold no secrets."""

from __future__ import annotations

import sqlite3

import sqlalchemy as sa

from ninefold.store.sql.transactions import Conflict

SQLITE = {
    sqlite3.SQLITE_BUSY: "another process holds it locked",
    sqlite3.SQLITE_CANTOPEN: "its file cannot be opened",
    sqlite3.SQLITE_CORRUPT: "its file is damaged",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk has errors",
    sqlite3.SQLITE_LOCKED: "another process holds it locked",
    sqlite3.SQLITE_NOTADB: "its file is not a database",
    sqlite3.SQLITE_PERM: "its file may not be opened",
    sqlite3.SQLITE_READONLY: "its file is read-only",
}

# By the beginning of the SQLSTATE; the first that fits counts.
POSTGRESQL = {
    "08": "it does not answer",
    "25006": "it is read-only",
    "40": "there are too many changes at once",
    "53100": "its disk is full",
    "53200": "it is out of memory",
    "53300": "it has too many connections",
    "53": "it is out of resources",
    "55P03": "another process holds a lock",
    "57014": "a statement takes too long",
    "57P": "it is stopping or starting",
    "58": "its disk has errors",
}


# By what PostgreSQL says when it refuses a connection, where there is no SQLSTATE.
CONNECTING = {
    "too many": "it has too many connections",
    "authentication failed": "it refuses the password",
    "does not exist": "it does not exist, or its user does not",
}


class Unavailable(Exception):
    """The database is unavailable for now. The request can be retried."""


def reason(error: Exception) -> str | None:
    """Why the database is unavailable; None if the error means something else."""
    if isinstance(error, sa.exc.TimeoutError):
        return "all connections are in use"
    original = getattr(error, "orig", error)  # or the driver's own
    if isinstance(original, sqlite3.Error):
        return SQLITE.get(getattr(original, "sqlite_errorcode", 0) & 0xFF)
    if not isinstance(error, sa.exc.DBAPIError):
        return None
    state = getattr(original, "sqlstate", None)
    if state is None:  # the server was never reached
        lost = error.connection_invalidated or isinstance(error, sa.exc.OperationalError)
        said = str(original)
        for text, why in CONNECTING.items():
            if text in said:
                return why
        return POSTGRESQL["08"] if lost else None
    return next((why for begin, why in POSTGRESQL.items() if state.startswith(begin)), None)


def is_conflict(error: Exception) -> bool:
    """Whether other processes were in the way, so that a retry may succeed."""
    state = getattr(getattr(error, "orig", None), "sqlstate", None)
    return isinstance(error, Conflict) or state in ("40001", "40P01")


def translate(error: Exception) -> Exception:
    """Turn an outage into Unavailable with the reason; other errors are returned as they are."""
    why = reason(error)
    if why is None:
        return error
    found = Unavailable(f"The database is not available: {why}.")
    found.__cause__ = error
    return found
