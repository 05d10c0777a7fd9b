"""The schema: from nothing, to a revision that is made up here, and by several at once."""

from __future__ import annotations

import json
import shutil
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
from ninefold.match.kinds import Action, Offer
from ninefold.store.sql import migrations, queries
from ninefold.store.sql.database import Database
from ninefold.store.sql.migrations import HEAD, VERSIONS, upgrade
from ninefold.store.sql.schema import metadata
from ninefold.web.actions import matches, offers, play, tokens

FIRST, SECOND = SEATS
PATIENCE = 120.0
OLDEST = "0001"
NEXT = f"{int(HEAD) + 1:04}"  # a revision that is made up here: tables, indexes and rows change
MADE_UP = f"""
import sqlalchemy as sa
from alembic import op

revision = "{NEXT}"
down_revision = "{HEAD}"


def upgrade():
    op.add_column("matches", sa.Column("rounds", sa.Integer, nullable=False, server_default="1"))
    op.create_index("matches_by_rounds", "matches", ["rounds"])
    op.create_table("badges", sa.Column("id", sa.Text, primary_key=True))
    matches = sa.table("matches", sa.column("id"), sa.column("rounds"), sa.column("status"))
    connection = op.get_bind()
    for id in connection.execute(sa.select(matches.c.id)).scalars().all():
        connection.execute(sa.update(matches).where(matches.c.id == id).values(rounds=2))
    op.drop_index("matches_due", "matches")
"""


def make_up_next(folder: Path) -> Path:
    """A folder with our migrations and one more."""
    versions = folder / "versions"
    shutil.copytree(VERSIONS, versions, ignore=shutil.ignore_patterns("__pycache__"))
    (versions / f"{NEXT}_made_up.py").write_text(MADE_UP)
    return versions


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
    assert sorted(script.revision for script in scripts.walk_revisions())[-1] == HEAD


def test_from_nothing_to_what_the_program_expects(engine: sa.Engine) -> None:
    upgrade(engine)
    assert revision(engine) == HEAD
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        assert compare_metadata(context, metadata) == []
    upgrade(engine)  # once more is no matter
    assert revision(engine) == HEAD


def rows() -> dict[str, list[dict[str, Any]]]:
    """Matches as revision 0001 keeps them: one waiting, one in play with a secret, and one given up."""
    seats = [{"seat": 0, "kind": "person", "name": "Ada"}, {"seat": 1, "kind": "person", "name": "Bob"}]
    common: dict[str, Any] = {
        "hints": True,
        "listed": False,
        "started": "2025-01-01T12:00:00+00:00",
        "result": None,
        "first_hash": tokens.token_hash("ada"),
        "second_hash": tokens.token_hash("bob"),
        "seats": json.dumps(seats),
        "touched": 1e9,
        "due": False,
    }

    def row(id: str, game: str, setup: dict[str, Any], **more: Any) -> dict[str, Any]:
        rest = json.dumps({"setup": setup, **more.pop("rest", {})})
        return {**common, "id": id, "game": game, "setup": json.dumps(setup), "rest": rest, **more}

    def move(id: str, place: int, seat: int, text: str) -> dict[str, Any]:
        return {"match_id": id, "place": place, "seat": seat, "move": text, "at": common["started"]}

    bidding = ["claim:1", "claim:2", "challenge:2", "bid:4"]
    open_seat = json.dumps([seats[0], {"seat": 1, "kind": "open", "name": "Player 2"}])
    waiting: dict[str, Any] = {"status": "waiting", "version": 0, "seats": open_seat}
    waiting |= {"second_hash": None, "listed": True}
    over: dict[str, Any] = {"status": "over", "version": 2, "rest": {"offers": {"rematch": 1}}}
    over |= {"result": json.dumps({"winner": 1, "reason": "resigned"})}
    return {
        "matches": [
            row("waiting", "shadow", {"target": 13}, **waiting),
            row("bidding", "conquest", {"size": 2}, status="playing", version=4),
            row("over", "battle", {"grid": "792415863"}, **over),
        ],
        "moves": [
            *(move("bidding", place, seat, bidding[place]) for place, seat in enumerate((0, 1, 0, 0))),
            move("over", 0, 0, "0,0"),
        ],
        "events": [
            *({"match_id": "bidding", "number": n, "data": f'{{"number": {n}}}'} for n in (1, 2, 3, 4)),
            *({"match_id": "over", "number": n, "data": f'{{"number": {n}}}'} for n in (1, 2)),
        ],
    }


