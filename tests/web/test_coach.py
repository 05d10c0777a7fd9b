"""The coach on the server: kept with the match, and its warning comes before a move is made."""

from __future__ import annotations

import httpx
import pytest

from ninefold import Seat
from tests.web.conftest import Start
from tests.web.support import API, Server, Table, got

PERSON, COMPUTER, OPEN = {"kind": "person"}, {"kind": "perfect"}, {"kind": "open"}
GRID = {"grid": "542689713"}  # only Row 2 wins for the first player
WARNING = "Row 3 gives something away. With best play, the computer wins by 6 in 5 moves."


def coached(server: Server) -> Table:
    return server.create("cross", GRID, second=COMPUTER, coach=True)


def send(table: Table, **form: str) -> httpx.Response:
    """The form of the match's page."""
    headers = {"Cookie": f"ninefold={table.tokens[Seat.FIRST]}", "Accept": "text/html"}
    return table.server.http.post(
        f"/m/{table.id}/move", data={"seat": "first", "ply": "0", **form}, headers=headers
    )


def test_a_mistake_is_shown_before_it_is_made(server: Server) -> None:
    table = coached(server)
    answer = send(table, move="Row3")
    assert answer.status_code == 200
    assert WARNING in answer.text
    assert "The computer claimed Row 2 for 23 and has 23." in answer.text
    assert table.seen()["ply"] == 0
    assert send(table, move="Row3", sure="1").status_code == 303
    assert table.seen()["moves"][0]["move"] == "Row3"


def test_a_good_move_and_one_that_is_refused_are_not_held_up(server: Server) -> None:
    table = coached(server)
    assert send(table, move="Row9").status_code == 422
    assert send(table, move="Row3", ply="7").status_code == 409
    stranger = Table(server, table.id, {Seat.FIRST: "nobody"})
    assert send(stranger, move="Row3").status_code == 403
    assert send(table, move="Row2").status_code == 303


def test_nobody_is_warned_without_a_coach(server: Server) -> None:
    table = server.create("cross", GRID, second=COMPUTER)
    assert send(table, move="Row3").status_code == 303
    assert table.seen()["coach"] is False


@pytest.mark.parametrize("other", [PERSON, OPEN], ids=["person", "open"])
def test_it_is_for_one_person_against_the_computer(server: Server, other: dict[str, str]) -> None:
    wanted = {"game": "cross", "first": PERSON, "second": other, "coach": True}
    refusal = got(server.post(f"{API}/matches", wanted), 422)
    assert "one person who plays the computer" in refusal["detail"]


def test_it_is_kept_with_the_match_and_stays_for_the_next_one(start: Start) -> None:
    server = start()
    table = coached(server)
    server.kill()
    server.start()
    assert table.seen()["coach"] is True
    assert got(table.get("/record"))["coach"] is True
    got(table.post("/resign", Seat.FIRST))
    done = got(table.ask("rematch", Seat.FIRST, "offer"))
    assert Table(server, done["next"]).seen()["coach"] is True
