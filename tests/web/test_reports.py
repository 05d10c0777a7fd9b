"""Reports are served as they are, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from ninefold.commands import main
from ninefold.web.server import Server
from tests.web.inside import inside


def ask(folder: Path, reports: Path | None, *paths: str) -> list[httpx.Response]:
    async def work(client: httpx.AsyncClient, server: Server) -> list[httpx.Response]:
        server.reports = reports
        return [await client.get(path) for path in paths]

    return inside(folder, work)


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    folder = tmp_path / "reports" / "may & june"
    folder.mkdir(parents=True)
    (folder / "report.html").write_text("<!doctype html>the report")
    (folder / "pairs.csv").write_text("game,one\n")
    (folder / ".hidden.html").write_text("hidden")
    (folder / "notes.txt").write_text("notes")
    (tmp_path / "secret.json").write_text("{}")
    (folder / "link.json").symlink_to(tmp_path / "secret.json")
    return folder


def test_files_are_served_as_they_are(tmp_path: Path, reports: Path) -> None:
    listed, page, data = ask(
        *(tmp_path, reports.parent, "/reports"),
        *("/reports/may%20%26%20june/report.html", "/reports/may%20%26%20june/pairs.csv"),
    )
    assert 'href="/reports/may%20%26%20june/report.html">may &amp; june<' in listed.text
    assert page.content == (reports / "report.html").read_bytes()
    assert page.headers["content-type"].startswith("text/html")
    assert "script" not in page.headers["content-security-policy"]
    assert data.content == b"game,one\n"
    (one,) = ask(tmp_path / "one", reports, "/reports/report.html")
    assert one.content == page.content


def test_nothing_else_is_served(tmp_path: Path, reports: Path) -> None:
    wrong = (".hidden.html", "notes.txt", "link.json", "none.html", "%2E%2E", "..%2F..%2Fsecret.json")
    for answer in ask(tmp_path, reports, *(f"/reports/{name}" for name in wrong)):
        assert answer.status_code == 404, answer.url
    folder = ask(tmp_path / "two", reports.parent, "/reports/may%20%26%20june/..%2F..%2Fsecret.json")
    assert folder[0].status_code == 404


def test_without_a_folder_there_are_no_reports(tmp_path: Path) -> None:
    assert {one.status_code for one in ask(tmp_path, None, "/reports", "/reports/report.html")} == {404}


def test_a_folder_that_is_none_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["serve", "--check", "--database", f"sqlite:///{tmp_path}/x.db"]
    assert main([*words, "--reports", str(tmp_path / "none")]) == 1
    assert "--reports takes a folder" in capsys.readouterr().err
