"""Every page in many states, as pictures: `python -m tests.web.browser.screenshots FOLDER`."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, sync_playwright

from tests.web.browser.looks import ADDRESSES, GAMES, LOOKS, MORE_LOOKS, Look, filled
from tests.web.browser.support import MISSING, People, Person, chromium, launched, person
from tests.web.support import Server, sqlite_url

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


def main(folder: Path) -> int:
    program = chromium()
    if program is None:
        print(MISSING, file=sys.stderr)
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as kept, sync_playwright() as playwright:
        browser = launched(playwright, program)
        with Server(Path(kept), sqlite_url(Path(kept)), "--streams-each", "0").start() as server:
            for name, look in pictures().items():
                draw(browser, server, look, saving(folder, name))
        browser.close()
    print(f"{len(list(folder.glob('*.png')))} pictures are in {folder}")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tests.web.browser.screenshots FOLDER")
    sys.exit(main(Path(sys.argv[1])))
