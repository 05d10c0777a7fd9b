"""Playing on a server from the terminal: host, join, watch."""

from __future__ import annotations

import json
import os
import re
import shlex
import sqlite3
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import SimpleQueue
from typing import Any, ClassVar
from unittest import mock

import pexpect  # type: ignore[import-untyped]
import pytest

from ninefold import Seat, load
from ninefold.cli.online import OnlineSeat
from ninefold.cli.voice import Voice
from ninefold.client import Address, Link, RemoteError, Unreachable, new_key, request
from ninefold.client.wire import Done, NewMatch
from ninefold.core.cast import Cast
from ninefold.core.errors import NinefoldError
from ninefold.match import Match, Player
from ninefold.match.events import Away, Event, Here, Offered, Over
from ninefold.match.kinds import Offer
from ninefold.show.moves import cast_of
from ninefold.store.files.matches import Seats
from tests.cli.session import run
from tests.cli.terminals import end, spawn
from tests.ports import free_port
from tests.program import PROGRAM
from tests.web.support import Server, sqlite_url

CROSS = ("cross", "--grid", "123456789")


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    with Server(folder, sqlite_url(folder), "--streams-each", "0") as running:
        yield running


@pytest.fixture
def server(shared_server: Server) -> Server:
    """A server for all tests, each with matches of its own; started again if a test left it dead."""
    process = shared_server.process
    return shared_server if process and process.poll() is None else shared_server.start()


@pytest.fixture
def terminals() -> Iterator[list[pexpect.spawn]]:
    opened: list[pexpect.spawn] = []
    yield opened
    for terminal in opened:
        end(terminal)


def terminal(
    opened: list[pexpect.spawn], *words: str, env: dict[str, str] | None = None
) -> pexpect.spawn:
    spawned = spawn(
        [*PROGRAM, *words],
        timeout=300,
        dimensions=(24, 200),
        env={**os.environ, "NO_COLOR": "1", **(env or {})},
    )
    opened.append(spawned)
    return spawned


def hosted(opened: list[pexpect.spawn], server: Server, *words: str) -> tuple[pexpect.spawn, str]:
    host = terminal(opened, "host", *words, "--server", server.base, "--name", "Ann")
    host.expect(r"Send this link: (\S+)\r\n")
    return host, host.match.group(1)


def match_at(link: str) -> Any:
    """What the server shows a spectator."""
    return request(Any, Link.parse(link).server, "GET", f"/matches/{Link.parse(link).match}")


def resign(screen: pexpect.spawn) -> None:
    screen.sendline("resign")
    screen.expect("Resign this game. .y/N. ")
    screen.sendline("y")


Seated = tuple[pexpect.spawn, pexpect.spawn, str]


@pytest.fixture
def seated(server: Server, terminals: list[pexpect.spawn], tmp_path: Path) -> Seated:
    """Ann on this machine, Ben on another, at the start of a game; and the link to the match."""
    ann, link = hosted(terminals, server, *CROSS)
    elsewhere = {"XDG_DATA_HOME": str(tmp_path / "elsewhere")}
    ben = terminal(terminals, "join", link, "--name", "Ben", env=elsewhere)
    ann.expect("Line: ")
    ben.expect("Waiting for Ann")
    return ann, ben, link


def test_a_coach_on_a_server_warns_at_the_terminal_and_ends_with_what_mattered(
    server: Server, terminals: list[pexpect.spawn]
) -> None:
    wanted = server.create(
        "cross", {"grid": "542689713"}, second={"kind": "perfect"}, coach=True
    )  # only Row 2 wins for the first player
    ann = terminal(terminals, "join", f"{server.base}/m/{wanted.id}#{wanted.tokens[Seat.FIRST]}")
    ann.expect("Line: ")
    ann.sendline("Row3")
    ann.expect("Coach: Row 3 gives something away.")
    ann.expect("Take it back. .Y/n. ")
    ann.sendline("n")
    ann.expect("You claimed Row 3")
    ann.expect("Line: ")
    resign(ann)
    ann.expect("One moment mattered:")
    ann.expect("Your move on turn 1: Row 3. What is better")
    ann.expect("Better move: ")
    ann.sendline("Row2")
    ann.expect("Yes.")
    ann.expect("To review it")


