"""Reports in a browser, as a server sends them: axe finds nothing, and they fit on a phone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ninefold.arena.plan import Plan
from ninefold.arena.run import run_contest
from ninefold.commands import main
from tests.web.browser.support import People
from tests.web.browser.test_accessible import flaws, objections
from tests.web.support import Server, sqlite_url

DOCS = Path(__file__).parents[3] / "docs" / "lab"
PAGES = ("", *(f"/lab/{name}.html" for name in ("report", "conquest", "cross")), "/contest/report.html")


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the laboratory's report, and that of a contest in which a program fails."""
    folder = tmp_path_factory.mktemp("reports")
    shutil.copytree(DOCS, folder / "lab")
    plan = {"players": ["random", "bad=program:false"], "games": ["cross", "battle-fair"], "pairs": 1}
    assert run_contest(Plan.of(plan), folder / "contest").over
    assert main(["arena", "report", str(folder / "contest"), "--sampled"]) == 0
    site = folder / "site"
    site.mkdir()
    with Server(site, sqlite_url(site), "--reports", str(folder)).start() as server:
        yield server


@pytest.mark.parametrize("path", PAGES)
def test_a_report_is_accessible(people: People, reports: Server, path: str) -> None:
    one = people(reports)
    one.goes(f"/reports{path}")
    one.page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert one.page.locator("h1").count() == 1
    assert flaws(one) == []
    one.page.set_viewport_size({"width": 390, "height": 640})  # what is wider scrolls, with keys too
    assert objections(one) == []
