"""axe finds nothing to object to, on no page, in light and in dark; and everything fits on a phone."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Literal

import pytest

from tests.web.browser.looks import LOOKS, Look
from tests.web.browser.support import People, Person

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
NARROW = 320  # pixels, to which WCAG 1.4.10 has a page reflow

ADDRESSES = [
    "/",
    "/new/shadow",
    "/rules",
    "/rules/shadow",
    "/rules/conquest",
    "/explore",
    "/explore/shadow",
    "/explore/conquest",
    "/about",
]


def objections(one: Person) -> list[str]:
    """What axe finds on the page as it is. In the dark only the colours are others."""
    one.page.evaluate(AXE)
    return [*looked_at(one, "light"), *looked_at(one, "dark", runOnly=["color-contrast"])]


def looked_at(one: Person, scheme: Literal["light", "dark"], **options: Any) -> list[str]:
    one.page.emulate_media(color_scheme=scheme)
    results: dict[str, Any] = one.page.evaluate(
        "options => axe.run(options)", {"resultTypes": ["violations"], **options}
    )
    return [
        f"{scheme}: {violation['id']}: {node['target']}: {' '.join(node['failureSummary'].split())}"
        for violation in results["violations"]
        for node in violation["nodes"]
    ]


def sticking_out(one: Person) -> list[str]:
    """What does not fit on a narrow screen, and would have to be scrolled to sideways."""
    one.page.set_viewport_size({"width": NARROW, "height": 640})
    found: list[str] = one.page.evaluate("""() => {
        const width = document.documentElement.clientWidth;
        const scrolls = one =>
          one && (getComputedStyle(one).overflowX === "auto" || scrolls(one.parentElement));
        return [...document.querySelectorAll("main *, header *")]
          .filter(one => one.checkVisibility() && !one.closest(".unseen, .skip"))
          .filter(one => one.getBoundingClientRect().right > width + 1 && !scrolls(one.parentElement))
          .map(one => one.outerHTML.slice(0, 120));
    }""")
    return found


def test_what_is_wrong_is_found(people: People) -> None:
    ann = people()
    ann.goes("/m/nowhere")
    ann.expects("404")
    ann.main.evaluate("main => main.append(new Image())")
    assert [text[:16] for text in objections(ann)] == ["light: image-alt"]
    ann.main.evaluate("main => { main.style.color = 'light-dark(#000, #222)'; }")
    assert any(text.startswith("dark: color-contrast") for text in objections(ann))
    assert sticking_out(ann) == []
    ann.main.evaluate("main => { main.style.width = '400px'; }")
    assert sticking_out(ann)


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page_by_its_address(people: People, address: str) -> None:
    ann = people()
    answer = ann.page.goto(ann.base + address)
    assert answer is not None
    assert answer.status == 200
    assert objections(ann) == []
    assert sticking_out(ann) == []


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_a_page_as_it_can_look(people: People, look: Look) -> None:
    ann = look(people)
    assert objections(ann) == []
    assert sticking_out(ann) == []
