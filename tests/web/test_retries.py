"""A request whose answer was lost is sent again: with a key, it is done once."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any
from unittest import mock

import httpx
import pytest

from ninefold import SEATS, Seat
from ninefold.web.actions.matches import make_id
from tests.web.conftest import Start
from tests.web.support import (
    API,
    OPEN,
    PERSON,
    Server,
    Table,
    bearer,
    got,
    seat_named,
    sqlite_url,
    wait_for,
)

FIRST, SECOND = SEATS
COMPUTER = {"kind": "level:1"}


def key() -> str:
    return secrets.token_urlsafe(16)


def send(
    server: Server, path: str, body: Any = None, token: str | None = None, *, key: str | None = None
) -> httpx.Response:
    headers = bearer(token) | ({"Idempotency-Key": key} if key else {})
    return server.http.post(path, json={} if body is None else body, headers=headers)


def post(table: Table, what: str, seat: Seat, key: str | None, **body: Any) -> httpx.Response:
    return send(table.server, f"{table.path}/{what}", body, table.tokens[seat], key=key)


def test_a_match_is_created_once_by_a_key(start: Start, address: str) -> None:
    server, path = start(address), f"{API}/matches"
    kinds = [{"game": "shadow", "first": PERSON, "second": second} for second in (PERSON, OPEN, COMPUTER)]
    mine = [key() for _ in kinds]
    firsts = [got(send(server, path, one, key=own), 201) for one, own in zip(kinds, mine, strict=True)]
    for wanted, own, first in zip(kinds, mine, firsts, strict=True):
        assert got(send(server, path, wanted, key=own), 201) == first
    server.kill()
    server.start()
    for wanted, own, first in zip(kinds, mine, firsts, strict=True):
        assert got(send(server, path, wanted, key=own), 201) == first
        another = got(send(server, path, wanted, key=key()), 201)
        assert another["match"] != first["match"]
        tokens = [one["token"] for one in first["held"] + another["held"]]
        assert len(set(tokens)) == len(tokens)
        for held in first["held"]:
            assert got(server.get(f"{path}/{held['match']}", held["token"]))["you"] == held["seat"]
        assert own not in server.log()


def test_a_seat_is_taken_once_by_a_key(start: Start, address: str) -> None:
    server, mine = start(address), key()
    table = server.create("battle", second=OPEN)
    first = got(send(server, f"{table.path}/join", {"name": "Ben"}, key=mine), 201)
    assert got(send(server, f"{table.path}/join", {"name": "Ben"}, key=mine), 201) == first
    server.kill()
    server.start()
    assert got(send(server, f"{table.path}/join", {"name": "Ben"}, key=mine), 201) == first
    assert table.seen()["version"] == 1
    assert got(table.server.get(table.path, first["token"]))["you"] == "second"
    got(send(server, f"{table.path}/join", key=key()), 409)
    got(send(server, f"{table.path}/join"), 409)


def test_a_resignation_is_answered_again_by_its_key_alone(server: Server) -> None:
    table, mine = server.create("battle"), key()
    first = got(post(table, "resign", FIRST, mine))
    assert got(post(table, "resign", FIRST, mine)) == first
    got(post(table, "resign", FIRST, None), 409)
    got(post(table, "resign", SECOND, mine), 409)


def test_a_turn_is_taken_back_once_by_a_key_or_a_ply(server: Server) -> None:
    table = server.create("battle", second=COMPUTER)

    def play(count: int) -> None:
        table.play(table.seen(FIRST)["view"]["moves"][0])
        wait_for(lambda: table.seen()["ply"] == count, "the computer")

    for count in (2, 4, 6):
        play(count)
    mine = key()
    for _ in range(3):
        got(post(table, "takeback", FIRST, mine, action="offer"))
        assert table.seen()["ply"] == 4
    got(post(table, "takeback", FIRST, None, action="offer", ply=4))
    got(post(table, "takeback", FIRST, None, action="offer", ply=4), 409)
    assert table.seen()["ply"] == 2
    got(post(table, "takeback", FIRST, None, action="offer"))  # without either as ever
    assert table.seen()["ply"] == 0


def test_a_wish_is_put_and_answered_once_by_a_key(server: Server) -> None:
    table, asks, declines = server.create("battle"), key(), key()
    table.play("0,0")
    for _ in range(2):
        got(post(table, "takeback", FIRST, asks, action="offer"))
    assert table.seen()["version"] == 2
    for _ in range(2):
        got(post(table, "takeback", SECOND, declines, action="decline"))
    assert table.seen()["version"] == 3
    got(post(table, "takeback", FIRST, asks, action="offer"))  # late, after it was declined
    assert table.seen()["offers"].get("takeback") is None


def test_a_rematch_is_begun_once_by_a_key(server: Server) -> None:
    table, mine = server.create("battle", second=COMPUTER), key()
    got(table.post("/resign", FIRST))
    first = got(post(table, "rematch", FIRST, mine, action="offer"))
    assert first["next"]
    assert got(post(table, "rematch", FIRST, mine, action="offer")) == first


def test_only_some_requests_are_remembered(server: Server) -> None:
    """A match does not grow with the keys that it is sent."""
    table = server.create("battle")
    table.play("0,0")
    for number in range(40):
        got(post(table, "takeback", FIRST, key(), action="offer" if number % 2 == 0 else "decline"))
    assert table.seen()["version"] == 41


def test_a_key_that_comes_with_another_request_is_refused(server: Server) -> None:
    mine, path = key(), f"{API}/matches"
    wanted = {"game": "battle", "first": PERSON, "second": OPEN}
    created = got(send(server, path, wanted, key=mine), 201)
    others: list[dict[str, Any]] = [
        {"game": "cross"},
        {"hints": False},
        {"second": PERSON},
        {"clock": 30},
    ]
    for other in others:
        assert "another request" in got(send(server, path, wanted | other, key=mine), 422)["detail"]
    alone = {"game": "battle", "first": COMPUTER, "second": COMPUTER}
    own = key()
    first = got(send(server, path, alone, key=own), 201)
    assert got(send(server, path, alone, key=own), 201)["match"] == first["match"]
    for other in ({"game": "cross"}, {"second": {"kind": "greedy"}}, {"clock": 30}, {"listed": True}):
        got(send(server, path, alone | other, key=own), 422)
    joins, seat = key(), f"{path}/{created['match']}/join"
    got(send(server, seat, {"name": "Ben"}, key=joins), 201)
    got(send(server, seat, {"name": "Eve"}, key=joins), 409)
    got(send(server, path, wanted, key=mine), 201)
    table = server.create("battle")
    table.play("0,0")
    asks = key()
    got(post(table, "takeback", FIRST, asks, action="offer"))
    got(post(table, "takeback", FIRST, asks, action="decline"), 422)
    got(post(table, "resign", FIRST, asks), 422)
    assert got(post(table, "takeback", FIRST, asks, action="offer"))["version"] == 2


def test_the_same_key_makes_other_tokens_on_another_server(start: Start, tmp_path: Path) -> None:
    """So nobody can make the token of a seat from the key that it was taken with."""
    mine, wanted = key(), {"game": "battle", "first": PERSON, "second": PERSON}
    servers = [start(sqlite_url(tmp_path / name)) for name in ("one", "other")]
    made = [got(send(server, f"{API}/matches", wanted, key=mine), 201) for server in servers]
    assert made[0]["match"] != made[1]["match"]
    assert len({held["token"] for one in made for held in one["held"]}) == 4


@pytest.mark.parametrize("text", ["short", "x" * 101, "\u00e4" * 30])
def test_a_key_that_could_be_guessed_is_refused(server: Server, text: str) -> None:
    headers = {"Idempotency-Key": text.encode()}
    answer = server.http.post(f"{API}/matches", json={"game": "battle"}, headers=headers)  # type: ignore[arg-type]
    assert answer.status_code == 400
    assert "random characters" in answer.json()["detail"]


def test_the_seats_of_a_key_are_told_apart(server: Server) -> None:
    wanted = {"game": "battle", "first": PERSON, "second": PERSON}
    created = got(send(server, f"{API}/matches", wanted, key=key()), 201)
    seats = {seat_named(one["seat"]) for one in created["held"]}
    assert seats == set(SEATS)
    assert len({one["token"] for one in created["held"]}) == 2


def test_the_id_of_a_match_is_no_option_where_it_is_typed() -> None:
    secret = mock.Mock(secret="secret")
    made = [make_id(secret, key) for number in range(200) for key in (None, str(number))]
    assert len(set(made)) == len(made)
    assert not any("-" in one for one in made)
