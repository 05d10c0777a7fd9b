"""The schema: from nothing, from the revision before with its data, and by several at once."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from ninefold import SEATS, NinefoldError, Reason
from ninefold.match import Match
from ninefold.store import migrations, queries
from ninefold.store.database import Database
from ninefold.store.migrations import HEAD, upgrade
from ninefold.store.schema import metadata
from ninefold.web.actions import matches, play, proposals, tokens

FIRST, SECOND = SEATS
PATIENCE = 20.0
REVISIONS = ["0001", "0002", "0003", "0004", "0005"]


@pytest.fixture
def engine(address: str) -> Iterator[sa.Engine]:
    found = Database(address).engine
    yield found
    found.dispose()


def revision(engine: sa.Engine) -> Any:
    with engine.connect() as connection:
        return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar_one()


def test_the_head_is_the_newest_revision() -> None:
    scripts = ScriptDirectory(str(Path(migrations.__file__).parent))
    assert scripts.get_heads() == [HEAD]
    assert [script.revision for script in scripts.walk_revisions()] == REVISIONS[::-1]


def test_from_nothing_to_what_the_program_expects(engine: sa.Engine) -> None:
    upgrade(engine)
    assert revision(engine) == HEAD
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        assert compare_metadata(context, metadata) == []
    upgrade(engine)  # once more is no matter
    assert revision(engine) == HEAD


def rows() -> dict[str, list[dict[str, Any]]]:
    """Matches as revision 0001 kept them: one waiting, one in play with a secret, one given up,
    one with a computer, and one that ended under a ruling which has changed since."""
    seats = [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Bob"}]
    common: dict[str, Any] = {
        "hints": True,
        "listed": False,
        "started": "2025-01-01T12:00:00+00:00",
        "result": None,
        "first_hash": tokens.token_hash("ada"),
        "second_hash": tokens.token_hash("bob"),
        "seats": json.dumps(seats),
        "touched": 1e9,
    }

    def row(id: str, game: str, setup: dict[str, Any], **more: Any) -> dict[str, Any]:
        asked = json.dumps({"setup": setup, **more.pop("asked", {})})
        return {**common, "id": id, "game": game, "setup": json.dumps(setup), "asked": asked, **more}

    def move(id: str, place: int, seat: int, text: str) -> dict[str, Any]:
        return {"match_id": id, "place": place, "seat": seat, "move": text, "at": common["started"]}

    bidding = ["claim:1", "claim:2", "challenge:2", "bid:4"]
    ended = ["claim:1", "claim:2", "claim:3", "claim:4", "challenge:2", "bid:1", "bid:5"]
    open_seat = json.dumps([seats[0], {"kind": "open", "name": "Player 2"}])
    waiting: dict[str, Any] = {"status": "waiting", "version": 0, "seats": open_seat}
    waiting |= {"second_hash": None, "listed": True}
    over: dict[str, Any] = {"status": "over", "version": 2, "asked": {"rematch": "second"}}
    over |= {"result": json.dumps({"winner": 1, "reason": "resigned"})}
    against = json.dumps([seats[0], {"kind": "level:3", "name": "Computer"}])
    return {
        "matches": [
            row("waiting", "shadow", {"target": 13}, **waiting),
            row("bidding", "conquest", {"size": 2}, status="playing", version=4),
            row("over", "battle", {"grid": "792415863"}, **over),
            row("computer", "cross", {"grid": "792415863"}, status="playing", version=1, seats=against),
            row("ended", "conquest", {"size": 2}, status="over", version=8),
        ],
        "moves": [
            *(move("bidding", place, seat, bidding[place]) for place, seat in enumerate((0, 1, 0, 0))),
            *(move("ended", k, seat, ended[k]) for k, seat in enumerate((0, 1, 0, 1, 0, 0, 1))),
            move("over", 0, 0, "0,0"),
            move("computer", 0, 0, "Row2"),
        ],
        "events": [
            *({"match_id": "bidding", "number": n, "data": f'{{"number": {n}}}'} for n in (1, 2, 3, 4)),
            *({"match_id": "over", "number": n, "data": f'{{"number": {n}}}'} for n in (1, 2)),
            {"match_id": "computer", "number": 1, "data": '{"number": 1}'},
        ],
    }


def fill(engine: sa.Engine) -> None:
    found = sa.MetaData()
    found.reflect(engine)
    with engine.begin() as connection:
        for name, content in rows().items():
            connection.execute(sa.insert(found.tables[name]), content)


def test_everything_kept_by_the_first_revision_is_still_there(engine: sa.Engine, address: str) -> None:
    upgrade(engine, "0001")
    assert revision(engine) == "0001"
    fill(engine)
    database = Database(address)
    database.open()
    assert revision(engine) == HEAD
    try:
        waiting, bidding, over, computer, ended = (
            database.read(partial(database.load, id)).result(PATIENCE)
            for id in ("waiting", "bidding", "over", "computer", "ended")
        )
        assert dict(waiting.match.state.setup) == {"target": 13}
        assert (waiting.kinds, waiting.listed, waiting.status) == (("person", "open"), True, "waiting")
        assert str(bidding.match.played[-1].move) == "bid:4"
        assert tokens.find_seat(bidding, "ada") == FIRST
        assert over.match.outcome is not None
        assert (over.match.outcome.winner, over.match.outcome.reason) == (SECOND, Reason.RESIGNED)
        assert over.rematch == SECOND
        assert computer.kinds[1] == "level:3"
        assert ended.match.outcome is not None
        assert (ended.match.outcome.winner, ended.match.outcome.reason) == (FIRST, Reason.UNUSED)
        assert Match.of(ended.match.record(None)).outcome == ended.match.outcome
        for id, count in (("bidding", 4), ("over", 2), ("waiting", 0)):
            events = database.read(partial(queries.events_after, id, 0)).result(PATIENCE)
            assert [event.number for event in events] == list(range(1, count + 1))

        # And it goes on.
        join = partial(matches.join, id="waiting", name="Bob")
        assert database.run(join).result(PATIENCE)[0][0].status == "playing"
        bid = partial(play.move, id="bidding", token="bob", text="bid:2", ply=3)
        assert database.run(bid).result(PATIENCE)[0][0].match.ply == 5
        again = partial(proposals.rematch, id="over", token="ada", action="accept")
        assert database.run(again).result(PATIENCE)[0].next
    finally:
        database.close()


def test_a_computers_turn_of_before_is_not_forgotten(engine: sa.Engine, address: str) -> None:
    """Revision 0002 knows whose turn is a computer's by a mark; the old rows have none."""
    upgrade(engine, "0001")
    fill(engine)
    upgrade(engine)
    with engine.connect() as connection:
        due = connection.execute(sa.text("SELECT id FROM matches WHERE due")).scalars().all()
    assert "computer" in due
    assert "over" not in due
    assert "waiting" not in due