def fill(engine: sa.Engine) -> None:
    found = sa.MetaData()
    found.reflect(engine)
    with engine.begin() as connection:
        for name, content in rows().items():
            connection.execute(sa.insert(found.tables[name]), content)


def test_everything_in_the_rows_is_read_and_goes_on(engine: sa.Engine, address: str) -> None:
    upgrade(engine, OLDEST)
    fill(engine)
    database = Database(address)
    database.open()
    try:
        waiting, bidding, over = (
            database.read(partial(database.load, id)).result(PATIENCE)
            for id in ("waiting", "bidding", "over")
        )
        assert dict(waiting.match.state.setup) == {"target": 13}
        assert (waiting.kinds, waiting.listed, waiting.status) == (("person", "open"), True, "waiting")
        assert str(bidding.match.played[-1].move) == "bid:4"
        assert tokens.find_seat(bidding, "ada") == FIRST
        assert not bidding.match.coach  # nobody had one then
        assert over.match.outcome is not None
        assert (over.match.outcome.winner, over.match.outcome.reason) == (SECOND, Reason.RESIGNED)
        assert over.offers == {Offer.REMATCH: SECOND}
        for id, count in (("bidding", 4), ("over", 2), ("waiting", 0)):
            events = database.read(partial(queries.events_after, id, 0)).result(PATIENCE)
            assert [event.number for event in events] == list(range(1, count + 1))

        # And it goes on.
        join = partial(matches.join, id="waiting", name="Bob")
        assert database.run(join).result(PATIENCE)[0][0].status == "playing"
        bid = partial(play.move, id="bidding", token="bob", text="bid:2", ply=3)
        assert database.run(bid).result(PATIENCE)[0][0].match.ply == 5
        again = partial(offers.rematch, id="over", token="ada", action=Action.ACCEPT)
        assert database.run(again).result(PATIENCE)[0].next
    finally:
        database.close()


def test_the_next_revision_keeps_every_row(engine: sa.Engine, tmp_path: Path) -> None:
    upgrade(engine, OLDEST)
    fill(engine)
    upgrade(engine, NEXT, make_up_next(tmp_path))
    assert revision(engine) == NEXT
    with engine.connect() as connection:
        for name, content in rows().items():
            assert connection.execute(sa.text(f"SELECT count(*) FROM {name}")).scalar() == len(content)
        assert set(connection.execute(sa.text("SELECT rounds FROM matches")).scalars()) == {2}


def test_removing_a_match_removes_all_of_it(engine: sa.Engine) -> None:
    upgrade(engine, OLDEST)
    fill(engine)
    upgrade(engine)
    with engine.begin() as connection:
        connection.execute(sa.text("DELETE FROM matches"))
        for name in ("moves", "events"):
            assert connection.execute(sa.text(f"SELECT count(*) FROM {name}")).scalar() == 0


@pytest.mark.parametrize("before", ["", OLDEST], ids=["nothing", "oldest"])
def test_several_that_start_together_wait_for_each_other(
    engine: sa.Engine, address: str, tmp_path: Path, before: str
) -> None:
    versions = make_up_next(tmp_path)
    if before:
        upgrade(engine, before)
        fill(engine)
    several = [Database(address).engine for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(upgrade, one, NEXT, versions) for one in several]:
            done.result(PATIENCE)
    for one in several:
        assert revision(one) == NEXT
        one.dispose()


def test_a_newer_schema_is_not_touched(engine: sa.Engine) -> None:
    """A program that is older than its database says so, and changes nothing."""
    upgrade(engine)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(NinefoldError, match="newer than this program: it has schema 9999"):
        upgrade(engine)
    assert revision(engine) == "9999"


@pytest.mark.parametrize("before", ["", OLDEST], ids=["nothing", "oldest"])
def test_an_upgrade_killed_at_any_statement_is_done_by_the_next_start(
    tmp_path: Path, before: str
) -> None:
    words = [sys.executable, "-m", "tests.store.kill_migrations", str(tmp_path), before]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 8, "statements at which it was killed"
