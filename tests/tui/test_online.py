"""Full screen against a real server: one player at the screen, the other through the API."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import pytest

from ninefold import Game, Seat
from ninefold.client import Link
from ninefold.match.sitting import Deed
from ninefold.show.endings import describe_ending
from ninefold.store.files.matches import OnlineMatches, Seats
from ninefold.store.files.settings import UserSettings, save_settings
from ninefold.table.server import ServerTable
from ninefold.tui.background import run_aside
from ninefold.tui.board.position import PositionWidget
from ninefold.tui.connecting import return_to
from ninefold.tui.forms.form import TextEntry
from ninefold.tui.screens.match import MatchScreen
from tests.ports import free_port
from tests.setups import every_game
from tests.tui.pilot import Seen, choose, run
from tests.tui.test_screens import check
from tests.web.support import API, Server, got, sqlite_url
from tests.web.support import Table as Room

LIMIT = 20  # moves; then somebody resigns
CROSS = {"grid": "123456789"}
ANN, BEN = Seat.FIRST, Seat.SECOND
NAMES = {"first": {"kind": "person", "name": "Ann"}, "second": {"kind": "person", "name": "Ben"}}


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    with Server(folder, sqlite_url(folder), "--streams-each", "0") as running:
        yield running


@pytest.fixture
def server(shared_server: Server) -> Server:
    """A server for all tests, each with matches of its own; Ann plays there from here."""
    process = shared_server.process
    started = shared_server if process and process.poll() is None else shared_server.start()
    save_settings(UserSettings(name="Ann", server=started.base))
    return started


def link_of(room: Room, viewer: Seat | None = None) -> str:
    token = room.token(viewer)
    return f"{room.server.base}/m/{room.id}{f'#{token}' if token else ''}"


def open_match(server: Server, game: str, setup: dict[str, Any] | None = None, **more: Any) -> Room:
    """A match between Ann, who is to sit at the screen, and Ben."""
    return server.create(game, setup, **{**NAMES, **more})


async def sit_down(pilot: Seen, room: Room, viewer: Seat | None = ANN) -> ServerTable:
    table = await run_aside(lambda: ServerTable(Link.parse(link_of(room, viewer))))
    await pilot.app.push_screen(MatchScreen(table))
    await pilot.pause()
    return table


async def see(pilot: Seen, *texts: str) -> None:
    """Wait until these texts stand on the screen, however its lines are broken."""
    await pilot.settle(lambda: all(text in " ".join(pilot.text.split()) for text in texts))


async def told(pilot: Seen, room: Room) -> None:
    """Wait until everything that has happened is drawn."""
    version, table = room.seen()["version"], table_of(pilot)
    position = pilot.app.screen.query_one(PositionWidget)
    await pilot.settle(lambda: table.info.version >= version and position.scene == table.scene())


async def type_link(pilot: Seen, key: str, link: str) -> None:
    """Paste a link into the form of the lobby's entry."""
    await pilot.press("o", key)
    await pilot.pause()
    pilot.app.screen.query(TextEntry).first().value = link
    await pilot.press("enter")


def table_of(pilot: Seen) -> ServerTable:
    screen = pilot.app.screen
    assert isinstance(screen, MatchScreen), screen
    assert isinstance(screen.table, ServerTable)
    return screen.table


def moves_of(table: ServerTable) -> list[str]:
    return [str(one.move) for one in table.match.played]


def has_grown(table: ServerTable, count: int) -> bool:
    return len(table.match.played) > count


# Whole games


@every_game
def test_a_game_is_played_to_its_end(game: Game, server: Server) -> None:
    room, rng = open_match(server, game.slug), Random(game.slug)

    async def test(pilot: Seen) -> None:
        table = await sit_down(pilot, room)
        while not table.over:
            before = len(table.match.played)
            if table.mover is not None:
                move = str(rng.choice(table.match.state.moves(ANN)))
                await choose(pilot, move, mouse=False)
                await pilot.settle(partial(has_grown, table, before))
            elif before >= LIMIT:
                got(room.post("/resign", BEN, {}))
            else:
                move = str(rng.choice(table.match.state.moves(BEN)))
                got(room.move(BEN, move, table.match.ply))
            await told(pilot, room)
        await see(pilot, describe_ending(table.match, table.cast).headline)
        (kept,) = OnlineMatches().entries()
        assert kept.match is not None
        assert kept.match.played == table.match.played

    run(test)


