from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.web.browser.support import MISSING, People, Person, chromium, launched, person
from tests.web.support import Server, sqlite_url


# A browser of the package, not of the session: while Playwright is at work, its event loop is taken to be
# running, and tests elsewhere could not run one of theirs.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    program = chromium()
    if program is None:
        pytest.skip(MISSING)
    with sync_playwright() as playwright:
        browser = launched(playwright, program)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for the browsers alone."""
    folder = tmp_path_factory.mktemp("site")
    with Server(folder, sqlite_url(folder), "--streams-each", "0").start() as server:
        yield server


@pytest.fixture(scope="package")
def rested() -> list[Person]:
    """People whose browsers are as good as new: to begin with one takes longer than many a test."""
    return []


@pytest.fixture
def people(browser: Browser, site: Server, rested: list[Person]) -> Iterator[People]:
    """Somebody with a browser of their own, for each call; there goes wrong only what they expect."""
    usual: list[Person] = []
    special: list[Person] = []

    def somebody(server: Server = site, *, javascript: bool = True, **options: Any) -> Person:
        if server is site and javascript and not options:
            usual.append(rested.pop() if rested else person(browser, server))
            return usual[-1]
        special.append(person(browser, server, javascript=javascript, **options))
        return special[-1]

    yield somebody
    met = [*usual, *special]
    for one in met:
        one.leaves()
    problems = [one.unexpected() for one in met]
    for one in special:
        one.context.close()
    for one in usual:
        if one.starts_over():
            rested.append(one)
        else:
            one.context.close()
    assert problems == [[] for _ in met]
