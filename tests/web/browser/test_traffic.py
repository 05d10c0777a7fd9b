"""What goes over the wire: little, from here alone, and under a strict policy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import expect

from ninefold import SLUGS
from tests.web.browser.looks import ADDRESSES, filled
from tests.web.browser.support import People, at_random
from tests.web.conftest import Start
from tests.web.support import Server

SELF, NONE = "'self'", "'none'"


def check_policy(headers: Mapping[str, str]) -> None:
    """Under it nothing runs but what is from here."""
    parts = [part.split() for part in headers["content-security-policy"].split(";")]
    policy = {name: sources for name, *sources in parts}
    assert len(policy) == len(parts)
    assert policy["default-src"] == [NONE]
    assert policy["base-uri"] == [NONE]
    assert policy["frame-ancestors"] == [NONE]
    assert [name for name, sources in policy.items() if sources not in ([SELF], [NONE])] == []
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("address", [*ADDRESSES, "/demo/shadow/1", "/m/nowhere", "/nowhere"])
def test_a_page_has_a_policy_without_exceptions(site: Server, address: str) -> None:
    path, accepted = filled(site, address), {"Accept": "text/html"}
    answer = site.http.get(path, headers=accepted, follow_redirects=True)
    assert answer.status_code == (404 if "nowhere" in address else 200)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    check_policy(answer.headers)


def test_a_match_its_refusals_and_its_review_have_the_policy_too(people: People) -> None:
    ann = people()
    ann.expects("404", "422")
    ann.goes("/m/nowhere")
    ann.goes("/new/battle")
    ann.page.get_by_label("Grid").fill("99")
    ann.page.get_by_role("button", name="Start").click()
    expect(ann.page.get_by_role("alert")).to_be_visible()
    ann.starts("cross", "here")
    ann.plays(at_random(1))
    ann.page.locator("#resign summary").click()
    ann.does("resign")
    ann.page.get_by_role("link", name="Review").click()
    ann.page.wait_for_url("**/review*")
    pages = [it for it in ann.responses if "text/html" in it.headers.get("content-type", "")]
    for response in pages:
        check_policy(response.headers)
    assert {it.status for it in ann.responses} >= {200, 303, 404, 422}


def test_the_policy_is_in_force(people: People) -> None:
    ann = people()
    ann.expects("Content Security Policy")
    ann.goes("/")
    ann.main.evaluate("""main => {
        const script = document.createElement("script");
        script.textContent = "document.title = 'run'";
        main.append(script);
    }""")
    expect(ann.page).not_to_have_title("run")
    assert any("Content Security Policy" in problem for problem in ann.problems)


@pytest.mark.parametrize(
    "address", ["/", "/puzzle", "/puzzle/2026-01-14", "/m/ID/review", "/explore/pattern"]
)
def test_the_first_visit_takes_less_than_32_kilobytes(people: People, address: str) -> None:
    ann = people()
    wire = ann.context.new_cdp_session(ann.page)
    wire.send("Network.enable")
    wire.send("Network.clearBrowserCache")  # they may have been here in another test
    sizes: list[float] = []

    def loaded(event: dict[str, Any]) -> None:
        sizes.append(event["encodedDataLength"])

    wire.on("Network.loadingFinished", loaded)
    ann.page.goto(ann.base + filled(ann.server, address), wait_until="networkidle")
    assert len([size for size in sizes if size]) >= 5  # the page, its style, its scripts, its icon
    assert sum(sizes) < 32_000


def test_each_script_is_smaller_than_10_kilobytes(site: Server) -> None:
    page = site.http.get("/", headers={"Accept": "text/html"}).text
    paths = re.findall(r'<script type="module" src="([^"]+)">', page)
    assert len(paths) == 2
    for path in paths:
        answer = site.http.get(path, headers={"Accept-Encoding": "gzip"})
        assert answer.headers["content-encoding"] == "gzip"
        assert int(answer.headers["content-length"]) < 10_000


def test_a_second_visit_loads_the_files_of_the_page_from_the_browser(people: People) -> None:
    ann = people()
    ann.goes("/")
    files = [it for it in ann.responses if "/static/" in it.url]
    assert len(files) >= 3
    for response in files:
        assert "immutable" in response.headers["cache-control"]


def test_a_page_is_not_kept_by_the_browser(people: People) -> None:
    """It may hold what only its viewer may see."""
    ann = people()
    ann.starts("shadow", "here")
    answer = ann.page.reload()
    assert answer is not None
    assert answer.headers["cache-control"] == "no-store"


def test_each_game_plays_by_itself_where_no_match_can_be_watched(start: Start, people: People) -> None:
    ann = people(start(), reduced_motion="no-preference")
    ann.page.clock.install()
    ann.goes("/")
    for game in SLUGS:
        picture = ann.card(game).locator(".picture")
        before = picture.inner_html()
        with ann.page.expect_response(re.compile(f"/demo/{game}/")):
            ann.page.clock.run_for(1500)
        expect(picture).not_to_have_js_property("innerHTML", before)


def test_nothing_moves_by_itself_for_people_who_prefer_less_motion(people: People) -> None:
    ann = people(reduced_motion="reduce")
    ann.page.clock.install()
    ann.goes("/")
    ann.page.clock.run_for(10_000)
    ann.page.evaluate("fetch('/healthz').then(answer => answer.text())")  # comes after all others
    assert ann.asked[-1].endswith("/healthz")
    assert [url for url in ann.asked if "/demo/" in url] == []