def test_two_terminals_play_a_challenge_and_a_third_watches(
    server: Server, terminals: list[pexpect.spawn]
) -> None:
    ann, link = hosted(terminals, server, "conquest", "--size", "2")
    ann.expect("Waiting for someone to take the other seat")
    ben = terminal(terminals, "join", link, "--name", "Ben")
    ann.expect("Ben has joined")
    ben.expect("Waiting for Ann")
    eve = terminal(terminals, "watch", link)
    eve.expect("numbers left")
    ann.expect("You start.")
    ann.expect("Cell: ")
    ann.sendline("1")
    eve.expect("Ann claimed cell 1.")
    ben.expect("Ann claimed cell 1.")
    ben.expect("Cell: ")
    ben.sendline("challenge 1")
    ben.expect("You challenge Ann's cell 1.")
    ben.expect("Number .*: ")
    ben.sendline("5")
    ben.expect("Waiting for Ann")
    eve.expect("Ben has chosen")
    ann.expect("Ben has chosen.|Ben challenges your cell 1.")
    ann.expect("Number .*: ")
    ann.sendline("3")
    ann.expect("Ben's 5 beat your 3: Ben takes cell 1.")
    ben.expect("Your 5 beat Ann's 3: you take cell 1.")
    eve.expect("Ben's 5 beat Ann's 3")
    ann.expect("Cell: ")
    resign(ann)
    for screen, said in ((ann, "You lose."), (ben, "You win."), (eve, "Ben wins.")):
        screen.expect(said)
        screen.expect("You resigned." if screen is ann else "Ann resigned.")
    eve.expect(pexpect.EOF)
    ann.expect("Rematch. Ben starts.")
    ann.sendline("n")
    ann.expect(pexpect.EOF)


# Rematches


@pytest.fixture
def finished(seated: Seated) -> tuple[pexpect.spawn, pexpect.spawn]:
    """Two terminals whose game has ended, both asked whether they want a rematch."""
    ann, ben, _ = seated
    resign(ann)
    ann.expect("You lose.")
    ann.expect("Rematch. Ben starts.")
    ben.expect("You win.")
    ben.expect("Rematch. You start.")
    return ann, ben


def test_a_rematch_begins_when_both_want_it_and_the_other_player_starts(
    finished: tuple[pexpect.spawn, pexpect.spawn],
) -> None:
    ann, ben = finished
    ann.sendline("maybe")
    ann.expect("Type y to play again, or n to stop.")
    ann.sendline("y")
    ann.expect("Asked Ben")
    ben.expect("Ann offers a rematch with the sides swapped. Type y or n.")
    ben.sendline("y")
    ben.expect("You start.")
    ann.expect("Waiting for Ben")
    ben.expect("Line: ")
    ben.sendline("Row1")
    ann.expect("Ben claimed Row 1")
    ann.expect("Line: ")
    resign(ann)
    for screen in (ann, ben):
        screen.expect("Games so far: Ann 0, Ben 2")
        screen.expect("Rematch")
        screen.sendline("n")
        screen.expect(pexpect.EOF)


def test_the_end_of_a_game_ends_the_question_so_that_a_rematch_takes_the_answer(seated: Seated) -> None:
    ann, ben, _ = seated
    ann.send("Row")
    ann.expect("Row")
    resign(ben)
    ben.expect("Rematch. You start.")
    ben.sendline("y")
    ann.expect("You win.")
    ann.expect("Rematch. Ben starts. .y/N. ")
    ann.sendline("y")
    ann.expect("Waiting for Ben")
    ben.expect("Line: ")


def test_leaving_while_waiting_for_a_rematch_withdraws_the_offer(
    finished: tuple[pexpect.spawn, pexpect.spawn],
) -> None:
    ann, ben = finished
    ann.sendline("y")
    ann.expect("Asked Ben")
    ann.sendline("quit")
    ann.expect(pexpect.EOF)
    ann.close()
    assert ann.exitstatus == 0
    ben.expect("Ann offers a rematch")
    ben.sendline("y")
    ben.expect("Asked Ann")


