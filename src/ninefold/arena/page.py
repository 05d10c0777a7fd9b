"""The report as one HTML page that needs nothing else: four plots, tables, and links to every game."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path

from ninefold.arena.folder import Line, read_pairs
from ninefold.arena.report import ALL, ContestReport, say_cell, say_elo, say_interval, short_name
from ninefold.games import load
from ninefold.show.plots import PlotRow, plot_bars, plot_dots, plot_heat
from ninefold.show.sheets import card, explore_url, sheet, table
from ninefold.show.values import percent

LISTED = 4_000  # games that the page links to; of more, the first ones of each pairing


def write_page(report: ContestReport, path: Path, server: str, lit: str = "") -> Path:
    """Write report.html. Links to games lead to the explorer of the server at that address."""
    plan, found = report.plan, path / "report.html"
    rated = [rating for rating in report.joint.players if rating.elo is not None]
    ratings = [
        PlotRow(one.player, one.elo or 0, say_elo(one), one.interval, lit=one.player == lit)
        for one in rated
    ]
    regrets = [
        PlotRow(
            name,
            one.mean,
            f"{percent(one.mean)}  ({percent(one.interval[0])} to {percent(one.interval[1])})",
            lit=name == lit,
        )
        for name in report.players
        if (one := report.regret.get(name))
    ]
    first = [
        PlotRow(
            load(plan.games[game][0]).title if game == plan.games[game][0] else game,
            100 * share,
            percent(share),
            (100 * low, 100 * high),
            "x" if share >= 0.5 else "o",
        )
        for game, (share, (low, high)) in report.joint.first_move.items()
    ]
    cells = [[report.mean_score(row, column) for column in report.players] for row in report.players]
    heat = plot_heat(report.players, cells, "Who beats whom", [*map(short_name, report.players)])
    cards = (
        card("Ratings", "Dot: best estimate. Bar: 95% interval.", plot_dots(ratings, "Ratings")),
        card(
            "Who beats whom",
            f"Score of the row against the column, in %. {report.say_exact()}",
            heat,
        ),
        card(
            "Chance given away per decision",
            "Exact regret: best value minus value of the move made",
            plot_bars(regrets, "Chance given away per decision"),
        ),
        card(
            "First-move advantage",
            "The first player's score between equals: a cross above one half, a ring below it",
            plot_dots(first, "First-move advantage", even=50, unit="%", left=180) if first else "",
        ),
    )
    size = f"{len(plan.players)} players, {len(plan.games)} games, {report.games.total():,} matches"
    body = [
        f"<h1>Contest report <small class=quiet>{size}, seats shared equally</small></h1>",
        '<p><a href="plan.json">Repeat it</a> · <a href="report.json">Download the data</a> · '
        '<a href="ratings.csv">Ratings as CSV</a> · <a href="pairs.csv">Pairs as CSV</a></p>',
        f'<div class="cards">{"".join(cards)}</div><p></p>',
        *_sections(report),
        _games(report, path, server),
    ]
    found.write_text(sheet("Contest report", body), encoding="utf-8")
    return found


def _sections(report: ContestReport) -> Iterator[str]:
    """The tables below the plots."""
    ratings = {
        (game, one.player): one
        for game, found in ({ALL: report.joint} | report.by_game).items()
        for one in found.players
    }
    columns = [ALL, *report.by_game]
    rows = [
        (
            name,
            *(
                f"{say_elo(one)} ({say_interval(one)})" if (one := ratings.get((game, name))) else ""
                for game in columns
            ),
        )
        for name in report.players
    ]
    notes = [f"{one.player}: {one.note}." for one in report.joint.players if one.note]
    yield card(
        "Ratings by game",
        " ".join(map(escape, [*notes, *report.disagreements])) or "All games, and each alone",
        table(("", *columns), rows),
    )
    rows = [
        (
            f"{one} - {other}",
            *(
                say_cell(cell) if (cell := report.scores.get((game, one, other))) else ""
                for game in report.plan.games
            ),
        )
        for one, other in report.plan.pairings
    ]
    about = "Score of the first named, in %: = is exact, the others are sampled, with their 95% intervals"
    inside = table(("", *report.plan.games), rows)
    yield card("Scores", about, f"<details><summary>All pairings</summary>{inside}</details>")
    if report.exploitability:
        games = [
            game for game in report.plan.games if any(key[0] == game for key in report.exploitability)
        ]
        rows = [
            (
                name,
                *(
                    f"{value:.3f}"
                    if (value := report.exploitability.get((game, name))) is not None
                    else ""
                    for game in games
                ),
            )
            for name in report.players
        ]
        about = "How far the best possible opponent exceeds the game's value: 0 cannot be exploited"
        yield card("Exploitability", about, table(("", *games), rows))
    if said := report.say_stopped():
        shares = [(game, percent(report.stopped[game] / n)) for game, n in report.games.items()]
        yield card("Stopped games", said, table(("game", "stopped"), shares))
    if report.failures:
        rows = [(*key, f"{count:,}") for key, count in sorted(report.failures.items())]
        words = [f"{name}: {why}" for name, why in report.last_words.items()]
        listed = "".join(f"<p>{escape(one)}</p>" for one in words)
        yield card(
            "Failures",
            "Each cost its player the game",
            table(("player", "seat", "failure", "games"), rows) + listed,
        )


def _games(report: ContestReport, path: Path, server: str) -> str:
    """Links that replay games, by pairing."""
    strata: dict[tuple[str, str, str], list[Line]] = {}
    most = max(1, LISTED // 2 // max(1, len(report.plan.pairings) * len(report.plan.games)))
    for line in read_pairs(path):
        of = strata.setdefault((line["game"], *line["players"]), [])
        if len(of) < most:
            of.append(line)
    parts: dict[str, list[str]] = {}
    for (game, one, other), lines in strata.items():
        lines.sort(key=lambda line: int(line["pair"]))
        links = " ".join(
            f'<a href="{escape(_replay_url(record, server))}">{line["pair"]}{"ab"[at]}'
            f" {_result(record)}</a>"
            for line in lines
            for at, record in enumerate(played["record"] for played in line["games"])
        )
        named = escape(f"{one} against {other}")
        parts.setdefault(game, []).append(f"<details><summary>{named}</summary><p>{links}</p></details>")
    listed = sum(map(len, strata.values()))
    about = (
        "Each link opens a game on a Ninefold server. In a, the first named has the first move; "
        "in b, the other."
    )
    if listed < report.pairs:
        about += " Any other game: ninefold arena game FOLDER GAME ONE OTHER PAIR."
    inside = (
        f"<details><summary><b>{escape(game)}</b></summary>{''.join(pairings)}</details>"
        for game, pairings in parts.items()
    )
    return card("Games", about, "".join(inside))


def _result(record: Line) -> str:
    winner = record["result"]["winner"]
    return "=" if winner is None else {"first": "1-0", "second": "0-1"}[winner]


def _replay_url(record: Line, server: str) -> str:
    return explore_url(
        server, record["game"], record["setup"], [move["move"] for move in record["moves"]]
    )
