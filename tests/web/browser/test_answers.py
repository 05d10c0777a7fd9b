"""What somebody asks for is shown, in whatever order the answers come."""

from __future__ import annotations

from playwright.sync_api import Route, expect

from ninefold import Seat
from tests.web.browser.support import People, Person, seated
from tests.web.support import Table, got, wait_for

EVAL, HINT = "**/m/*eval=1*", "**/hint*"  # requests for who is winning, and for a hint
KEEP_STREAM = """window.EventSource = class extends EventSource {
  constructor(address) { super(address); window.stream = this; }
};"""
RELOAD = """stream.dispatchEvent(
  new MessageEvent("message", { data: '{"kind": "reload"}', lastEventId: "0" }))"""


def sits_down(people: People) -> tuple[Person, Table]:
    """Ann, who is to move and may ask for hints."""
    return seated(people, "battle", "0,0", "0,1", hints=True)


def asks_slowly(ann: Person, name: str, address: str) -> Route:
    """For something whose answer is held back."""
    held: list[Route] = []
    ann.page.route(address, lambda route: held.append(route), times=1)
    ann.does(name)
    wait_for(lambda: bool(ann.page.evaluate("true") and held), "the request")
    return held[0]


def check_advice(ann: Person) -> None:
    expect(ann.page.locator("#hint")).to_be_visible()
    expect(ann.page.locator(".bar")).to_be_visible()


def test_a_page_that_missed_events_is_reloaded_after_the_answer(people: People) -> None:
    ann = people(reduced_motion="reduce")  # a browser that nobody uses again
    ann.page.add_init_script(KEEP_STREAM)
    table = ann.server.create("battle", hints=True)
    ann.holds(table.id, table.tokens[Seat.FIRST])
    slow = asks_slowly(ann, "eval", EVAL)
    ann.page.evaluate(RELOAD)
    ann.page.evaluate("fetch(location).then(answer => answer.text())")  # longer than a reload takes
    with ann.page.expect_request(EVAL):  # the reload
        slow.continue_()
    expect(ann.page.locator(".bar")).to_be_visible()


def test_an_action_that_is_pressed_while_a_move_is_sent_follows_it(people: People) -> None:
    ann, table = sits_down(people)
    held: list[Route] = []
    ann.page.route("**/m/*/move*", lambda route: held.append(route), times=1)
    ann.spot("0-4").click()
    wait_for(lambda: bool(ann.page.evaluate("true") and held), "the move")
    ann.page.locator("#resign summary").click()
    ann.does("resign")
    held[0].continue_()
    expect(ann.page.locator(".ending")).to_be_visible()
    assert len(table.seen()["moves"]) == 3


def test_a_hint_and_who_is_winning_are_both_shown_whichever_comes_first(people: People) -> None:
    ann, _ = sits_down(people)
    slow = asks_slowly(ann, "eval", EVAL)
    ann.does("hint")
    expect(ann.page.locator("#hint")).to_be_visible()
    slow.continue_()
    check_advice(ann)
    ann.goes(f"/m/{ann.id}")
    slow = asks_slowly(ann, "hint", HINT)
    ann.does("eval")
    expect(ann.page.locator(".bar")).to_be_visible()
    slow.continue_()
    check_advice(ann)


def test_what_a_busy_server_refused_is_asked_for_again(people: People) -> None:
    ann, _ = sits_down(people)
    ann.expects("429")
    ann.page.route(EVAL, lambda route: route.fulfill(status=429), times=1)
    ann.does("eval")
    expect(ann.page.locator("#connection")).to_contain_text("The server is busy.")
    expect(ann.page.locator(".bar")).to_be_visible()


def test_news_that_comes_while_a_button_is_pressed_does_not_swallow_the_click(people: People) -> None:
    ann, table = sits_down(people)
    ann.page.locator("#do-eval").hover()
    with ann.page.expect_response(f"**/m/{table.id}") as news:
        ann.page.mouse.down()
        got(table.ask("takeback", Seat.SECOND, "offer"))
    news.value.finished()
    ann.page.evaluate("true")
    ann.page.mouse.up()
    expect(ann.page.locator(".bar")).to_be_visible()
    expect(ann.page.locator(".offer")).to_be_visible()
