"""Every page in many states, as pictures: `python -m tests.web.browser.screenshots FOLDER`.

`python -m tests.web.browser.screenshots --docs` takes those in docs/ again.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, ViewportSize, expect, sync_playwright

from ninefold import Seat
from tests.web.browser.looks import ADDRESSES, GAMES, LOOKS, MORE_LOOKS, Look, filled
from tests.web.browser.support import (
    MISSING,
    People,
    Person,
    begun,
    bid,
    chromium,
    launched,
    named,
    person,
    seated,
)
from tests.web.support import Server, sqlite_url

DOCS = Path(__file__).parents[3] / "docs"
DESK: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
WIDTHS = (390, 820, 1440)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def addressed(address: str) -> Look:
    def look(people: People) -> Person:
        ann = people()
        ann.goes(filled(ann.server, address))
        return ann

    return look


def pictures() -> dict[str, Look]:
    """By the name that begins the files' names."""
    pages = {address.strip("/").replace("/", "-") or "home": addressed(address) for address in ADDRESSES}
    return {**pages, **LOOKS, **MORE_LOOKS, **GAMES}


def draw(browser: Browser, site: Server, look: Look, save: Callable[[Person], None]) -> None:
    met: list[Person] = []

    def somebody(server: Server = site, *, javascript: bool = True, **options: Any) -> Person:
        met.append(person(browser, server, javascript=javascript, **options))
        return met[-1]

    save(look(somebody))
    for one in met:
        one.context.close()


def saving(folder: Path, name: str) -> Callable[[Person], None]:
    def save(one: Person) -> None:
        for width in WIDTHS:
            one.page.set_viewport_size({"width": width, "height": 900})
            for scheme in SCHEMES:
                one.page.emulate_media(color_scheme=scheme)
                one.page.screenshot(path=folder / f"{name}-{width}-{scheme}.png", full_page=True)

    return save


# The pictures in docs/


def home(people: People) -> Person:
    """With the puzzle of the day."""
    ann = people(viewport=DESK)
    while not ann.page.locator("[data-streak]").count():
        ann.goes("/")
    return ann


def duel(people: People) -> Person:
    """A number chosen, and shown faintly where it would go."""
    ann, _ = begun(people, "shadow", "5@2,2", "7@1,2", "4@3,1", "6@1,3", setup={"target": 15})
    ann.page.set_viewport_size(DESK)
    expect(ann.page.locator(".presence.here")).to_be_visible()
    ann.number("8").click()
    ann.spot("0-0").hover()
    return ann


def challenge(people: People) -> Person:
    """The two numbers of a challenge, just revealed."""
    ann, ben = people(viewport=PHONE, reduced_motion="no-preference"), people()
    table = ann.server.create("conquest", {"size": 3}, first=named(Seat.FIRST), second=named(Seat.SECOND))
    table.play("claim:1", "claim:6", "claim:4", "claim:2", "challenge:2")
    for one, seat in ((ann, Seat.FIRST), (ben, Seat.SECOND)):
        one.holds(table.id, table.tokens[seat])
    expect(ann.page.locator(".presence.here")).to_be_visible()
    ann.plays(bid(4))
    ben.plays(bid(2))
    ann.page.locator(".showdown").wait_for()
    ann.page.locator(".showdown .revealed").last.evaluate(
        "card => Promise.all(card.getAnimations().map(one => one.finished))"
    )
    return ann


REVIEWED = (
    "claim:4 claim:7 claim:2 claim:1 challenge:7 bid:5 bid:1 claim:6 challenge:1 bid:1 bid:5 "
    "challenge:7 bid:4 bid:3 claim:9 claim:3 claim:5 claim:8"
)


def mistake(people: People) -> Person:
    """A review at a mistake that turned out well."""
    ann, table = seated(people, "conquest", *REVIEWED.split(), setup={"size": 3})
    ann.page.set_viewport_size(DESK)
    ann.goes(f"/m/{table.id}/review?at=7")
    return ann


DOCUMENTS: dict[str, Look] = {
    "page-home": home,
    "page-duel": duel,
    "page-match": challenge,
    "page-review": mistake,
}


def saving_one(name: str) -> Callable[[Person], None]:
    def save(one: Person) -> None:
        one.page.screenshot(path=DOCS / f"{name}.png")

    return save


def main(argument: str) -> int:
    program = chromium()
    if program is None:
        print(MISSING, file=sys.stderr)
        return 1
    folder = DOCS if argument == "--docs" else Path(argument)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as kept, sync_playwright() as playwright:
        browser = launched(playwright, program)
        with Server(Path(kept), sqlite_url(Path(kept)), "--streams-each", "0").start() as server:
            if folder is DOCS:
                for name, look in DOCUMENTS.items():
                    draw(browser, server, look, saving_one(name))
            else:
                for name, look in pictures().items():
                    draw(browser, server, look, saving(folder, name))
        browser.close()
    print(f"{len(list(folder.glob('*.png')))} pictures are in {folder}")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tests.web.browser.screenshots FOLDER (or --docs)")
    sys.exit(main(sys.argv[1]))