# Coming together


def join(server: Server, id: str, name: str = "Ben") -> Room:
    """Ben takes the open seat of a match that Ann has started."""
    held = got(server.post(f"{API}/matches/{id}/join", {"name": name}), 201)
    return Room(server, id, {seat: held["token"] for seat in Seat if str(seat) == held["seat"]})


def test_a_match_is_started_and_its_link_brings_the_other_player(server: Server) -> None:
    async def test(pilot: Seen) -> None:
        await pilot.press("o")
        await see(pilot, "There are no open matches")
        await pilot.press("5")
        await pilot.pause()
        await pilot.press("enter")
        await see(pilot, "Waiting for someone to take", "only on this machine")
        table = table_of(pilot)
        assert table.link in pilot.text
        assert "#" not in table.link
        assert table.mover is None
        await pilot.press("l")
        assert pilot.app.clipboard == table.link
        join(server, Link.parse(table.link).match)
        await see(pilot, "Ben has joined.", "Claim a row or a column", "here")
        assert table.mover is ANN

    run(test)


def test_a_match_that_nobody_has_joined_is_canceled(server: Server) -> None:
    async def test(pilot: Seen) -> None:
        await pilot.press("5", "right", "right", "enter")
        await see(pilot, "Waiting for someone")
        link = Link.parse(table_of(pilot).link)
        await pilot.press("k")
        await pilot.pause()
        await pilot.press("y")
        await see(pilot, "quit")
        assert server.get(f"{API}/matches/{link.match}").status_code == 404

    run(test)


def test_a_listed_match_is_chosen_from_the_list(server: Server) -> None:
    ben = {"kind": "person", "name": "Ben"}
    room = server.create("cross", CROSS, first=ben, second={"kind": "open"}, listed=True)

    async def test(pilot: Seen) -> None:
        await pilot.press("o")
        await see(pilot, "against Ben, you move second")
        await pilot.press("up", "enter")
        await see(pilot, "Ben is to move.")
        assert room.seen()["second"]["name"] == "Ann"

    run(test)


def test_whoever_finds_no_free_seat_can_watch(server: Server) -> None:
    room = open_match(server, "cross", CROSS)

    async def test(pilot: Seen) -> None:
        await type_link(pilot, "j", link_of(room))
        await see(pilot, "Watch instead?")
        await pilot.press("y")
        await see(pilot, "X Ann", "O Ben", "Ann is to move.")
        assert table_of(pilot).you is None

    run(test)


def test_a_server_that_is_not_there_is_said_so(server: Server) -> None:
    nowhere = f"http://127.0.0.1:{free_port()}"

    async def test(pilot: Seen) -> None:
        for key in ("j", "w"):
            await type_link(pilot, key, f"{nowhere}/m/abc")
            await see(pilot, "does not answer.")
            await pilot.press("escape", "escape")
        await type_link(pilot, "j", "nonsense")
        await see(pilot, "is not a match link.")

    run(test)


def test_the_lobby_of_a_server_that_is_not_there() -> None:
    save_settings(UserSettings(server="http://127.0.0.1:9"))

    async def test(pilot: Seen) -> None:
        await pilot.press("o")
        await see(pilot, "does not answer")
        check("lobby", pilot.text)

    run(test)


# Coming back