def test_the_next_game_of_a_series_is_offered_as_such(
    server: Server, terminals: list[pexpect.spawn]
) -> None:
    wanted = server.create("cross", {}, second={"kind": "random"}, best_of=3)
    ann = terminal(terminals, "join", f"{server.base}/m/{wanted.id}#{wanted.tokens[Seat.FIRST]}")
    ann.expect("Line: ")
    resign(ann)
    ann.expect("Series: Player 1 0, the computer 1.")
    ann.expect("Next game. The computer starts. .y/N. ")
    ann.sendline("y")
    ann.expect("Line: ")
    resign(ann)
    ann.expect("Series: Player 1 0, the computer 2.")
    ann.expect("The computer wins the best of 3. Rematch. You start. .y/N. ")


def test_a_rematch_can_be_declined(finished: tuple[pexpect.spawn, pexpect.spawn]) -> None:
    ann, ben = finished
    ben.sendline("y")
    ben.expect("Asked Ann")
    ann.expect("Ben offers a rematch")
    ann.sendline("")
    ann.expect(pexpect.EOF)
    ben.expect("Ann does not want a rematch")
    ben.expect(pexpect.EOF)
    ben.close()
    assert ben.exitstatus == 0


# Secrets and lost connections


def test_a_watcher_never_sees_the_target_before_the_end(
    server: Server, terminals: list[pexpect.spawn]
) -> None:
    ann, link = hosted(terminals, server, "shadow", "--target", "17")
    ben = terminal(terminals, "join", link, "--name", "Ben")
    ann.expect("Target: 17")
    ben.expect("Target: 17")
    eve = terminal(terminals, "watch", link)
    eve.expect("Target: secret until the end")
    ann.expect("Number .*: ")
    ann.sendline("5@2,2")
    eve.expect("Ann put 5 in the center")
    eve.expect("5 X")
    eve.expect("Target: secret until the end")
    assert "17" not in eve.before
    ben.expect("Number .*: ")
    resign(ben)
    eve.expect("Ann wins.")


def test_a_killed_server_is_waited_for_and_no_move_is_lost(
    server: Server, terminals: list[pexpect.spawn]
) -> None:
    ann, link = hosted(terminals, server, "battle", "--grid", "123456789")
    ben = terminal(terminals, "join", link, "--name", "Ben")
    ben.expect("Waiting for Ann")
    ann.expect("Number: ")
    ann.sendline("2 2")
    ben.expect("Ann took the 9 and has 9.")
    ben.expect("Number: ")
    server.kill()
    ann.expect("connection lost")
    ben.sendline("2 1")
    server.start()
    ann.expect("Ben took the 8 and has 8.")
    ben.expect("You took the 8 and have 8.")


def test_a_lost_connection_and_its_return_are_announced_at_the_prompt(
    server: Server, seated: Seated
) -> None:
    ann, ben, _ = seated
    server.kill()
    for screen in (ann, ben):
        screen.expect("connection lost")
    server.start()
    for screen in (ann, ben):
        screen.expect("reconnected")
    ann.sendline("Row1")
    ann.expect("Waiting for Ben")
    assert "connect" not in ann.before, "it is told once"
    ben.expect("Ann claimed Row 1")


def test_a_match_that_the_server_has_lost_is_not_waited_for(
    server: Server, seated: Seated, terminals: list[pexpect.spawn]
) -> None:
    _, ben, link = seated
    eve = terminal(terminals, "watch", link)
    eve.expect("Number Cross: Ann against Ben")
    server.kill()
    for file in server.folder.glob("*.db*"):
        file.unlink()
    server.start()
    for screen in (ben, eve):
        screen.expect("no longer on the server|There is no such match")
        screen.expect(pexpect.EOF)


