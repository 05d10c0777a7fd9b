"""A challenge is a moment: it is shown whoever made it, however quickly the next move comes."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from ninefold import Seat
from tests.web.browser.support import People, Person, at_rest, bid, challenging, seated
from tests.web.support import Server, Table, got

MINE = re.compile("your 4", re.IGNORECASE)
# What should happen after more than two seconds waits for the test. How often cards were on the board.
HOLD = """() => {
  const usual = window.setTimeout;
  window.held = [];
  window.setTimeout = (act, wait, ...more) => wait > 2000 ? held.push(act) : usual(act, wait, ...more);
  window.shown = 0;
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const one of addedNodes) window.shown += one.className === "showdown";
  }).observe(document, { childList: true, subtree: true });
}"""


def moving(people: People, *moves: str, kind: str = "person") -> tuple[Person, Table]:
    """Ann in a match whose pages move, after these moves."""
    ann = people(reduced_motion="no-preference")
    table = ann.server.create("conquest", second={"kind": kind})
    table.play(*moves)
    ann.holds(table.id, table.tokens[Seat.FIRST])
    ann.page.evaluate(HOLD)
    return ann, table


def test_your_own_challenge_is_shown_before_the_computers_next_move(people: People) -> None:
    ann, table = moving(people, kind="level:1")
    pick = challenging(1)
    while not ann.form.locator(".near .numbers").count():
        ann.plays(pick)
        ann.waits()
    ann.page.evaluate("window.shown = 0")
    ann.clicks(bid(4)(ann.offers()))
    expect(ann.page.locator(".showdown")).to_have_count(1)
    expect(ann.page.locator("#live")).to_have_text(MINE)
    expect(ann.page.locator(".status")).to_have_text(MINE)
    assert at_rest(table) > ann.version  # the computer does not wait, its moves do
    assert ann.page.evaluate("held.splice(0).map(act => act()).length") == 1
    ann.waits()
    expect(ann.page.locator(".showdown")).to_have_count(0)
    assert ann.page.evaluate("window.shown") == 1
    expect(ann.page.locator(".news")).to_have_text(MINE)  # for a turn


@pytest.mark.parametrize("skip", ["click", "Enter"])
def test_a_quick_friend_cuts_no_moment_short_but_a_reader_can(people: People, skip: str) -> None:
    ann, table = moving(people, "claim:1", "claim:2", "challenge:2")
    ann.plays(bid(4))
    table.play("bid:2", "claim:3")
    cards = ann.page.locator(".showdown")
    expect(cards).to_have_count(1)
    assert "cell 3" not in ann.page.locator("main").inner_text()  # it comes after the moment
    if skip == "click":
        cards.click()
    else:
        ann.page.keyboard.press(skip)
    expect(cards).to_have_count(0)
    expect(ann.page.locator(".news")).to_contain_text("claimed cell 3")


def warning(server: Server, id: str, ply: int, move: str) -> str:
    """A page of the coach about a move: that of another match, made to fit."""
    other = server.create("cross", {"grid": "542689713"}, second={"kind": "perfect"}, coach=True)
    headers = {"Cookie": f"ninefold={other.tokens[Seat.FIRST]}"}
    form = {"seat": "first", "ply": "0", "move": "Row3"}
    page = server.http.post(f"/m/{other.id}/move", data=form, headers=headers).text
    assert "Play it anyway" in page
    fitting = page.replace(other.id, id).replace('value="Row3"', f'value="{move}"')
    return fitting.replace('name="ply" value="0"', f'name="ply" value="{ply}"')


def test_a_number_that_is_played_in_spite_of_the_coach_is_shown_too(people: People) -> None:
    ann, table = moving(people, "claim:1", "claim:2", "challenge:2")
    got(table.move(Seat.SECOND, "bid:2", 3))
    ann.sees(4)
    page = warning(ann.server, table.id, 3, "bid:4")

    def warn(route: Route) -> None:
        if "sure" in (route.request.post_data or ""):
            route.fallback()
        else:
            route.fulfill(body=page, content_type="text/html")

    ann.page.route("**/move*", warn)
    ann.clicks(bid(4)(ann.offers()))
    expect(ann.page.locator("#take-back")).to_be_focused()
    ann.page.get_by_role("button", name="Play it anyway").click()
    cards = ann.page.locator(".showdown")
    expect(cards.locator("b")).to_have_text(["4", "2"])
    expect(ann.page.locator(".status")).to_have_text(MINE)
    cards.click()
    ann.steps_to(5)
    expect(ann.main).to_be_focused()


def test_the_balance_and_a_turn_taken_back_are_announced(people: People) -> None:
    ann, table = seated(people, "battle", "0,0", "0,1")
    said = ann.page.locator("#live")
    ann.does("eval")
    expect(said).to_contain_text("With best play")
    got(table.ask("takeback", Seat.SECOND, "offer"))
    expect(said).to_contain_text("Ben wants to take back")
    ann.asks("takeback", "accept")
    expect(said).to_contain_text("A turn was taken back.")
