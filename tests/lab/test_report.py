"""The report: its numbers are those of the JSON, axe finds nothing, and it can be interrupted."""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from fractions import Fraction
from html import unescape
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from ninefold.commands import main
from ninefold.core.game import Game
from ninefold.games import every_game
from ninefold.lab.jobs import LabJob, do_job
from ninefold.lab.measures import MEANINGS
from ninefold.lab.page import report_jobs, write_report
from ninefold.show.plots import plot_lines
from tests.program import PROGRAM
from tests.warm import run

DOCS = Path(__file__).parents[2] / "docs" / "lab"
GAMES = [*every_game()]
TIME = re.compile(r", [\d.]+ s<")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report, from the results in the docs, without computing anything."""
    folder, results = tmp_path_factory.mktemp("report"), {}
    for game in GAMES:
        data = json.loads((DOCS / f"{game.slug}.json").read_text())
        book = {name: data[name] for name in ("claims", "paths")}
        book["measured"] = {
            name: data[name] for name in ("game", "setup", "method", "seconds", "measures")
        }
        versions = {one["name"]: one for one in data["versions"]}
        for job in report_jobs([game]):
            one = versions["+".join(job.names) or "book"]
            found = {"perfect": one["perfect"], "curve": one["by_level"] or [], "exact": one["exact"]}
            results[job.key] = found | (book if job.report else {})
    write_report(GAMES, results, folder, "http://127.0.0.1:8909")
    return folder


def tables(page: str) -> dict[str, dict[str, list[str]]]:
    """The rows of all tables of a page by their first cell, by the table's first two headings."""
    found = {}
    for one in re.findall(r"<table.*?</table>", page):
        head, *rows = (
            [unescape(cell) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row)]
            for row in re.findall(r"<tr>(.*?)</tr>", one)
        )
        found[" ".join(head[:2])] = {row[0]: row[1:] for row in rows}
    return found


def says(shown: str, value: Any) -> bool:
    """Whether a text says this value as a percentage, rounded or not."""
    return abs(float(shown.removesuffix("%")) - 100 * float(Fraction(value))) <= 0.0501


def read(folder: Path, game: Game) -> tuple[str, dict[str, dict[str, list[str]]], dict[str, Any]]:
    """The page of a game, its tables and its data."""
    page = (folder / f"{game.slug}.html").read_text()
    return unescape(page), tables(page), json.loads((folder / f"{game.slug}.json").read_text())


of_every_page = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)


@of_every_page
def test_the_measures_of_the_page_are_those_of_the_json(folder: Path, game: Game) -> None:
    _, found, data = read(folder, game)
    assert [*found["measure value"]] == [*data["measures"]]
    for name, one in data["measures"].items():
        shown, meaning = found["measure value"][name]
        number, *ends = (float(number) for number in re.findall(r"[\d.]+", shown))
        assert float(Fraction(one["value"])) == pytest.approx(number, abs=5e-5)
        assert ends == [round(one[end], 4) for end in ("low", "high") if end in one]
        assert (meaning, "at least" in shown) == (MEANINGS[name], "bound" in one)
    levels = ("random", *(f"balance_at_level({level})" for level in range(1, 10)), "perfect")
    for (chance,), name in zip(found["level chance"].values(), levels, strict=True):
        assert says(chance, data["measures"][name]["value"])
    for player, values in data["paths"].items():
        shares = [float(one) for one in found["move 1"][player] if one]
        assert shares == pytest.approx([100 * one for one in values], abs=0.501)


@of_every_page
def test_the_claims_of_the_page_are_those_of_the_json(folder: Path, game: Game) -> None:
    text, _, data = read(folder, game)
    assert len(data["claims"]) >= 5
    for one in data["claims"]:
        assert f"“{one['quote']}”" in text
        assert one["why"] in text
        if "witness" in one:
            assert f"moves={'+'.join(one['witness']['moves'])}" in text