def test_a_database_that_is_away_is_waited_for_and_the_move_is_made_once(
    server: Server, seated: Seated
) -> None:
    ann, ben, link = seated
    with closing(sqlite3.connect(server.folder / "server.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        ann.sendline("Row2")
        ann.expect("the server is not available right now; trying again")
    ann.expect("reconnected")
    ann.expect("You claimed Row 2")
    ben.expect("Ann claimed Row 2")
    ben.expect("Line: ")
    ben.sendline("Row1")
    ann.expect("Line: ")
    assert [one["move"] for one in match_at(link)["moves"]] == ["Row2", "Row1"]


class Forgetful(BaseHTTPRequestHandler):
    """Does what the first request asks for, and closes the connection without an answer."""

    seen: ClassVar[list[str | None]] = []

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.seen.append(self.headers["Idempotency-Key"])
        if len(self.seen) > 1:
            self.send_response(201)
            self.end_headers()
            self.wfile.write(b'{"token": "t"}')

    def log_message(self, format: str, *args: object) -> None:
        pass


def test_a_request_whose_answer_was_lost_is_sent_again_with_the_same_key() -> None:
    Forgetful.seen.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Forgetful) as old:
        threading.Thread(target=old.serve_forever, daemon=True).start()
        server = Address.parse(f"127.0.0.1:{old.server_port}")
        wanted = (server, "POST", "/matches", NewMatch("cross"))
        with pytest.raises(Unreachable):
            request(dict[str, str], *wanted, attempts=1)
        assert len(Forgetful.seen) == 1
        Forgetful.seen.clear()
        assert request(dict[str, str], *wanted, attempts=1, key=new_key()) == {"token": "t"}
        assert len(set(Forgetful.seen)) == 1
        assert len(Forgetful.seen) == 2
        with pytest.raises(Unreachable, match="not a Ninefold server"):
            request(dict[str, str], server, "GET", "/matches", attempts=1)
        old.shutdown()


def test_a_refusal_by_a_server_of_another_version_names_both_versions(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = Address.parse(server.base)
    with pytest.raises(RemoteError) as same:
        request(Done, address, "POST", "/nowhere", attempts=5)
    assert "Ninefold" not in str(same.value)
    monkeypatch.setattr("ninefold.client.__version__", "9.9")
    with pytest.raises(RemoteError, match=r"server runs Ninefold .*, and this is 9\.9"):
        request(Done, address, "POST", "/nowhere", attempts=5)


@pytest.mark.parametrize("words", [("host", "cross", "--server"), ("join",), ("watch",)])
def test_a_server_that_is_not_there_is_reported_at_once(words: tuple[str, ...]) -> None:
    address = f"http://127.0.0.1:{free_port()}"
    told = run(*words, address if "host" in words else f"{address}/m/abc")
    assert told.status == 1
    assert "does not answer" in told.err
    assert ("ninefold serve" in told.err) == ("host" in words)


# Hints


@pytest.mark.parametrize(
    ("words", "said"), [([], "Nobody gets hints."), (["--hints"], "Both of you can ask for hints.")]
)
def test_hints_are_off_unless_the_host_allows_them_and_whoever_joins_is_told(
    server: Server, terminals: list[pexpect.spawn], words: list[str], said: str
) -> None:
    ann, link = hosted(terminals, server, *CROSS, *words)
    ann.expect(said)
    ben = terminal(terminals, "join", link, "--name", "Ben")
    ben.expect(said)
    ben.expect("Waiting for Ann")
    ann.expect("Line: ")
    ann.sendline("hint")
    ann.expect("Hint: " if words else "without hints")
    ann.sendline("?")  # which offers nothing that would be refused
    ann.expect("the best move, and why" if words else "off in this game")
    ann.expect("undo +not possible now")
    ann.expect("abort +cancel the match")
    ben.sendline("?")
    ben.expect("abort +not possible now")


def test_a_coach_on_a_server_warns_at_the_terminal_too(
    server: Server, terminals: list[pexpect.spawn]
) -> None:
    table = server.create("cross", {"grid": "542689713"}, second={"kind": "perfect"}, coach=True)
    link = f"{server.base}/m/{table.id}#{table.tokens[Seat.FIRST]}"
    ann = terminal(terminals, "join", link)
    ann.expect("Line: ")
    ann.sendline("Row3")
    ann.expect("Coach: Row 3 gives something away.")
    ann.expect("Take it back")
    ann.sendline("y")
    ann.expect("Line: ")
    assert match_at(link)["ply"] == 0
    ann.sendline("Row2")
    ann.expect("You claimed Row 2 for 23")


# Clocks, and matches that are not played


def test_the_time_for_a_move_is_said_and_a_game_cannot_be_claimed_too_soon(
    server: Server, terminals: list[pexpect.spawn]
) -> None:
    ann, link = hosted(terminals, server, *CROSS, "--clock", "2m")
    ben = terminal(terminals, "join", link, "--name", "Ben")
    ann.expect("You have 2 minutes for this move.")
    ben.expect("Waiting for Ann")
    ben.sendline("win")
    ben.expect("Ann is here.")
    assert match_at(link)["clock"] == 120


def test_the_player_who_created_a_match_can_cancel_it_before_the_first_move(seated: Seated) -> None:
    ann, ben, _ = seated
    ben.sendline("abort")
    ben.expect("Only the player who created the match can cancel it")
    ann.sendline("abort")
    ann.expect("The match has been canceled.")
    ann.expect(pexpect.EOF)
    ben.expect("no longer on the server")


# Taking back


def test_a_takeback_is_asked_for_and_granted(seated: Seated) -> None:
    ann, ben, _ = seated
    ann.sendline("Row1")
    ben.expect("Line: ")
    ben.sendline("Row2")
    ann.expect("Ben claimed Row 2")
    ann.expect("Line: ")
    ann.sendline("undo")
    ann.expect("Asked Ben")
    ben.expect("Let them. .y/N. ")
    ben.sendline("perhaps")
    ben.expect("Type y to let them")
    ben.sendline("accept")
    ann.expect("Line: ")
    ann.sendline("Row3")
    ben.expect("Ann claimed Row 3")


def test_a_takeback_is_asked_for_while_the_opponent_thinks(seated: Seated) -> None:
    ann, ben, _ = seated
    ann.sendline("Row1")
    ann.expect("Waiting for Ben")
    ben.expect("Line: ")
    ann.sendline("undo")
    ann.expect("Asked Ben")
    ben.expect("Type accept or decline")
    ben.sendline("accept")
    ben.expect("Waiting for Ann")
    ann.expect("Line: ")
    ann.sendline("Row3")
    ben.expect("Ann claimed Row 3")


def test_news_does_not_spoil_what_is_being_typed(seated: Seated) -> None:
    ann, ben, _ = seated
    ann.sendline("Row1")
    ann.expect("Waiting for Ben")
    ben.expect("Line: ")
    ben.send("Row")
    ben.expect("Row")
    ann.sendline("u")
    ben.expect(r"Ann wants to take back their last turn\. Type accept or decline\.\r\nLine: .*Row")
    ben.sendline("2")
    ann.expect("Ben claimed Row 2")


def table_of(you: Seat, **more: object) -> mock.Mock:
    """What an announcement asks of a table."""
    return mock.Mock(you=you, sitting=mock.Mock(actor=you), **more)


def test_an_opponent_who_leaves_or_comes_back_is_announced_at_the_prompt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The server would send the event only after a while, so it is made here."""
    said: list[str] = []
    online = OnlineSeat.__new__(OnlineSeat)
    online.console, online.table = mock.Mock(notify=said.append), table_of(Seat.FIRST)
    online._typing = True
    monkeypatch.setattr(OnlineSeat, "cast", Cast(("Ann", "Ben")))
    for event in (Away(Seat.SECOND), Here(Seat.SECOND)):
        assert online._announce(event)  # so that it is not said again
    assert [text.partition(".")[0] for text in said] == ["Ben is away", "Ben is back"]


@pytest.mark.parametrize("event", [Offered(Seat.SECOND, Offer.STOP), Over(None, "agreed")])
def test_whoever_answers_at_once_finds_what_was_announced(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    online, heard = OnlineSeat.__new__(OnlineSeat), SimpleQueue[Event]()
    found: list[Event] = []
    online.console = mock.Mock(notify=lambda *_, **__: found.append(heard.get_nowait()))
    online.table = table_of(Seat.FIRST, heard=heard)
    online.match, online._typing = mock.Mock(over=False), True
    monkeypatch.setattr(OnlineSeat, "cast", Cast(("Ann", "Ben")))
    assert online._announce(event)  # so that it is not kept twice
    assert found == [event]


def told_between(*moves: str, more: Sequence[str]) -> list[str]:
    """What Ann, who has the first seat, is told of `more` moves, all at once."""
    said: list[str] = []
    online = OnlineSeat.__new__(OnlineSeat)
    online.console = mock.Mock(say=lambda *lines: said.extend(lines), painter=lambda _: None)
    players = (Player("Ann", Seat.FIRST), Player("Ben", Seat.SECOND))
    match = Match(load("conquest").start(size=2), players)

    def play(texts: Sequence[str]) -> Match:
        for text in texts:
            seat, _, move = text.rpartition(" ")
            match.submit(Seat[seat.upper()] if seat else match.state.movers[0], move)
        return Match.of(match.record(Seat.FIRST))

    online.match, now = play(moves), play(more)
    cast = cast_of(now, Seat.FIRST)
    online.table = mock.Mock(you=Seat.FIRST, heard=SimpleQueue(), match=now, cast=cast)
    online.voice = Voice()
    assert online._refresh()
    return said


def test_a_defender_who_chose_first_is_told_the_result_and_not_that_a_turn_was_taken_back() -> None:
    said = told_between("claim:1", "challenge:1", "first bid:5", more=["bid:3"])
    assert said[:2] == ["", "Ben's 3 lost to your 5: you keep cell 1."]


def test_a_challenge_is_told_only_by_the_question_for_its_number() -> None:
    assert told_between("claim:1", more=["challenge:1", "second bid:3"]) == []
    assert told_between("claim:1", more=["challenge:1", "first bid:3"]) == ["", "You have chosen."]


# Watching


def test_a_watcher_leaves_with_q_and_nothing_typed_reaches_the_shell(
    seated: Seated, terminals: list[pexpect.spawn]
) -> None:
    _, _, link = seated
    script = f'"$0" "$@" watch {link}; echo "left $?"; read line; echo "[$line]"'
    eve = spawn(["/bin/sh", "-c", script, *PROGRAM], timeout=300)
    terminals.append(eve)
    eve.expect("Press q to leave")
    eve.expect("0: none")
    eve.send("rm x")
    eve.send("q")
    eve.expect("left 0")
    assert "rm" not in eve.before
    eve.sendline("clean")
    eve.expect(r"\[clean\]")


# Reviewing


def test_a_match_on_a_server_in_which_nobody_moved_is_not_listed(
    finished: tuple[pexpect.spawn, pexpect.spawn],
) -> None:
    assert run("history").out.startswith("No matches yet")


def test_a_match_on_a_server_is_reviewed_by_its_link_and_by_its_id(seated: Seated) -> None:
    ann, ben, link = seated
    ann.sendline("Row1")
    ann.expect("You claimed Row 1")
    ben.expect("Line: ")
    (kept,) = json.loads(run("history", "--json").out)
    for words in ([link], [link, "--json"], [kept["id"]], [kept["id"], "--json"]):
        still = run("review", *words)
        assert (still.status, still.out, "still being played" in still.err) == (1, "", True)
    assert "Turn 1: Ann claimed Row 1" in run("replay", link).out
    resign(ben)
    ben.expect("You lose.")
    ann.expect("You win.")
    ann.expect("Rematch")
    (listed,) = json.loads(run("history", "--json").out)
    assert listed["link"] == link
    assert re.search("cross +Ann - Ben, online +1 +Ann won", run("history").out)
    by_link = run("review", f"{link}/review")
    assert by_link.out.startswith("Number Cross: you against Ben\nYou win.\n")
    assert run("review", listed["id"]) == by_link
    assert "Turn 1: Ann claimed Row 1" in run("replay", listed["id"]).out


# Stopping


@pytest.fixture
def at_pattern(terminals: list[pexpect.spawn], server: Server) -> Seated:
    """Ann is to move; Ben waits."""
    ann, link = hosted(terminals, server, "pattern")
    ben = terminal(terminals, "join", link, "--name", "Ben")
    ann.expect("Number ")
    ben.expect("Waiting for Ann")
    return ann, ben, link


def test_a_game_is_stopped_when_both_agree(at_pattern: Seated, terminals: list[pexpect.spawn]) -> None:
    ann, ben, link = at_pattern
    watcher = terminal(terminals, "watch", link)
    watcher.expect("Pattern Match: Ann against Ben")
    ann.sendline("stop")
    ann.expect("Ben has been asked. You can play on meanwhile.")
    ben.expect("Ann offers to stop, and nobody wins. Do you agree. .y/N. ")
    ben.sendline("perhaps")
    ben.expect("Type y to stop, or n to play on.")
    ben.sendline("y")
    ann.expect("Nobody wins: you and Ben agreed to stop.")
    ben.expect("Nobody wins: you and Ann agreed to stop.")
    watcher.expect("Nobody wins: Ann and Ben agreed to stop.")
    assert match_at(link)["stopped"] == "agreed"


def test_whoever_is_asked_to_stop_may_play_on(at_pattern: Seated) -> None:
    ann, ben, link = at_pattern
    ben.sendline("stop")
    ben.expect("Ann has been asked")
    ann.expect("Ben offers to stop, and nobody wins. Do you agree. Type stop to agree, or play on.")
    ann.sendline("")
    ann.expect("Do you agree. .y/N. ")
    ann.sendline("n")
    ben.expect("Ann wants to play on.")
    ann.expect("Number ")
    ann.sendline("5@2,2")
    ben.expect("Ann put 5 in the center")
    ben.expect("Number ")
    ben.sendline("stop")
    ann.expect("Do you agree. .y/N. ")
    ann.sendline("stop")
    ben.expect("Nobody wins")
    assert match_at(link)["stopped"] == "agreed"


def test_whoever_moves_has_answered_an_offer_to_stop(at_pattern: Seated) -> None:
    ann, ben, link = at_pattern
    ben.sendline("stop")
    ann.expect("Type stop to agree, or play on.")
    ann.sendline("5@2,2")
    ann.expect("You put 5 in the center")
    ben.expect("Number ")
    assert match_at(link)["offers"].get("stop") is None


def test_help_lists_stop_only_in_a_game_that_could_go_on_forever(
    at_pattern: Seated, seated: Seated
) -> None:
    for (screen, _, _), expected in ((at_pattern, True), (seated, False)):
        screen.sendline("?")
        screen.expect("quit ")
        assert ("offer to stop" in screen.before) == expected


# Returning


def test_a_player_returns_by_the_link_to_their_seat(
    seated: Seated, terminals: list[pexpect.spawn]
) -> None:
    ann, _, _ = seated
    ann.sendline("quit")
    ann.expect(r"To continue:\s+ninefold join (\S+)")
    assert "#" not in ann.match.group(1), "the token is for nobody's eyes"
    (kept,) = Seats().tokens(ann.match.group(1))
    again = terminal(terminals, "join", f"{ann.match.group(1)}#{kept}")
    again.expect("Line: ")
    assert kept not in Path(f"/proc/{again.pid}/cmdline").read_text()
    again.sendline("Row1")
    again.expect("You claimed Row 1")


def test_a_player_returns_by_the_link_to_the_match_after_the_terminal_was_closed(
    seated: Seated, terminals: list[pexpect.spawn], tmp_path: Path
) -> None:
    ann, ben, link = seated
    ann.close(force=True)
    again = terminal(terminals, "join", link)
    again.expect("Line: ")
    again.sendline("Row1")
    ben.expect("Ann claimed Row 1")
    assert (tmp_path / "data" / "ninefold" / "seats").stat().st_mode & 0o777 == 0o600


def test_whoever_took_both_seats_here_is_told_how_to_return_to_each(
    server: Server, terminals: list[pexpect.spawn]
) -> None:
    ann, link = hosted(terminals, server, "cross")
    terminal(terminals, "join", link, "--name", "Ben").expect("Ann")
    ann.expect("Line: ")
    told = run("join", link)
    assert told.status == 1
    for name in ("Ann", "Ben"):
        assert f"ninefold join {link} --name {name}\n" in told.err
    ann.close(force=True)
    again = terminal(terminals, "join", link, "--name", "Ann")
    again.expect("Line: ")


def test_a_second_joiner_is_told_to_watch(
    seated: Seated, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, _, link = seated
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "of a third"))
    late = run("join", link)
    assert late.status == 1
    assert f"To watch: ninefold watch {link}" in late.err


def test_a_computer_plays_a_seat_from_this_machine(
    server: Server, terminals: list[pexpect.spawn], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of them play with each other, one of them a program; a third fails and resigns."""
    code = 'import json, sys\nfor line in sys.stdin: print(json.loads(line)["moves"][0])'
    program = f"{sys.executable} -uc {shlex.quote(code)}"
    for game, player in (("conquest", f"program:{program}"), ("cross", "program:false")):
        ann, link = hosted(terminals, server, game)
        ann.expect("Waiting for someone")
        ann.close(force=True)
        other = terminal(terminals, "join", link, "--player", "level:5")
        other.expect("Back in your seat")
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / game))
        done = run("join", link, "--name", "Bot", "--player", player)
        assert done.status == 0, done.err
        ending = "The seat resigns.\n\nYou lose." if player == "program:false" else "cells to"
        assert ending in done.out
        other.expect("You (win|lose)")