def test_a_killed_program_comes_back_to_its_seat(server: Server) -> None:
    links: list[str] = []

    async def begin(pilot: Seen) -> None:
        await pilot.press("5", "right", "right", "enter")
        await see(pilot, "Waiting for someone")
        links.append(table_of(pilot).link)
        room = join(server, Link.parse(links[0]).match)
        await see(pilot, "Ben has joined.")
        await choose(pilot, "Row1", mouse=False)
        await told(pilot, room)

    async def come_back(pilot: Seen) -> None:
        await type_link(pilot, "j", links[0])
        await see(pilot, "You claimed Row 1", "Ben is to move.")
        assert table_of(pilot).you is ANN

    async def choose_it(pilot: Seen) -> None:
        await pilot.press("o")
        await see(pilot, "yours, against Ben")
        await pilot.press("up", "enter")
        await see(pilot, "Ben is to move.")

    async def continue_it(pilot: Seen) -> None:
        await pilot.press("c")
        await see(pilot, "Number Cross: Ann - Ben, online")
        await pilot.press("enter")
        await see(pilot, "Ben is to move.")
        assert table_of(pilot).line_mode == ["join", links[0]]
        await pilot.press("q")
        await see(pilot, "continue", "quit")

    run(begin)
    run(come_back)
    run(continue_it)
    run(choose_it)
    (entry,) = OnlineMatches().entries()
    assert return_to(entry).token in Seats().tokens(links[0])


def test_whoever_took_both_seats_here_returns_to_the_one_that_is_meant(server: Server) -> None:
    room = open_match(server, "cross", CROSS)
    room.play("Row1")
    for seat in Seat:
        Seats().add(link_of(room), room.tokens[seat])

    async def keep(pilot: Seen) -> None:
        await sit_down(pilot, room, BEN)

    run(keep)
    (entry,) = OnlineMatches().entries()
    assert return_to(entry).token == room.tokens[BEN]

    async def ask(pilot: Seen) -> None:
        await type_link(pilot, "j", link_of(room))
        await see(pilot, "Whose is yours: Ann and Ben?")
        list(pilot.app.screen.query(TextEntry))[1].value = "Ben"
        await pilot.press("enter")
        await see(pilot, "Ann claimed Row 1")
        assert table_of(pilot).you is BEN

    run(ask)


# Beside the moves


def test_a_rematch_is_offered_and_accepted_with_the_sides_swapped(server: Server) -> None:
    room = open_match(server, "cross", CROSS)

    async def test(pilot: Seen) -> None:
        await sit_down(pilot, room)
        got(room.post("/resign", BEN, {}))
        await see(pilot, "You win. Ben resigned. Rematch? Ben starts.")
        got(room.ask("rematch", BEN, "offer"))
        await see(pilot, "Ben offers a rematch")
        await pilot.press("a")
        await see(pilot, "Ben is to move.", "You 1 : 0 Ben")
        second = table_of(pilot)
        assert second.you is BEN
        following = Room(server, second.info.match, {BEN: room.tokens[ANN], ANN: room.tokens[BEN]})
        got(following.post("/resign", ANN, {}))
        await see(pilot, "Rematch? You start.")
        await pilot.press("n")
        await see(pilot, "You offer a rematch with the sides swapped. Ben has to agree.")
        got(following.ask("rematch", ANN, "decline"))
        await see(pilot, "Ben does not want a rematch.")
        await pilot.press("n")
        await see(pilot, "Ben has to agree.")
        got(following.ask("rematch", ANN, "offer"))
        await see(pilot, "Claim a row or a column", "You 2 : 0 Ben")
        assert table_of(pilot).you is ANN

    run(test)


def test_whoever_leaves_after_the_end_declines_a_rematch(server: Server) -> None:
    room = open_match(server, "cross", CROSS)

    async def test(pilot: Seen) -> None:
        await sit_down(pilot, room)
        got(room.post("/resign", BEN, {}))
        got(room.ask("rematch", BEN, "offer"))
        await see(pilot, "Ben offers a rematch")
        await pilot.press("q")
        await pilot.settle(lambda: room.seen()["offers"].get("rematch") is None)

    run(test)


