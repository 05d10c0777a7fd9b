"""Below a path of somebody else's address, behind a proxy: nothing leads out of there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from ninefold import SLUGS
from ninefold.match import Match, Record
from tests.web.browser.looks import ADDRESSES, filled
from tests.web.browser.proxy import Proxy, proxied
from tests.web.browser.support import People, Person, at_random, at_rest, check_ending, play_alone
from tests.web.conftest import Start
from tests.web.support import Server

PREFIX = "/games"
ATTRIBUTES = ("href", "src", "action", "formaction", "data-copy", "data-share")
LEADING = """names => names.flatMap(name => [...document.querySelectorAll(`[${name}]`)]
  .map(one => one.getAttribute(name)).filter(value => !value.startsWith("#")))"""


@pytest.fixture
def below(start: Start) -> Iterator[tuple[Server, Proxy]]:
    """A server below a path, and the proxy that puts it there; the browsers know only the latter."""
    server = start(None, "--root-path", PREFIX, "--streams-each", "0")
    with proxied(PREFIX, server.port) as proxy:
        server.base = proxy.base
        yield server, proxy


def leading_out(one: Person) -> list[str]:
    """What the page would have its browser ask for outside."""
    return [
        address
        for address in one.page.evaluate(LEADING, ATTRIBUTES)
        if not address.startswith((f"{PREFIX}/", f"{one.base}/"))
    ]


def test_a_match_is_played_reviewed_and_explored_below_a_path(
    below: tuple[Server, Proxy], people: People
) -> None:
    server, proxy = below
    ann = people(server)
    ann.starts("cross", "computer")
    assert leading_out(ann) == []
    ann.sees(at_rest(ann.table))
    ann.plays(at_random(1))
    ann.sees(at_rest(ann.table))  # the computer's answer comes by the stream of events
    assert ann.heard
    ann.does("eval")
    expect(ann.page.locator(".bar")).to_be_visible()
    assert leading_out(ann) == []
    play_alone(ann, at_random(2))
    check_ending(ann)
    id = ann.id
    ann.page.locator("#share summary").click()
    with ann.page.expect_download() as waiting:
        ann.page.get_by_role("link", name="Download the record").click()
    assert Match.of(Record.from_json(waiting.value.path().read_text(encoding="utf-8"))).outcome
    ann.does("review")
    ann.page.wait_for_url(f"{ann.base}/m/{id}/review")
    ann.page.keyboard.press("ArrowLeft")
    ann.steps_to(5)
    assert leading_out(ann) == []
    assert ann.page.get_by_label("Link to this replay").input_value() == ann.page.url
    ann.page.locator("#explore").click()
    ann.page.wait_for_url(f"{ann.base}/explore/cross?*")
    ann.steps_to(5)
    ann.follows(ann.page.locator(".play a.line"))
    ann.steps_to(6)
    assert leading_out(ann) == []
    ann.page.get_by_role("link", name="Ninefold").click()
    expect(ann.page).to_have_url(f"{ann.base}/")
    ann.goes("/games?show=finished")
    expect(ann.page.locator(".game")).to_contain_text("Number Cross")
    ann.starts("battle", "friend")
    assert ann.page.locator("#link").input_value() == ann.page.url
    ann.page.get_by_role("img", name="QR code of the link").evaluate("image => image.decode()")
    assert {cookie.get("path") for cookie in ann.context.cookies()} == {PREFIX}
    assert [path for path in proxy.asked if not path.startswith(f"{PREFIX}/")] == []


def test_no_page_leads_out_of_its_path(below: tuple[Server, Proxy], people: People) -> None:
    server, proxy = below
    ann = people(server)
    ann.expects("404")
    usual = [address for address in ADDRESSES if not address.endswith((*SLUGS,)[1:])]
    for address in (*usual, "/rules/", "/m/nowhere", "/m/ID/review?find=1"):
        ann.goes(filled(server, address))
        assert leading_out(ann) == [], address
        assert ann.page.url.startswith(f"{ann.base}/")
    assert [path for path in proxy.asked if not path.startswith(f"{PREFIX}/")] == []
