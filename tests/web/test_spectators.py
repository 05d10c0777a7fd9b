"""Spectators are counted, over all servers of one database."""

from __future__ import annotations

import re
from contextlib import ExitStack

from ninefold import SEATS
from ninefold.web.spectators import FORGOTTEN, Spectators
from tests.web.conftest import Start
from tests.web.support import Server, Stream, Table, wait_for

FIRST, _ = SEATS


def shown(server: Server, table: Table) -> int:
    """How many the page of the match says are watching."""
    page = server.get(f"/m/{table.id}").text
    found = re.search(r'id="watching"[^>]*>(\d+) watching', page)
    assert found is not None
    return int(found[1])


def settles(count: int, *servers: Server, table: Table) -> None:
    wait_for(lambda: all(shown(one, table) == count for one in servers), f"{count} watching")


def test_spectators_are_counted_and_players_are_not(server: Server) -> None:
    table = server.create("battle")
    assert shown(server, table) == 0
    with Stream(server, table.id), Stream(server, table.id):
        settles(2, server, table=table)
        with Stream(server, table.id, token=table.tokens[FIRST]):
            settles(2, server, table=table)
    settles(0, server, table=table)


def test_spectators_of_all_servers_count_together(start: Start, database: str) -> None:
    here, there = start(database), start(database)
    table = here.create("battle")
    with ExitStack() as stack:
        stack.enter_context(Stream(here, table.id))
        stack.enter_context(Stream(there, table.id))
        stack.enter_context(Stream(there, table.id))
        settles(3, here, there, table=table)
    settles(0, here, there, table=table)


def test_a_page_gets_the_number_when_it_changes(server: Server) -> None:
    table = server.create("battle")
    with server.http.stream("GET", f"/m/{table.id}/events") as heard:
        lines = heard.iter_lines()
        counts = (line.removeprefix("data: ") for line in lines if line.startswith("data: "))
        assert next(counts) == "1"  # it counts itself
        with Stream(server, table.id):
            assert next(counts) == "2"
        assert next(counts) == "1"


def test_the_spectators_of_a_process_that_died_count_no_more() -> None:
    now = 0.0
    spectators = Spectators(lambda: now)
    spectators.change("m", 1)
    assert spectators.receive("m other 4") == "m"
    assert spectators.receive("m other 4") is None
    assert spectators.receive(spectators.payload("m")) is None  # our own words
    assert spectators.count("m") == 5
    now = FORGOTTEN + 1
    assert spectators.count("m") == 1