@of_every_page
def test_the_versions_of_the_page_are_those_of_the_json(folder: Path, game: Game) -> None:
    text, found, data = read(folder, game)
    assert [*found["version perfect play"]] == [one["name"] for one in data["versions"]]
    for one in data["versions"]:
        perfect, distance, about = found["version perfect play"][one["name"]]
        assert perfect == "not solved" if one["perfect"] is None else says(perfect, one["perfect"])
        assert distance == ("" if one["mean_distance"] is None else f"{one['mean_distance']:.4f}")
        assert about == one["about"]
    fairest = next(one for one in data["versions"] if one["name"] == data["fairest"])
    assert f"{fairest['about']} {data['certificate']}" in text
    pie = re.search(r"the first player would win (\S+)% of the games", text)
    assert pie is not None
    assert says(pie[1], data["pie"])


@of_every_page
def test_the_first_moves_on_the_board_are_those_of_the_json(folder: Path, game: Game) -> None:
    text, found, data = read(folder, game)
    best: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    for move, chance in data["first_moves"]["chances"].items():
        cells = game.spot(game.parse(move)).cells
        best[cells] = max(best[cells], Fraction(chance))
    drawn = sorted(re.findall(r"<span>([\d.]+)%</span>", text), key=float)
    for shown, value in zip(drawn, sorted(best.values()), strict=True):
        assert says(shown, value)
    for move, (shown,) in found.get("move chance", {}).items():
        assert says(shown, data["first_moves"]["chances"][move])


def test_the_numbers_of_the_overview_are_those_of_the_games(folder: Path) -> None:
    found = tables((folder / "report.html").read_text())
    for at, game in enumerate(GAMES):
        own = tables((folder / f"{game.slug}.html").read_text())
        assert found["game random"][game.title] == [shown[0] for shown in own["level chance"].values()]
        for name, shown in found["measure Shadow Grid Duel"].items():
            assert shown[at] == own["measure value"].get(name, [""])[0]
        data = json.loads((folder / f"{game.slug}.json").read_text())
        assert found["game version"][game.title] == [data["fairest"], data["certificate"]]


def test_the_written_report_is_what_the_docs_have(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == {path.name for path in DOCS.iterdir()} - {
        ".lab.json"
    }
    for path in folder.iterdir():
        assert path.read_text() == (DOCS / path.name).read_text()


def test_the_page_needs_nothing_else(folder: Path) -> None:
    for page in folder.glob("*.html"):
        text = page.read_text()
        assert "<script" not in text
        assert not re.search(r"(src=|@import|url\()", text)
        for link in re.findall(r'href="([^"]*)"', text):
            assert link.startswith("http://127.0.0.1:8909/explore/") or (DOCS / link).exists()


def test_a_plot_of_lines_has_a_point_for_each_value() -> None:
    drawn = plot_lines({"a": [50.0, 60.0], "b": [40.0, 45.0]}, ["x", "y"], "Two", even=50)
    assert drawn.count("<circle") == 4
    assert drawn.count("<polyline") == 2
    assert "stroke-dasharray" in drawn
    assert re.findall(r">(\w)</text>", drawn) == ["x", "y", "a", "b"]


def test_a_line_alone_has_its_first_and_last_value_at_its_ends() -> None:
    drawn = plot_lines({"a": [51.26, 60.0, 40.0]}, ["x", "y", "z"], "One")
    assert re.findall(r">([\d.]+%)</text>", drawn)[-2:] == ["51.3%", "40.0%"]


def test_a_measure_is_printed_with_its_meaning(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "measure", "cross", "--grid", "792415863"]) == 0
    said = capsys.readouterr().out
    assert "perfect              1.0000  The first player's chance if both play perfectly." in said
    assert main(["lab", "measure", "cross", "--grid", "792415863", "--plain"]) == 0
    assert "measure perfect, value 1.0000, what it means The first" in capsys.readouterr().out
    assert main(["lab", "measure", "battle", "--target", "15"]) == 1
    assert "Number Grid Battle has no --target." in capsys.readouterr().err