def test_a_turn_is_taken_back_when_the_other_player_agrees(server: Server) -> None:
    room = open_match(server, "cross", CROSS)

    async def test(pilot: Seen) -> None:
        table = await sit_down(pilot, room)
        await choose(pilot, "Row1", mouse=False)
        await see(pilot, "Ben is to move.")
        await pilot.press("u")
        await see(pilot, "You want to take back your last turn. Ben has to agree.")
        got(room.ask("takeback", BEN, "decline"))
        await see(pilot, "Ben declined the takeback.")
        await pilot.press("u")
        await see(pilot, "Ben has to agree.")
        got(room.ask("takeback", BEN, "accept"))
        await told(pilot, room)
        assert moves_of(table) == []
        room.play("Row2", "Row3")
        await told(pilot, room)
        answers = {"d": ["Row2", "Row3"], "a": ["Row2"]}
        for key, left in answers.items():
            got(room.ask("takeback", BEN, "offer"))
            await see(pilot, "Ben wants to take back their last turn. (a: accept, d: decline)")
            await pilot.press(key)
            await pilot.settle(lambda: room.seen()["offers"].get("takeback") is None)
            await told(pilot, room)
            assert moves_of(table) == left

    run(test)


def test_a_game_that_could_go_on_for_ever_is_stopped_when_both_agree(server: Server) -> None:
    room = open_match(server, "pattern")

    async def test(pilot: Seen) -> None:
        await sit_down(pilot, room)
        await pilot.press("s")
        await see(pilot, "You offer to stop, and nobody wins. Ben has to agree.")
        got(room.ask("stop", BEN, "decline"))
        await see(pilot, "Ben wants to play on.")
        got(room.ask("stop", BEN, "offer"))
        await see(pilot, "Ben offers to stop, and nobody wins. Do you agree?")
        await pilot.press("a")
        await see(pilot, "Nobody wins: you and Ben agreed to stop.")

    run(test)


def test_presence_hints_and_time_stand_at_the_players_names(server: Server) -> None:
    room = open_match(server, "cross", CROSS)
    timed = open_match(server, "cross", CROSS, clock=600)

    async def test(pilot: Seen) -> None:
        table = await sit_down(pilot, room)
        await choose(pilot, "Row1", mouse=False)
        await see(pilot, "Ben is to move.")
        assert re.search(r"O  Ben +here", pilot.text)
        assert "c Claim" not in pilot.text
        got(room.get("/hint", BEN))
        await see(pilot, "Ben used a hint.")
        assert re.search(r"O  Ben +here, 1 hint", pilot.text)
        room.post("/claim", ANN, {})  # nobody has heard of Ben, so he counts as away from now on
        await see(pilot, "Ben is away.")
        assert re.search(r"O  Ben +away, 1 hint", pilot.text)
        assert not table.allows(Deed.CLAIM)  # only after ten minutes
        table.info = replace(table.info, claim="2026-01-01T00:00:00+00:00")
        assert table.allows(Deed.CLAIM)
        await pilot.press("w")
        await see(pilot, "You can claim the game in 10 min.")  # the server decides

    async def count(pilot: Seen) -> None:
        table = await sit_down(pilot, timed)
        assert re.search(r"X  You +(10:00|9:\d\d)", pilot.text), pilot.text
        assert table.ticking
        table.info = replace(table.info, deadline="2020-01-01T00:00:00+00:00")
        await see(pilot, "0:00")  # the table looks at the clock by itself

    run(test)
    run(count)


def test_advice_comes_from_the_server_and_is_not_there_where_it_is_off(server: Server) -> None:
    room = open_match(server, "cross", CROSS)
    alone = open_match(server, "cross", CROSS, hints=False)

    async def test(pilot: Seen) -> None:
        await sit_down(pilot, room)
        await pilot.press("h")
        await see(pilot, f"Hint: {got(room.get('/hint', ANN))['text']}")
        await pilot.press("e")
        await see(pilot, " ".join(got(room.get("/evaluation", ANN))["text"].split()[:5]), "█")
        await sit_down(pilot, alone)
        await pilot.press("h", "e")
        await pilot.pause()
        assert "Hint" not in pilot.text
        assert "█" not in pilot.text

    run(test)


# Connections


