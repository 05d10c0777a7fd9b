"""Games that nobody wins, on the server: offers to stop, computers, what is kept and shown."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from ninefold import SEATS, NinefoldError, Stop, load
from ninefold.match import Match, Player, Record
from ninefold.match.kinds import Action
from ninefold.players import agrees_to_stop
from ninefold.store.sql.database import Room
from ninefold.web.actions import matches, offers
from ninefold.web.actions import play as actions
from ninefold.web.server import Server as Inside
from tests import stops
from tests.match.tables import play
from tests.web.conftest import Start
from tests.web.inside import inside
from tests.web.support import SETUPS, Server, Table, got, wait_for

FIRST, SECOND = SEATS
DEAD = stops.DEAD_WHEN_PLACED.split()
CIRCLE = stops.CIRCLE.split()
HTML = {"Accept": "text/html"}


def kinds(table: Table) -> list[str]:
    """The kinds of the events so far."""
    with table.stream(0) as stream:
        return [heard.data["kind"] for heard in stream.take(table.seen()["version"])]


# What everybody sees


def test_a_match_is_over_at_the_move_after_which_nobody_can_win(server: Server) -> None:
    table = server.create("pattern")
    table.play(*DEAD)
    for viewer in (*SEATS, None):
        seen = table.seen(viewer)
        assert (seen["status"], seen["outcome"], seen["stopped"]) == ("over", None, "dead")
        assert [seen[str(seat)]["wins"] for seat in SEATS] == [0, 0]
    with table.stream(len(DEAD)) as stream:
        assert stream.next().data == {"number": 10, "kind": "over", "winner": None, "reason": "dead"}
    late = got(table.move(SECOND, "return@1,3", 9), 409)
    assert late["match"]["stopped"] == "dead"
    got(table.move(FIRST, DEAD[-1], 8))  # the last move, sent again
    assert Match.of(Record.from_json(table.get("/record").text)).stopped is Stop.DEAD
    assert got(table.get("/review"))["deciding"] is None
    for what in ("/resign", "/claim", "/abort"):
        got(table.post(what, FIRST, {}), 409)


def test_a_match_that_is_won_is_not_stopped(server: Server) -> None:
    table = server.create("cross")
    got(table.post("/resign", FIRST, {}))
    assert table.seen()["stopped"] is None


def test_a_stopped_game_counts_for_nobody_in_a_series_of_rematches(server: Server) -> None:
    table = server.create("pattern")
    table.play(*DEAD)
    got(table.ask("rematch", FIRST, "offer"))
    following = got(table.ask("rematch", SECOND, "accept"))["next"]
    again = Table(server, following, {FIRST: table.tokens[SECOND], SECOND: table.tokens[FIRST]})
    assert [again.seen()[str(seat)]["wins"] for seat in SEATS] == [0, 0]
    got(again.post("/resign", FIRST, {}))
    assert [again.seen()[str(seat)]["wins"] for seat in SEATS] == [0, 1]


# Agreeing to stop


def test_one_offers_to_stop_and_the_other_accepts(server: Server) -> None:
    table = server.create("pattern")
    table.play(*CIRCLE)
    got(table.ask("stop", FIRST, "offer"))
    assert table.seen()["offers"].get("stop") == "first"
    got(table.ask("stop", FIRST, "offer"))  # asked already
    got(table.ask("stop", FIRST, "accept"), 409)
    got(table.ask("stop", SECOND, "accept"))
    seen = table.seen()
    assert (seen["status"], seen["outcome"], seen["stopped"]) == ("over", None, "agreed")
    assert seen["offers"].get("stop") is None
    assert kinds(table)[len(CIRCLE) :] == ["offered", "over"]
    got(table.ask("stop", SECOND, "offer"), 409)


def test_one_offers_to_stop_and_the_other_declines(server: Server) -> None:
    table = server.create("pattern")
    got(table.ask("stop", SECOND, "offer"))
    got(table.ask("stop", FIRST, "decline"))
    got(table.ask("stop", FIRST, "decline"), 409)
    got(table.ask("stop", FIRST, "accept"), 409)
    assert (table.seen()["status"], table.seen()["offers"].get("stop")) == ("playing", None)
    assert kinds(table) == ["offered", "declined"]


def test_whoever_offers_what_the_other_has_offered_agrees(server: Server) -> None:
    table = server.create("pattern")
    got(table.ask("stop", FIRST, "offer"))
    got(table.ask("stop", SECOND, "offer"))
    assert table.seen()["stopped"] == "agreed"


def test_an_offer_stands_until_the_other_moves(server: Server) -> None:
    table = server.create("pattern")
    got(table.ask("stop", FIRST, "offer"))
    table.play(CIRCLE[0])
    assert table.seen()["offers"].get("stop") == "first"
    table.play(CIRCLE[1])
    assert table.seen()["offers"].get("stop") is None
    got(table.ask("stop", SECOND, "accept"), 409)


@pytest.mark.parametrize("game", [slug for slug in SETUPS if not load(slug).endless])
def test_a_game_that_always_ends_cannot_be_stopped(server: Server, game: str) -> None:
    table = server.create(game)
    assert "always comes to an end" in got(table.ask("stop", FIRST, "offer"), 422)["detail"]
    assert table.seen()["offers"].get("stop") is None


def test_stopping_needs_a_seat_and_a_game_in_play(server: Server) -> None:
    table = server.create("pattern")
    got(table.ask("stop", None, "offer"), 403)
    got(table.post("/stop", FIRST, {"action": "ask"}), 400)
    waiting = server.create("pattern", second={"kind": "open"})
    got(waiting.ask("stop", FIRST, "offer"), 409)


def test_an_offer_sent_twice_with_its_key_is_made_once(server: Server) -> None:
    table = server.create("pattern")
    headers = {"Authorization": f"Bearer {table.tokens[FIRST]}", "Idempotency-Key": "k" * 30}
    for status in (200, 409):
        got(server.http.post(f"{table.path}/stop", json={"action": "offer"}, headers=headers))
        got(table.ask("stop", SECOND, "decline"), status)
    assert kinds(table) == ["offered", "declined"]


def test_the_api_says_which_games_could_go_on_forever(server: Server) -> None:
    games = {game["game"]: game["endless"] for game in got(server.get("/api/v1/games"))}
    assert games == {slug: load(slug).endless for slug in SETUPS}
    assert sum(games.values()) == 1


# Computers


def test_two_computers_never_play_forever(server: Server) -> None:
    random = {"kind": "random"}
    tables = [server.create("pattern", first=random, second=random) for _ in range(12)]
    for table in tables:
        wait_for(lambda table=table: table.seen()["status"] == "over", "the end")  # type: ignore[misc]
        seen = table.seen()
        assert (seen["outcome"] is None) == (seen["stopped"] is not None)
        assert len(seen["moves"]) <= 200


async def seat_match(client: httpx.AsyncClient, server: Inside, match: Match) -> tuple[Room, str]:
    """A match on the server as it stands; the second player's token."""
    person = {"kind": "person"}
    wanted = {"game": match.game.slug, "first": person, "second": person}
    created = got(await client.post("/api/v1/matches", json=wanted), 201)
    sitting = tuple("person" if match.player(seat).kind == "person" else "random" for seat in SEATS)

    def put(tx: Any) -> Room:
        room: Room = tx.room(created["match"])
        return tx.save(replace(room, match=match, kinds=sitting), [])  # type: ignore[no-any-return]

    room, _ = await server.run(put)
    server.database.evict([room.id])
    return await server.room(room.id), created["held"][1]["token"]


