"""The report says what the pairs say, on the page, in JSON and in CSV."""

from __future__ import annotations

import csv
import json
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ninefold.arena.page import write_page
from ninefold.arena.plan import Plan
from ninefold.arena.report import make_report
from ninefold.arena.run import run_contest
from ninefold.commands import main
from ninefold.match import Match, Record
from ninefold.show.plots import find_ticks

PLAYERS = ["perfect", "level:1", "<i>=random"]


@pytest.fixture(scope="module")
def contest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("contest")
    plan = {"players": PLAYERS, "games": ["pattern", "battle"], "pairs": 12, "seed": 3}
    assert run_contest(Plan.of(plan), path).over
    assert main(["arena", "report", str(path), "--sampled", "--anchor", "level:1", "--pick", "<i>"]) == 0
    return path


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.found += [value for name, value in attrs if name in ("href", "src") and value]


def test_the_page_needs_nothing_else_and_links_every_game(contest: Path) -> None:
    text = (contest / "report.html").read_text(encoding="utf-8")
    page = _Links()
    page.feed(text)
    games = [link for link in page.found if "/explore/" in link]
    assert len(games) == 2 * 12 * 3 * 2
    assert {link for link in page.found if link not in games} == {
        "plan.json",
        "report.json",
        "ratings.csv",
        "pairs.csv",
    }
    assert not page.tags & {"script", "img", "link"}
    assert "i" not in page.tags
    assert text.count("<svg") == 4


def test_the_data_says_the_same_as_the_report(contest: Path) -> None:
    data = json.loads((contest / "report.json").read_text())
    report = make_report(contest, "level:1", exact=False)
    assert data == json.loads(json.dumps(report.to_data()))
    with (contest / "pairs.csv").open() as file:
        rows = [*csv.DictReader(file)]
    own = [
        float(row[seat])
        for row in rows
        if row["one"] == "perfect"
        for seat in ("one first", "one second")
    ]
    against = [report.mean_score("perfect", other) for other in ("level:1", "<i>")]
    assert sum(own) / len(own) == pytest.approx(sum(filter(None, against)) / 2)
    assert data["ratings"]["all games"][0]["player"] == "perfect"
    assert data["regret"]["perfect"]["mean"] == pytest.approx(0, abs=1e-12)
    assert data["regret"]["<i>"]["mean"] > data["regret"]["perfect"]["mean"]


def test_the_report_does_not_depend_on_the_order_of_the_pairs(contest: Path, tmp_path: Path) -> None:
    lines = (contest / "pairs.jsonl").read_text().splitlines(keepends=True)
    failed = {"player": "level:1", "seat": "first", "failure": "crashed"}
    for number in (3, 5, 8):  # with last words, which only the last of them are
        line = json.loads(lines[number])
        line["games"][0]["failed"] = {**failed, "why": f"goodbye {line['pair']}"}
        lines[number] = json.dumps(line) + "\n"
    found = []
    for order in (lines, lines[::-1]):
        (tmp_path / "plan.json").write_text((contest / "plan.json").read_text())
        (tmp_path / "pairs.jsonl").write_text("".join(order))
        found.append(json.loads(json.dumps(make_report(tmp_path, exact=False).to_data())))
    assert found[0] == found[1]


def test_stopped_games_count_one_half_and_are_said(contest: Path) -> None:
    report = make_report(contest, exact=False)
    data = [json.loads(line) for line in (contest / "pairs.jsonl").read_text().splitlines()]
    stopped = [
        game for line in data for game in line["games"] if game["record"]["result"]["winner"] is None
    ]
    assert report.stopped.total() == len(stopped) > 0
    assert "each counts one half" in report.to_text()


def test_any_game_can_be_replayed(contest: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "game", str(contest), "pattern", "perfect", "level:1", "3", "--swapped"]) == 0
    match = Match.of(Record.from_json(capsys.readouterr().out))
    assert match.over
    assert [player.name for player in match.players] == ["level:1", "perfect"]


def test_where_rating_and_regret_differ_it_is_said(contest: Path) -> None:
    report = make_report(contest, exact=False)
    high, low = report.players[:2]
    report.regret[high], report.regret[low] = report.regret[low], report.regret[high]
    assert any(said.startswith(f"{high} is rated above {low}") for said in report.disagreements)


def test_games_and_editions_have_their_titles(tmp_path: Path) -> None:
    labels = ["battle", "battle-fair", "battle:grid=792415863"]
    assert run_contest(Plan.of({"players": PLAYERS[:2], "games": labels, "pairs": 1}), tmp_path).over
    report = make_report(tmp_path, exact=False)
    titles = ["Number Grid Battle", "Number Grid Battle, fair edition", labels[2]]
    assert [*map(report.title, labels)] == titles
    assert report.title("all games") == "all games"
    page = write_page(report, tmp_path, "http://127.0.0.1:8909").read_text(encoding="utf-8")
    assert "battle-fair</" not in page
    assert f"<summary>{titles[1]}</summary>" in page


@pytest.mark.parametrize("plain", [False, True])
def test_plain_progress_is_never_redrawn(
    plain: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    for name, now in (
        ("show.progress.PLAIN", -1.0),
        ("arena.exact.EVERY", -1.0),
        ("arena.run.EVERY", (0, 0)),
    ):
        monkeypatch.setattr(f"ninefold.{name}", now)
    before = ["--plain"] * plain
    players = ["--players", "random,greedy", "--games", "cross:grid=792415863", "--pairs", "1"]
    assert main([*before, "arena", "run", *players, "--out", str(tmp_path)]) == 0
    assert main(["arena", "report", str(tmp_path), *before]) == 0
    said = capsys.readouterr().err
    assert "1 of 1 pairs" in said
    assert "3 of 3 exact figures" in said
    assert ("\r" in said, "\x1b" in said) == (not plain, not plain)


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-3.2, 17), (1499, 1500), (5, 5), (0, 0), (0.1, 0.13)])
def test_ticks_are_few_round_and_around_the_range(low: float, high: float) -> None:
    ticks = find_ticks(low, high)
    assert ticks[0] <= low
    assert high <= ticks[-1]
    assert 2 <= len(ticks) <= 8