def test_a_killed_server_is_waited_for_and_no_move_is_lost(server: Server) -> None:
    room = open_match(server, "cross", CROSS)

    async def test(pilot: Seen) -> None:
        table = await sit_down(pilot, room)
        server.kill()
        await see(pilot, "Connection lost; trying again.")
        await choose(pilot, "Row3", mouse=False)
        await see(pilot, "Connection lost; trying again. Sending your move...")
        await choose_nothing(pilot)
        server.start()
        await see(pilot, "Ben is to move.", "You claimed Row 3")
        room.play("Row1")
        await see(pilot, "Ben claimed Row 1")
        assert moves_of(table) == ["Row3", "Row1"]
        assert "Connection lost" not in pilot.text

    run(test)


async def choose_nothing(pilot: Seen) -> None:
    """Try another move while one is on its way."""
    await pilot.press("up", "enter")
    await pilot.pause()


def test_the_server_knows_at_once_who_has_left(server: Server) -> None:
    room = open_match(server, "cross", CROSS)

    async def test(pilot: Seen) -> None:
        await sit_down(pilot, room)
        await pilot.settle(lambda: "Ann is here." in room.post("/claim", BEN, {}).text)
        await pilot.press("q")
        await pilot.settle(lambda: "Ann is here." not in room.post("/claim", BEN, {}).text)

    run(test)


def test_leaving_does_not_wait_for_a_server_that_is_away(server: Server) -> None:
    room = open_match(server, "cross", CROSS)

    async def test(pilot: Seen) -> None:
        await sit_down(pilot, room)
        server.kill()
        await see(pilot, "Connection lost; trying again.")
        await choose(pilot, "Row3", mouse=False)
        await pilot.press("q")
        await see(pilot, "quit")

    run(test)


def test_a_match_that_the_server_has_no_more_is_said_so(server: Server) -> None:
    room = open_match(server, "cross", CROSS)

    async def test(pilot: Seen) -> None:
        table = await sit_down(pilot, room, BEN)
        got(room.post("/abort", ANN, {}))
        await see(pilot, "This match is no longer on the server.")
        assert table.mover is None
        await pilot.press("q")
        await see(pilot, "quit")

    run(test)


# Watching


SECRETS: dict[str, tuple[list[dict[str, Any]], list[list[str]]]] = {
    "shadow": ([{"target": 12}, {"target": 18}], [["9@1,1", "8@2,2", "1@3,3"]] * 2),
    "conquest": ([{"size": 2}] * 2, [["claim:1", "challenge:1", f"bid:{number}"] for number in (1, 5)]),
}


@pytest.mark.parametrize("slug", SECRETS)
def test_a_spectator_sees_the_same_whatever_is_secret(server: Server, slug: str) -> None:
    drawn: list[list[str]] = []
    setups, lines = SECRETS[slug]
    for setup, moves in zip(setups, lines, strict=True):
        room = open_match(server, slug, setup)
        seen: list[str] = []

        async def test(
            pilot: Seen, room: Room = room, moves: list[str] = moves, seen: list[str] = seen
        ) -> None:
            await type_link(pilot, "w", link_of(room))
            await see(pilot, "X Ann", "O Ben")
            table = table_of(pilot)
            for move in moves:
                room.play(move)
                await told(pilot, room)
                await pilot.settle(lambda: not pilot.app.screen.query_one(PositionWidget)._fresh)
                seen.append(pilot.app.export_screenshot())
            await pilot.press("h", "e", "u", "g", "a", "enter", "5")
            seen.append(pilot.app.export_screenshot())
            assert not table.allows(Deed.FOLLOW)
            assert table.mover is None

        run(test)
        drawn.append(seen)
    assert drawn[0]
    assert drawn[0] == drawn[1]


def test_a_spectator_goes_on_to_the_next_game(server: Server) -> None:
    room = open_match(server, "cross", CROSS)

    async def test(pilot: Seen) -> None:
        await sit_down(pilot, room, None)
        got(room.post("/resign", BEN, {}))
        await see(pilot, "Ann wins. Ben resigned.")
        assert "Rematch?" not in pilot.text
        got(room.ask("rematch", BEN, "offer"))
        got(room.ask("rematch", ANN, "offer"))
        await pilot.settle(lambda: table_of(pilot).allows(Deed.FOLLOW))
        await pilot.press("n")
        await see(pilot, "Ben is to move.")

    run(test)