def alone(seed: int, moves: int) -> Match:
    """Computers who go round in circles for so many moves, and a random one to move."""
    players = (Player("Hal", FIRST, "random"), Player("Deep", SECOND, "random"))
    match, rng = play(Match(load("pattern").start(), players), *CIRCLE), Random(seed)
    while len(match.played) < moves:
        state = match.state
        safe = [move for move in state.moves() if state.play(move).outcome is None]
        match.submit(state.movers[0], rng.choice(safe))
    return match


def test_where_no_person_plays_the_200th_move_stops_the_game(tmp_path: Path) -> None:
    async def work(client: httpx.AsyncClient, server: Inside) -> None:
        room, _ = await seat_match(client, server, alone(1, 199))
        assert room.status == "playing"
        seat, state = room.match.state.movers[0], room.match.state
        move = next(move for move in state.moves() if state.play(move).outcome is None)
        work = partial(actions.computer_move, seen=room, seat=seat, text=str(move))
        room, news = await server.run(work)
        assert (room.status, room.match.stopped, room.due) == ("over", Stop.LIMIT, False)
        assert '"over"' in news[-1].data
        server.database.evict([room.id])
        assert (await server.room(room.id)).match.stopped is Stop.LIMIT

    inside(tmp_path, work)


def test_a_match_between_people_ends_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After 1,000 moves; here after 12."""
    moves = stops.endless_moves(12)
    monkeypatch.setattr("ninefold.match.match.HOSTED_LIMIT", 12)

    async def work(client: httpx.AsyncClient, server: Inside) -> None:
        person = {"kind": "person"}
        wanted = {"game": "pattern", "first": person, "second": person}
        for again in (False, True):
            created = got(await client.post("/api/v1/matches", json=wanted), 201)
            path = f"/api/v1/matches/{created['match']}"
            for ply, move in enumerate(moves):
                token = {"Authorization": f"Bearer {created['held'][ply % 2]['token']}"}
                if again:
                    server.database.evict([created["match"]])  # it is read from the database, then
                assert got(await client.get(path))["status"] == "playing"
                got(await client.post(f"{path}/moves", json={"move": move, "ply": ply}, headers=token))
            seen = got(await client.get(path))
            assert (seen["status"], seen["stopped"]) == ("over", "limit")

    inside(tmp_path, work)


def against_a_computer(*moves: str) -> Match:
    players = (Player("Hal", FIRST, "random"), Player("Ann", SECOND))
    return play(Match(load("pattern").start(), players), *moves)


def test_a_computer_agrees_where_neither_side_can_force_a_win(tmp_path: Path) -> None:
    async def work(client: httpx.AsyncClient, server: Inside) -> None:
        room, token = await seat_match(client, server, against_a_computer(*CIRCLE))
        headers, path = {"Authorization": f"Bearer {token}"}, f"/api/v1/matches/{room.id}"
        got(await client.post(f"{path}/stop", json={"action": "offer"}, headers=headers))
        seen = got(await client.get(path))
        assert (seen["status"], seen["stopped"]) == ("over", "agreed")

    inside(tmp_path, work)


def test_a_computer_plays_on_while_somebody_can_force_a_win(tmp_path: Path) -> None:
    async def work(client: httpx.AsyncClient, server: Inside) -> None:
        room, token = await seat_match(client, server, against_a_computer("5@2,2"))
        headers, path = {"Authorization": f"Bearer {token}"}, f"/api/v1/matches/{room.id}"
        answer = await client.post(f"{path}/stop", json={"action": "offer"}, headers=headers)
        detail = "Hal wants to play on. It stops when neither side can force a win."
        assert got(answer, 422)["detail"] == detail
        assert got(await client.get(path))["status"] == "playing"

    inside(tmp_path, work)


def test_a_computer_agrees_only_in_the_position_that_it_looked_at(tmp_path: Path) -> None:
    async def work(client: httpx.AsyncClient, server: Inside) -> None:
        room, token = await seat_match(client, server, against_a_computer(*CIRCLE))
        agreed = room.match.state
        assert offers.is_asking_computer(room)
        assert agrees_to_stop(agreed)
        await server.run(lambda tx: actions.move(tx, room.id, token, "swap@2,1", 11))
        with pytest.raises(NinefoldError, match="wants to play on"):
            await server.run(lambda tx: offers.stop(tx, room.id, token, Action.OFFER, agreed))

    inside(tmp_path, work)


# What is kept


def test_a_killed_server_keeps_stopped_matches_and_offers(start: Start, address: str) -> None:
    server = start(address)
    dead, agreed, offered = (server.create("pattern") for _ in range(3))
    dead.play(*DEAD)
    got(agreed.ask("stop", FIRST, "offer"))
    got(agreed.ask("stop", SECOND, "accept"))
    got(offered.ask("stop", SECOND, "offer"))
    before = [table.seen() for table in (dead, agreed, offered)]
    assert [seen["stopped"] for seen in before] == ["dead", "agreed", None]
    server.kill()
    server.start()
    assert [table.seen() for table in (dead, agreed, offered)] == before
    got(offered.ask("stop", FIRST, "accept"))
    assert offered.seen()["stopped"] == "agreed"


# The page


async def begin(client: httpx.AsyncClient, **form: str) -> str:
    made = await client.post(f"/new/{form.get('game', 'pattern')}", data=form, headers=HTML)
    assert made.status_code == 303, made.text
    return str(made.headers["location"])


async def read(client: httpx.AsyncClient, path: str) -> str:
    answer = await client.get(path, headers=HTML)
    assert answer.status_code == 200, answer.text
    return answer.text


def test_two_people_at_one_screen_stop_on_the_page(tmp_path: Path) -> None:
    async def work(client: httpx.AsyncClient, server: Inside) -> None:
        path = await begin(client, against="here")
        assert f'action="{path}/stop"' in await read(client, path)
        await client.post(f"{path}/stop", data={"seat": "first", "action": "offer"}, headers=HTML)
        page = await read(client, path)
        assert "Nobody wins: Player 1 and Player 2 agreed to stop." in page
        assert "<title>Nobody won · " in page
        assert f'action="{path}/stop"' not in page
        assert "Nobody wins: Player 1 and Player 2" in await read(client, "/games?show=finished")
        review = await read(client, f"{path}/review")
        assert "Nobody lost, so no move decided it." in review
        assert 'id="find"' not in review

    inside(tmp_path, work)


def test_the_page_says_that_a_position_is_dead(tmp_path: Path) -> None:
    async def work(client: httpx.AsyncClient, server: Inside) -> None:
        path = await begin(client, against="here")
        for ply, move in enumerate(DEAD):
            form = {"seat": str(SEATS[ply % 2]), "ply": str(ply), "move": move}
            assert (await client.post(f"{path}/move", data=form, headers=HTML)).status_code == 303
        page = await read(client, path)
        assert "Nobody can win anymore: the game is stopped." in page
        assert load("pattern").words.dead in page
        assert 'id="do-rematch-offer"' in page

    inside(tmp_path, work)


def test_an_offer_is_put_to_the_other_on_the_page(tmp_path: Path) -> None:
    async def work(client: httpx.AsyncClient, server: Inside) -> None:
        path = await begin(client, against="friend", side="first", name="Ann")
        id = path.rpartition("/")[2]
        (_, ticket), _ = await server.run(lambda tx: matches.join(tx, id, "Ben"))
        await client.post(f"{path}/stop", data={"seat": "first", "action": "offer"}, headers=HTML)
        assert "You offer to stop, and nobody wins. Ben has to agree." in await read(client, path)
        await server.run(lambda tx: offers.stop(tx, id, ticket.token, Action.DECLINE))
        await server.run(lambda tx: offers.stop(tx, id, ticket.token, Action.OFFER))
        page = await read(client, path)
        assert "Ben offers to stop, and nobody wins. Do you agree?" in page
        await client.post(f"{path}/stop", data={"seat": "first", "action": "accept"}, headers=HTML)
        assert "Nobody wins: you and Ben agreed to stop." in await read(client, path)

    inside(tmp_path, work)


def test_the_page_shows_the_computers_refusal(tmp_path: Path) -> None:
    async def work(client: httpx.AsyncClient, server: Inside) -> None:
        path = await begin(client, against="computer", side="first")
        form = {"seat": "first", "action": "offer"}
        answer = await client.post(f"{path}/stop", data=form, headers=HTML)
        assert answer.status_code == 422
        assert "The computer wants to play on." in answer.text

    inside(tmp_path, work)


@pytest.mark.parametrize("game", list(SETUPS))
def test_the_page_offers_to_stop_only_a_game_that_could_go_on_forever(tmp_path: Path, game: str) -> None:
    async def work(client: httpx.AsyncClient, server: Inside) -> None:
        path = await begin(client, game=game, against="here")
        assert (f'action="{path}/stop"' in await read(client, path)) == load(game).endless

    inside(tmp_path, work)
