"""The connection breaks, and nothing is lost or done twice."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from playwright.sync_api import APIResponse, Route, expect

from ninefold import Seat
from tests.web.browser.support import People, Person, at_random, check_ending, play_out
from tests.web.conftest import Start
from tests.web.support import Server, wait_for

DOWN = ("ERR_CONNECTION_REFUSED", "ERR_EMPTY_RESPONSE", "ERR_INCOMPLETE_CHUNKED", "ERR_CONNECTION_RESET")


def follow_banner(one: Person) -> None:
    """Keep all that the banner says, however shortly."""
    one.page.evaluate("""() => {
        window.said = [];
        const banner = document.getElementById("connection");
        new MutationObserver(() => window.said.push(banner.textContent)).observe(
          banner, { childList: true, characterData: true, subtree: true });
    }""")


def hears(one: Person, text: str) -> None:
    one.page.wait_for_function("text => window.said.some(one => one.includes(text))", arg=text)


def moves(one: Person) -> list[str]:
    """Of the match that somebody looks at."""
    return [played["move"] for played in one.table.seen()["moves"]]


def test_a_killed_server_comes_back_and_the_match_goes_on(people: People, start: Start) -> None:
    server = start(None, "--streams-each", "0")
    ann, ben = people(server), people(server)
    ann.sets_up("shadow", against="friend", side="first", target="15", hints_friend="yes")
    ben.joins(ann.id)
    ann.sees(ben.version)
    pick = at_random(3)
    for one, other in ((ann, ben), (ben, ann)):
        one.plays(pick)
        other.sees(one.version)
    before = moves(ann)
    for one in (ann, ben):
        follow_banner(one)
        one.expects(*DOWN)
    server.kill()
    for one in (ann, ben):
        hears(one, "Connection lost. Trying again")
        expect(one.page.locator("#connection")).to_be_visible()
    ann.does("hint")  # the page stays although nobody answers
    offer = pick(ann.offers())
    ann.clicks(offer)
    hears(ann, "What you did will be sent when the connection is back")
    server.start()
    for one in (ann, ben):
        hears(one, "Reconnected.")
    for one in (ann, ben):
        one.sees(len(before) + 2)  # joined, and the moves
    assert len(moves(ann)) == len(before) + 1
    assert moves(ann)[: len(before)] == before
    assert moves(ann)[-1].startswith(f"{offer.number}@")
    for one in (ann, ben):
        expect(one.page.locator("#connection")).to_be_hidden()
    play_out([ann, ben], pick)
    check_ending(ann, ben)


def test_a_database_that_is_away_for_a_while_leaves_the_page_as_it_is(
    people: People, start: Start, tmp_path: Path
) -> None:
    server = start(None, "--streams-each", "0")
    ann, ben = people(server), people(server)
    ann.sets_up("shadow", against="friend", side="first", target="15")
    ben.joins(ann.id)
    ann.sees(ben.version)
    follow_banner(ann)
    for one in (ann, ben):
        one.expects("503", *DOWN)
    with closing(sqlite3.connect(tmp_path / "server.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        offer = at_random(3)(ann.offers())
        ann.clicks(offer)
        hears(ann, "What you did will be sent when the connection is back")
    hears(ann, "Reconnected.")
    for one in (ann, ben):
        one.sees(2)
    (move,) = moves(ann)
    assert move.startswith(f"{offer.number}@")


def test_a_move_whose_answer_was_lost_is_not_made_twice(people: People) -> None:
    ann = people()
    ann.starts("battle", "here")
    follow_banner(ann)
    ann.expects("ERR_FAILED")
    lost: list[str] = []

    def lose(route: Route) -> None:
        if lost:
            route.fallback()
            return
        lost.append(route.request.url)
        route.fetch(max_redirects=0)
        route.abort("failed")

    ann.page.route("**/m/*/move*", lose)
    ann.clicks(ann.offers()[0])
    hears(ann, "What you did will be sent when the connection is back")
    assert len(moves(ann)) == 1
    ann.sees(1)
    expect(ann.page.locator("#connection")).to_be_hidden()
    assert len(moves(ann)) == 1
    ann.plays(at_random(1))
    assert len(moves(ann)) == 2


def test_a_move_made_without_a_network_is_sent_when_it_is_back(people: People) -> None:
    ann = people()
    ann.starts("battle", "here")
    follow_banner(ann)
    ann.expects("ERR_INTERNET_DISCONNECTED")
    ann.context.set_offline(True)
    ann.clicks(ann.offers()[0])
    hears(ann, "Connection lost")
    assert moves(ann) == []
    ann.context.set_offline(False)
    ann.sees(1)
    hears(ann, "Reconnected.")
    assert len(moves(ann)) == 1


def test_an_answer_that_comes_late_does_not_turn_the_page_back(site: Server, people: People) -> None:
    ann, table = people(), site.create("battle")
    ann.holds(table.id, table.tokens[Seat.FIRST])
    ann.page.evaluate("""() => {
        window.shown = [];
        const look = () => window.shown.push(Number(document.querySelector("main").dataset.version));
        new MutationObserver(look).observe(document.body, { childList: true });
    }""")
    late: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        if late:
            route.fallback()
        else:
            late.append((route, route.fetch()))

    table.play("0,0", "0,1")
    ann.sees(2)
    ann.page.route(f"**/m/{table.id}", hold)
    assert table.ask("takeback", Seat.SECOND, "offer").status_code == 200
    wait_for(lambda: ann.page.evaluate("1") == 1 and bool(late), "the page to ask what is new")
    ann.plays(at_random(1))
    ann.sees(4)
    route, answer = late[0]
    route.fulfill(response=answer)
    ann.page.evaluate("fetch(location.href).then(answer => answer.text())")  # comes after the late one
    assert "Player 2 wants to take back" in answer.text()
    shown = ann.page.evaluate("window.shown")
    assert shown == sorted(shown)
    ann.sees(4)