def test_a_host_returns_before_anybody_has_joined(
    server: Server, terminals: list[pexpect.spawn], tmp_path: Path
) -> None:
    ann, link = hosted(terminals, server, "cross")
    ann.expect("Waiting for someone")
    resign(ann)
    ann.expect("The match has not (begun|started)")
    ann.close(force=True)
    again = terminal(terminals, "join", link)
    again.expect("Back in your seat")
    again.expect("Waiting for someone")
    elsewhere = {"XDG_DATA_HOME": str(tmp_path / "elsewhere")}
    terminal(terminals, "join", link, "--name", "Ben", env=elsewhere).expect("Waiting for Ann")
    again.expect("Ben has joined")
    again.expect("Line: ")


def test_a_damaged_list_of_seats_is_no_obstacle(
    server: Server, terminals: list[pexpect.spawn], tmp_path: Path
) -> None:
    seats = tmp_path / "data" / "ninefold" / "seats"
    seats.parent.mkdir(parents=True)
    seats.write_bytes(b"\xff\xfe nonsense\n\n")
    ann, _ = hosted(terminals, server, "cross")
    ann.expect("Waiting for someone")


# While the opponent thinks


def test_commands_can_be_typed_while_the_opponent_thinks(seated: Seated) -> None:
    ann, ben, _ = seated
    ben.sendline("help")
    ben.expect("You can also type a letter or a word:")
    ben.expect("resign +resign this game")
    ben.sendline("Row1")
    ben.expect("It is not your turn yet")
    ann.sendline("Row2")
    ben.expect("Ann claimed Row 2")
    ben.expect("Line: ")
    ben.sendline("Row1")
    ann.expect("Line: ")
    resign(ben)
    ben.expect("You lose.")
    ann.expect("You win.")
    ann.expect("Ben resigned.")
    ann.expect("To review it: ninefold review http")


def test_leaving_while_the_opponent_thinks(seated: Seated) -> None:
    _, ben, _ = seated
    ben.sendline("quit")
    ben.expect(r"To continue:\s+ninefold join")
    ben.expect(pexpect.EOF)


# Links


@pytest.mark.parametrize("text", ["", "nonsense", "ftp://x/m/abc", "http://x/abc", "http://x:port/m/abc"])
def test_what_is_not_a_link_is_a_usage_error(text: str) -> None:
    session = run("join", text)
    assert session.status == 2
    assert "is not a" in session.err


def test_links_round_trip() -> None:
    for text in ("http://host:8909/m/abc", "https://host/under/m/a-b_c#token"):
        assert str(Link.parse(text)) == text


def test_an_address_may_leave_out_the_scheme() -> None:
    assert Address.parse("games.example:80") == Address.parse("http://games.example:80/")
    with pytest.raises(NinefoldError):
        Address.parse("http://")