def test_claims_are_printed_with_their_witness(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "claims", "pattern"]) == 0
    said = capsys.readouterr().out
    assert 'False: "play continues until a player wins" (line 9).' in said
    assert 'ninefold analyze pattern --moves "5@1,3' in said


def test_an_edition_has_no_claims_and_no_edits(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "claims", "cross-fair"]) == 0
    assert capsys.readouterr().out == "Number Cross, fair edition has no rule book.\n"
    for verb in ("edits", "fair"):
        assert main(["lab", verb, "cross-fair"]) == 1
        assert "No edits of Number Cross, fair edition are listed." in capsys.readouterr().err


@pytest.mark.parametrize("workers", ["0", "-1", "two"])
def test_work_needs_a_process(workers: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["lab", "fair", "battle", "--workers", workers])
    assert f"'{workers}': it must be a whole number from 1 up" in capsys.readouterr().err


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    out = tmp_path / "file" / "lab"
    said = run([*PROGRAM, "lab", "report", "battle", "--out", str(out)], b"", None)
    assert (said.returncode, said.stderr.decode()) == (1, f"ninefold: {out}: Not a directory\n")


def test_edits_go_on_after_they_were_interrupted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[LabJob] = []

    def stop_at_the_third(job: LabJob) -> tuple[str, Any]:
        done.append(job)
        if len(done) == 3:
            raise KeyboardInterrupt
        return do_job(job)

    monkeypatch.setattr("ninefold.lab.jobs.do_job", stop_at_the_third)
    words = ["lab", "edits", "battle", "--json"]
    keep = tmp_path / "new"
    assert main([*words, "--keep", str(keep)]) == 130
    assert main([*words, "--keep", str(keep)]) == 0
    assert len({*done}) == len(done) - 1 == 8  # the third was begun twice
    assert [*keep.iterdir()] == []
    kept = capsys.readouterr().out
    assert main(words) == 0
    assert kept == capsys.readouterr().out


def test_edits_and_the_fairest_are_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ninefold.lab.edits.LONG", 1)
    monkeypatch.setattr("ninefold.lab.edits.SAMPLED", 20)
    assert main(["lab", "edits", "pattern", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["perfect"] for one in found["versions"]] == ["1", "1/2", None]
    assert main(["lab", "fair", "pattern"]) == 0
    assert "nobody wins first-returns" in capsys.readouterr().out


def without_time(name: str, text: str) -> Any:
    if name.endswith(".json"):
        return {**json.loads(text), "seconds": None}
    return TIME.sub("<", text)


@pytest.mark.long
def test_a_rerun_writes_what_the_docs_have(tmp_path: Path) -> None:
    assert main(["lab", "report", "--workers", "2", "--out", str(tmp_path)]) == 0
    names = {path.name for path in DOCS.iterdir() if not path.name.startswith(".")}
    assert names == {path.name for path in tmp_path.iterdir() if not path.name.startswith(".")}
    for name in names:
        assert without_time(name, (tmp_path / name).read_text()) == without_time(
            name, (DOCS / name).read_text()
        ), name


def test_gathered_data_names_the_fairest_version(folder: Path) -> None:
    data = json.loads((folder / "battle.json").read_text())
    assert data["fairest"] in {one["name"] for one in data["versions"]}
    distances = {one["name"]: one["mean_distance"] for one in data["versions"]}
    assert distances[data["fairest"]] == min(distances.values())


@pytest.mark.parametrize("plain", [False, True])
def test_plain_progress_is_never_redrawn(
    plain: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr("ninefold.show.progress.monotonic", count(0, 60).__next__)  # always due
    monkeypatch.setattr("ninefold.lab.edits.LONG", 1)
    monkeypatch.setattr("ninefold.lab.edits.SAMPLED", 20)
    words = ["--plain"] * plain
    assert main([*words, "lab", "measure", "cross", "--grid", "792415863"]) == 0
    assert main(["lab", "edits", "pattern", *words]) == 0
    said = capsys.readouterr().err
    assert "Measuring Number Cross ... " in said
    assert "2 of 2 computed" in said
    assert ("\r" in said) is not plain