def test_removing_a_match_removes_all_of_it(engine: sa.Engine) -> None:
    upgrade(engine)
    found = sa.MetaData()
    found.reflect(engine)
    content = rows()
    with engine.begin() as connection:
        for name, some in content.items():
            more = {"due": False} if name == "matches" else {}
            connection.execute(sa.insert(found.tables[name]), [{**row, **more} for row in some])
    with engine.begin() as connection:
        connection.execute(sa.text("DELETE FROM matches"))
        for name in ("moves", "events"):
            assert connection.execute(sa.text(f"SELECT count(*) FROM {name}")).scalar() == 0


def test_several_that_start_together_wait_for_each_other(address: str) -> None:
    databases = [Database(address) for _ in range(4 if address.startswith("postgresql") else 1)]
    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(database.open) for database in databases]:
            done.result(PATIENCE)
    for database in databases:
        assert revision(database.engine) == HEAD
        database.close()


def test_a_newer_schema_is_not_touched(engine: sa.Engine) -> None:
    """A program that is older than its database says so, and changes nothing."""
    upgrade(engine)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(NinefoldError, match="newer than this program: it has schema 9999"):
        upgrade(engine)
    assert revision(engine) == "9999"


# From the first revision on, it passes through all the others.
@pytest.mark.parametrize(
    "before",
    [
        *("", REVISIONS[0], REVISIONS[-2]),
        *(pytest.param(revision, marks=pytest.mark.long) for revision in REVISIONS[1:-2]),
    ],
)
def test_an_upgrade_killed_at_any_statement_is_done_by_the_next_start(
    tmp_path: Path, before: str
) -> None:
    words = [sys.executable, "-m", "tests.store.kill_migrations", str(tmp_path), before]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 8, "statements at which it was killed"
