"""The report as one HTML page that needs nothing else: four plots, tables, and links to every game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from html import escape
from pathlib import Path

from ninefold.arena.folder import Line, read_pairs
from ninefold.arena.report import ALL, ContestReport, say_cell, say_elo, say_interval, short_name
from ninefold.show.plots import PlotRow, plot_bars, plot_dots, plot_heat
from ninefold.show.sheets import card, explore_url, sheet, table
from ninefold.show.values import percent

LISTED = 4_000  # games that the page links to; of more, the first ones of each pairing
RESULTS = {"first": "1-0", "second": "0-1", None: "="}
STYLE = """
header { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline }
.cards { margin-bottom: 20px } td:first-child { white-space: nowrap }
summary { padding: 2px 0 } details a { display: inline-block; padding: 2px 4px }
"""
HEAD = (
    "<header><h1>Contest report <small class=quiet>{size}</small></h1><p>"
    '<a href="plan.json">Repeat it</a> · <a href="report.json">Download the data</a> · '
    '<a href="ratings.csv">Ratings</a> and <a href="pairs.csv">pairs</a> as CSV</p></header>'
)


def write_page(report: ContestReport, path: Path, server: str, lit: str = "") -> Path:
    """Write report.html. Links to games lead to the explorer of the server at that address."""
    plan, found = report.plan, path / "report.html"
    size = f"{len(plan.players)} players, {len(plan.games)} games, {report.games.total():,} matches"
    body = [
        HEAD.format(size=f"{size}, seats shared equally"),
        f'<div class="cards">{"".join(_plots(report, lit))}</div>',
        *_tables(report),
        _games(report, path, server),
    ]
    found.write_text(sheet("Contest report", body, STYLE), encoding="utf-8")
    return found


def _plots(report: ContestReport, lit: str) -> Iterator[str]:
    ratings = [
        PlotRow(one.player, one.elo, say_elo(one), one.interval, lit=one.player == lit)
        for one in report.joint.players
        if one.elo is not None
    ]
    if ratings:
        yield card("Ratings", "Dot: best estimate. Bar: 95% interval.", plot_dots(ratings, "Ratings"))
    cells = [[report.mean_score(row, column) for column in report.players] for row in report.players]
    yield card(
        title := "Who beats whom",
        f"Score of the row against the column, in %. {report.say_exact()}",
        plot_heat(report.players, cells, title, [*map(short_name, report.players)]),
    )
    regrets = [
        PlotRow(name, one.mean, f"{percent(one.mean)} ({low} to {high})", lit=name == lit)
        for name in report.players
        if (one := report.regret.get(name))
        for low, high in [map(percent, one.interval)]
    ]
    yield card(
        title := "Chance given away per decision",
        "Exact regret: best value minus value of the move made, with its 95% interval",
        plot_bars(regrets, title),
    )
    first = [
        PlotRow(
            report.title(game),
            100 * share,
            percent(share),
            (100 * low, 100 * high),
            "x" if share >= 0.5 else "o",
        )
        for game, (share, (low, high)) in report.first_move.items()
    ]
    if first:
        yield card(
            title := "First-move advantage",
            "The first player's score between equals: a cross above one half, a ring below it",
            plot_dots(first, title, even=50, unit="%"),
        )


def _tables(report: ContestReport) -> Iterator[str]:
    ratings = {
        (game, one.player): f"{say_elo(one)} ({say_interval(one)})"
        for game, found in ({ALL: report.joint} | report.by_game).items()
        for one in found.players
    }
    notes = [f"{one.player}: {one.note}." for one in report.joint.players if one.note]
    yield card(
        "Ratings by game",
        " ".join(map(escape, [*notes, *report.disagreements])) or "All games, and each alone",
        _grid(report, "player", report.players, [ALL, *report.by_game], ratings),
    )
    scores = {
        (game, f"{one} - {other}"): say_cell(cell) for (game, one, other), cell in report.scores.items()
    }
    pairings = [f"{one} - {other}" for one, other in report.plan.pairings]
    inside = _grid(report, "pairing", pairings, [*report.plan.games], scores)
    about = "Score of the first named, in %: = is exact, the others are sampled, with their 95% intervals"
    yield card("Scores", about, f"<details><summary>All pairings</summary>{inside}</details>")
    if exploited := {key: f"{value:.3f}" for key, value in report.exploitability.items()}:
        games = [game for game in report.plan.games if any(key[0] == game for key in exploited)]
        about = "How far the best possible opponent exceeds the game's value: 0 cannot be exploited"
        yield card("Exploitability", about, _grid(report, "player", report.players, games, exploited))
    if said := report.say_stopped():
        shares = [
            (report.title(game), percent(report.stopped[game] / n)) for game, n in report.games.items()
        ]
        yield card("Stopped games", said, table(("game", "stopped"), shares))
    if report.failures:
        rows = [(name, f"{n:,}", seat, how) for (name, seat, how), n in sorted(report.failures.items())]
        words = "".join(f"<p>{escape(f'{name}: {why}')}</p>" for name, why in report.last_words.items())
        failed = table(("player", "games", "seat", "failure"), rows, words=2)
        yield card("Failures", "Each cost its player the game", f"{failed}<p></p>{words}")


def _grid(
    report: ContestReport,
    head: str,
    names: list[str],
    games: list[str],
    cells: dict[tuple[str, str], str],
) -> str:
    """A table of cells by game and name. `head` says what the names are of."""
    rows = [(name, *(cells.get((game, name), "") for game in games)) for name in names]
    return table((head, *map(report.title, games)), rows)


def _games(report: ContestReport, path: Path, server: str) -> str:
    """Links that replay games, by game and pairing."""
    strata: dict[tuple[str, str, str], list[Line]] = defaultdict(list)
    most = max(1, LISTED // 2 // (len(report.plan.pairings) * len(report.plan.games)))
    for line in read_pairs(path):
        of = strata[line["game"], *line["players"]]
        if len(of) < most:
            of.append(line)
    parts: dict[str, str] = defaultdict(str)
    for (game, one, other), lines in sorted(strata.items(), key=lambda item: item[0]):
        links = " ".join(
            f'<a href="{escape(_replay_url(record, server))}">'
            f"{line['pair']}{'ab'[at]} {RESULTS[record['result']['winner']]}</a>"
            for line in sorted(lines, key=lambda line: int(line["pair"]))
            for at, record in enumerate(played["record"] for played in line["games"])
        )
        parts[game] += _fold(f"{one} against {other}", f"<p>{links}</p>")
    about = (
        "Each link opens a game on a Ninefold server. In a, the first named has the first move; "
        "in b, the other."
    )
    if sum(map(len, strata.values())) < report.pairs:
        about += " Any other game: ninefold arena game FOLDER GAME ONE OTHER PAIR."
    played = (game for game in report.plan.games if game in parts)
    return card("Games", about, "".join(_fold(report.title(game), parts[game]) for game in played))


def _fold(title: str, inside: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{inside}</details>"


def _replay_url(record: Line, server: str) -> str:
    moves = [move["move"] for move in record["moves"]]
    return explore_url(server, record["game"], record["setup"], moves)
