"""axe finds nothing to object to, on no page, in light and in dark; and everything fits on a phone."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Literal

import pytest

from ninefold import SLUGS
from ninefold.web import routes
from ninefold.web.page.forms import FORMS
from tests.web.browser.looks import ADDRESSES, LOOKS, MORE_LOOKS, WALKS, Look, Walk, filled
from tests.web.browser.support import USUAL_SIZE, People, Person
from tests.web.support import Server

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
NARROW = (320, 390)  # pixels: to the first WCAG 1.4.10 has a page reflow, the second is a usual phone

# Everything in light; in dark only what depends on colors, which is quick.
RULES = {
    "light": {
        "rules": {name: {"enabled": True} for name in ("label-content-name-mismatch", "target-size")}
    },
    "dark": {"runOnly": ["color-contrast", "link-in-text-block"]},
}

# What pages ask for, and nobody opens.
PARTS = {
    "/demo/{game}/{step}": "/demo/shadow/1",
    "/manifest.webmanifest": "/manifest.webmanifest",
    **{f"/m/{{id}}/{act.__name__}": f"/m/ID/{act.__name__}" for act in FORMS},  # back to the match
    "/m/{id}/events": "/m/ID/events",
    "/m/{id}/code.svg": "/m/ID/code.svg",
    "/m/{id}/insight": "/m/ID/insight",
    "/static/{version}/{name}": "/static/0/page.css",
}


def flaws(one: Person) -> list[str]:
    """All that is wrong with the page as it is, and where that is."""
    return [f"{one.page.url}: {text}" for text in (*objections(one), *sticking_out(one))]


def objections(one: Person) -> list[str]:
    """What axe finds on the page as it is."""
    if not one.page.evaluate("'axe' in window"):
        one.page.evaluate(AXE)
    return [*looked_at(one, "light"), *looked_at(one, "dark")]


def looked_at(one: Person, scheme: Literal["light", "dark"]) -> list[str]:
    # Without motion, or axe would measure colors that are still changing.
    one.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    one.page.evaluate(SETTLED)
    violations: list[dict[str, Any]] = one.page.evaluate(LOOK, RULES[scheme])
    return [
        f"{scheme}: {violation['id']}: {node['target']}: {' '.join(node['failureSummary'].split())}"
        for violation in violations
        for node in violation["nodes"]
    ]


def sticking_out(one: Person) -> list[str]:
    """What is scrolled to sideways on a narrow screen, and values that do not fit into their cells."""
    found: list[str] = one.page.evaluate(BURSTING)
    for width in NARROW:
        one.page.set_viewport_size({"width": width, "height": 640})
        found += one.page.evaluate(SIDEWAYS) + one.page.evaluate(BURSTING)
    one.page.set_viewport_size(USUAL_SIZE)
    return found


# Style sheets and media are not loaded again: that takes half of the time, and is for a rule about sounds
# that play by themselves. Our pages have none.
LOOK = """rules => axe.run({ resultTypes: ["violations"], preload: false, ...rules })
  .then(results => results.violations)"""

SETTLED = """() => new Promise(requestAnimationFrame)
  .then(() => Promise.allSettled(document.getAnimations().map((one) => one.finished)))
  .then(() => new Promise(requestAnimationFrame))"""

SIDEWAYS = """() => {
  const width = document.documentElement.clientWidth;
  const scrolls = one =>
    one && (getComputedStyle(one).overflowX === "auto" || scrolls(one.parentElement));
  return [...document.querySelectorAll("main *, header *")]
    .filter(one => one.checkVisibility() && !one.closest(".unseen, .skip"))
    .filter(one => one.getBoundingClientRect().right > width + 1 && !scrolls(one.parentElement))
    .map(one => one.outerHTML.slice(0, 120));
}"""

BURSTING = """() => [...document.querySelectorAll(".tag")]
  .map(one => [one, one.getBoundingClientRect(), one.closest("[id]")])
  .filter(([one, box, cell]) => box.right > cell.getBoundingClientRect().right + 1)
  .map(([one, box, cell]) => `${one.textContent} in ${cell.id} at ${window.innerWidth} pixels`)
"""


def test_what_is_wrong_is_found(people: People) -> None:
    ann = people()
    ann.goes("/m/nowhere")
    ann.expects("404")
    ann.main.evaluate("main => main.append(new Image())")
    assert [text.split(": ")[:2] for text in objections(ann)] == [["light", "image-alt"]]
    ann.main.evaluate("main => { main.style.color = 'light-dark(#000, #222)'; }")
    assert {text[:21] for text in objections(ann) if "contrast" in text} == {"dark: color-contrast:"}
    assert sticking_out(ann) == []
    ann.main.evaluate("main => { main.style.width = '400px'; }")
    assert sticking_out(ann)


def test_no_page_is_forgotten(site: Server) -> None:
    """Every address of a page is among those that are looked at, or is asked for by pages alone."""
    table = routes.RouteTable(routes.ROUTES + routes.PAGES)
    seen = {table.find("GET", address.partition("?")[0])[0] for address in ADDRESSES}
    pages = {page.pattern for page in routes.PAGES if page.method == "GET"}
    assert seen | PARTS.keys() == {page for page in pages if not page.startswith("/reports")}  # files
    assert seen.isdisjoint(PARTS)
    for address in PARTS.values():
        with site.http.stream("GET", filled(site, address), headers={"Accept": "text/html"}) as answer:
            if answer.headers.get("content-type", "").startswith("text/html"):
                assert "<main" not in answer.read().decode()


def test_every_game_is_looked_at() -> None:
    for page in ("new", "rules", "explore"):
        assert {f"/{page}/{game}" for game in SLUGS} <= {*ADDRESSES}


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page_by_its_address(people: People, address: str) -> None:
    ann = people()
    answer = ann.page.goto(ann.base + filled(ann.server, address))
    assert answer is not None
    assert answer.status == 200
    assert flaws(ann) == []


WALKED = ("your-turn", "their-turn", "over", "reviewed", "explored")  # one comes by there on a walk
LEFT = {name: look for name, look in {**LOOKS, **MORE_LOOKS}.items() if name not in WALKED}


ALIKE = ("no-such-step", "no-such-method", "no-such-move", "no-such-try", "no-such-setup")  # one template


@pytest.mark.parametrize(
    "look",
    [
        pytest.param(look, id=name, marks=[pytest.mark.long] if name in ALIKE else [])
        for name, look in LEFT.items()
    ],
)
def test_a_page_as_it_can_look(people: People, look: Look) -> None:
    assert flaws(look(people)) == []


@pytest.mark.parametrize("game", SLUGS)
@pytest.mark.parametrize("walk", WALKS, ids=[walk.__name__ for walk in WALKS])
def test_a_page_as_it_changes(people: People, walk: Walk, game: str) -> None:
    states = [flaws(one) for one in walk(people, game)]
    assert states == [[] for _ in states]
    assert states
