"""A match whose rows are damaged hurts nobody but those who ask for it."""

from __future__ import annotations

from functools import partial

import sqlalchemy as sa

from ninefold import SEATS
from ninefold.store.sql import schema
from ninefold.store.sql.database import Database
from ninefold.web.actions import play
from tests.web.conftest import Start
from tests.web.support import API, OPEN, PATIENCE, Table, got, wait_for

FIRST, SECOND = SEATS
COLUMNS = ["game", "setup", "seats", "result", "rest", "status"]
NONSENSE = ["", "{", "null", "[]", '{"target": 99}', '[{"seat": 7}]', "\ufffd"]
NAME = "Quillon"  # of a player, which no log has to tell


def damage(address: str, table: sa.Table, id: str, **values: object) -> None:
    serial = schema.matches.c.serial if table is schema.matches else table.c.match_serial
    engine = Database(address).engine
    with engine.begin() as connection:
        assert connection.execute(
            sa.update(table).where(serial == schema.serial_of(id)).values(values)
        ).rowcount
    engine.dispose()


def test_damaged_rows_are_left_out_of_lists_and_logged_once(start: Start, address: str) -> None:
    server = start(address)
    whole = server.create("battle", second=OPEN, listed=True)
    playing = server.create("cross", listed=True)
    broken = {
        (column, text): server.create(
            "shadow", {"target": 13}, first={"name": NAME}, second=OPEN, listed=True
        )
        for column in COLUMNS
        for text in NONSENSE
    }
    assert server.stop() == 0
    for (column, text), table in broken.items():
        damage(address, schema.matches, table.id, **{column: text})
    server.start()
    for _ in range(2):
        listed = {one["match"] for one in got(server.get(f"{API}/matches"))}
        assert whole.id in listed
        home = server.get("/", headers={"Accept": "text/html"})
        assert home.status_code == 200
        assert f"/m/{whole.id}" in home.text
        assert f"/m/{playing.id}" in home.text
    for (column, text), table in broken.items():
        answer = table.get("")
        if table.id in listed:  # nonsense that makes sense there
            assert answer.status_code == 200, (column, text)
            continue
        assert answer.status_code == 500, (column, text)
        assert answer.json()["detail"] == "This match is damaged and cannot be read."
        assert server.log().count(f"match {table.id} cannot be read") == 1
    assert len(listed) < 10
    assert NAME not in server.log()


def test_damaged_matches_stop_no_computer_of_another(start: Start, address: str) -> None:
    server = start(address)
    computer = {"kind": "level:1"}
    damages: list[dict[str, object]] = [{"move": "nonsense"}, {"move": "0,0"}, {"seat": 5}]
    broken = [server.create("battle", second=computer) for _ in damages]
    for table in broken:
        got(table.move(FIRST, "1,1", 0))
    wait_for(lambda: all(len(table.seen()["moves"]) == 2 for table in broken), "the computer's answers")
    whole = server.create("battle", second=computer)
    assert server.stop() == 0
    for table, values in zip(broken, damages, strict=True):
        damage(address, schema.moves, table.id, **values)
        damage(address, schema.matches, table.id, due=True, touched=1e10)  # so that it comes first
    make_due(address, whole)
    server.start()
    logged = [f"match {table.id} cannot be read" for table in broken]
    wait_for(lambda: all(line in server.log() for line in logged), "the damages to be found")
    wait_for(lambda: len(whole.seen()["moves"]) == 2, "the computer to go on")


def make_due(address: str, table: Table) -> None:
    """Have a computer's turn come while no server runs."""
    database = Database(address)
    database.open()
    work = partial(play.move, id=table.id, token=table.tokens[FIRST], text="0,0", ply=0)
    database.run(work).result(PATIENCE)
    database.close()
