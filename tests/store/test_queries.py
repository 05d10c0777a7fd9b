"""What the server looks up often takes no longer when there are many finished matches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from ninefold.store.sql import cleanup, queries
from ninefold.store.sql.database import Database
from tests.store.test_database import PATIENCE

HASHES = ["a" * 64, "b" * 64]
Work = Callable[[sa.Connection], Any]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(f"sqlite:///{tmp_path / 'server.db'}")
    opened.open()
    yield opened
    opened.close()


def explain(database: Database, work: Work) -> list[str]:
    """How SQLite would execute the statements of some work on the table of matches."""
    plans: list[str] = []

    def note(connection: sa.Connection, cursor: Any, statement: str, given: Any, *_: object) -> None:
        found = connection.connection.cursor().execute(f"EXPLAIN QUERY PLAN {statement}", given)
        plans.extend(row[3] for row in found.fetchall() if "matches" in row[3])

    sa.event.listen(database.engine, "before_cursor_execute", note)
    database.read(work).result(PATIENCE)
    sa.event.remove(database.engine, "before_cursor_execute", note)
    assert plans
    return plans


def test_nothing_looks_through_all_finished_matches(database: Database) -> None:
    find, held = database.find, queries.held_by
    lookups: list[tuple[str, Work]] = [
        ("_hash=?", partial(find, 60, held(HASHES, over=True))),
        ("_hash=?", partial(find, 60, held(HASHES, over=False))),
        ("matches_listed (status=?)", partial(find, 100, queries.OPEN_TO_ALL)),
        ("matches_listed (status=?)", partial(find, 20, queries.IN_PUBLIC)),
        ("matches_due (due=?)", partial(find, None, queries.DUE)),
        ("matches_by_deadline (deadline<?)", partial(queries.overdue, now=1.0)),
        ("matches_by_status (status=?)", queries.count_unfinished),
        ("matches_by_maker (maker=?)", partial(queries.count_unfinished, maker="a")),
        ("matches_by_status (status=?)", partial(cleanup.remove_idle, database)),
    ]
    for index, work in lookups:
        plans = explain(database, work)
        assert not [plan for plan in plans if plan.startswith("SCAN")], plans
        assert any(index in plan for plan in plans), plans
