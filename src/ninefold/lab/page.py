"""The laboratory's report: one page and one JSON file for each game, and an overview of all."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import Any

from ninefold.analysis import evaluate
from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.lab.edits import certify, is_decided, pick_fairest, pie_value, say_pie
from ninefold.lab.jobs import LabJob, find_versions, version_jobs
from ninefold.lab.measures import BALANCES, MEANINGS, say_measure
from ninefold.players import LEVELS
from ninefold.show.plots import PlotRow, plot_dots, plot_lines
from ninefold.show.sheets import card, explore_url, sheet, table
from ninefold.show.values import percent
from ninefold.study.facts import chance_of

OVERVIEW = "report.html"  # where a server's --reports looks for it
LISTED = 12  # versions that are plotted; all are in the table
LEVEL_LABELS = ("random", *map(str, LEVELS), "perfect")
MARKS = {"True": "✓", "False": "✗", "True only if": "?", "Not checkable": "-"}

STYLE = """
.cards { grid-template-rows: auto 1fr; margin-bottom: 20px } .cards > :first-child { grid-row: span 2 }
.claim { display: grid; grid-template-columns: 130px 1fr auto; gap: 4px 12px; padding: 8px 0;
  border-top: 1px solid var(--line) } .claim p { margin: 0 }
.verdict { font-weight: bold; font-size: 13px; place-self: start; padding: 1px 10px; border-radius: 12px;
  background: color-mix(in srgb, currentcolor 12%, transparent) }
.True { color: var(--lit) } .False { color: var(--second) }
.verdict.if { color: var(--first) }
.board { display: grid; gap: 6px; max-width: 380px; margin-bottom: 8px }
.board span { border: 1px solid var(--line); border-radius: 6px; padding: 14px 4px; text-align: center;
  font-weight: bold; color: var(--first) }
.board span:has(i) { border: 0; background: var(--back) }
.board i { font-style: normal; color: var(--muted) }
@media (max-width: 500px) { .claim { grid-template-columns: 1fr } }
"""


def report_jobs(games: Sequence[Game]) -> list[LabJob]:
    """All the work for the reports on these games, roughly the longest first."""
    jobs = [job for game in games for job in version_jobs(game, report=True)]
    return sorted(jobs, key=lambda job: (not job.report, not job.levels))


def gather(game: Game, results: Mapping[str, Any]) -> dict[str, Any]:
    """All that the report on a game says, as plain data."""
    jobs = [*version_jobs(game, report=True)]
    versions, book = find_versions(game, jobs, results), results[jobs[0].key]
    choices = evaluate(game.set_up(game.example.setup)).choices
    chances = {str(one.move): str(chance_of(one.value, Seat.FIRST)) for one in choices}
    return {
        **book["measured"],
        "claims": book["claims"],
        "paths": book["paths"],
        "first_moves": {"setup": dict(game.example.setup), "chances": chances},
        "versions": [one.to_data() for one in versions],
        "fairest": pick_fairest(versions).name,
        "by_level": is_decided(versions),
        "certificate": certify(versions),
        "pie": str(pie_value(game)),
    }


def write_report(
    games: Sequence[Game], results: Mapping[str, Any], folder: Path, server: str
) -> list[Path]:
    """Write the pages and their data. Links to positions lead to the explorer of that server."""
    found = {game: gather(game, results) for game in games}
    files = {}
    for game, data in found.items():
        files[f"{game.slug}.json"] = json.dumps(data, indent=1) + "\n"
        page = _game_page(game, data, server)
        files[f"{game.slug}.html"] = sheet(f"{game.title}: laboratory", page, STYLE)
    files[OVERVIEW] = sheet("Laboratory", _overview(found), STYLE)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in files]


def _percent(value: Any) -> str:
    return "not solved" if value is None else percent(Fraction(value))


def _fold(title: str, inside: str) -> str:
    return f"<details><summary>{title}</summary>{inside}</details>"


def _curve(data: dict[str, Any]) -> list[float]:
    return [100 * float(Fraction(data["measures"][name]["value"])) for name in (*BALANCES, "perfect")]


def _curves(curves: dict[str, list[float]], numbers: str) -> str:
    plot = plot_lines(curves, LEVEL_LABELS, "First player's chance by level", even=50)
    about = "Both players at the same level, from random to perfect, in percent"
    return card("First player's chance, by level of play", about, plot + numbers)


def _game_page(game: Game, data: dict[str, Any], server: str) -> Iterator[str]:
    yield f'<h1>{game.title} <small class="quiet">Laboratory report</small></h1>'
    yield f'<p><a href="{OVERVIEW}">All games</a> · <a href="{game.slug}.json">Download the data</a></p>'
    curve = _curve(data)
    rows = [(label, f"{value:.1f}") for label, value in zip(LEVEL_LABELS, curve, strict=True)]
    cards = [
        card("What the rule book says", "Every verdict is computed.", _claims(game, data, server)),
        _curves({"first": curve}, _fold("The numbers", table(("level", "chance"), rows))),
        _first_moves(game, data, server),
        _edits(data),
        _paths(data),
    ]
    yield f'<div class="cards">{"".join(cards)}</div>'
    listed = [(name, say_measure(one), MEANINGS[name]) for name, one in data["measures"].items()]
    about = f"How they were found: {data['method']}, {data['seconds']} s"
    yield card("Measures", about, table(("measure", "value", "what it means"), listed, words=1))


def _claims(game: Game, data: dict[str, Any], server: str) -> str:
    parts = []
    for one in data["claims"]:
        verdict, link = one["verdict"], ""
        if witness := one.get("witness"):
            url = explore_url(server, game.slug, witness["setup"], witness["moves"])
            link = f'<a href="{escape(url)}" aria-label="Witness: line {one["line"]}">Witness</a>'
        parts.append(
            f'<div class="claim"><span class="verdict {verdict}">{MARKS[verdict]} {verdict}</span>'
            f"<p><b>“{escape(one['quote'])}”</b> <span class=quiet>(line {one['line']})</span><br>"
            f"{escape(one['why'])}</p>{link}</div>"
        )
    return "".join(parts) or "<p>This game has no rule book.</p>"


def _first_moves(game: Game, data: dict[str, Any], server: str) -> str:
    """The first player's chance after each first move, on the board: at a cell, or beside a line."""
    setup, chances = data["first_moves"]["setup"], data["first_moves"]["chances"]
    best: dict[tuple[int, ...], Fraction] = {}
    for text, chance in chances.items():
        spot = game.spot(game.parse(text)).cells
        best[spot] = max(best.get(spot, Fraction(0)), Fraction(chance))
    board = game.set_up(setup).view(None).boards[0]
    places, width = range(len(board.cells)), board.width

    def draw(spot: tuple[int, ...]) -> str:
        if spot in best:
            return f"<span>{_percent(best[spot])}</span>"
        return f"<span><i>{board.cells[spot[0]].number}</i></span>" if len(spot) == 1 else ""

    rows = [tuple(places[at : at + width]) for at in places[::width]]
    drawn = [draw(spot) for row in rows for spot in (*((at,) for at in row), row)]
    drawn += [draw(tuple(places[at::width])) for at in range(width)]
    across, shown = width, ""
    if lines := max(map(len, best)) > 1:
        across += 1
        numbers = [(text, _percent(chance)) for text, chance in chances.items()]
        shown = _fold("The numbers", table(("move", "chance"), numbers))
    about = "First player's chance after it, if both then play perfectly"
    if not lines and len(chances) > len(best):
        about += " and the best number was placed there"
    where = ", ".join(f"{name} {value}" for name, value in setup.items())
    return card(
        "Value of each first move",
        f"{about}{f' ({where})' if where else ''}",
        f'<div class="board" style="grid-template-columns: repeat({across}, 1fr)" role="group"'
        f' aria-label="By first move">{"".join(drawn)}</div>{shown}'
        f'<p><a href="{escape(explore_url(server, game.slug, setup, ()))}">Explore from here</a></p>',
    )


def _edits(data: dict[str, Any]) -> str:
    versions, by_level = data["versions"], data["by_level"]
    fairest = next(one for one in versions if one["name"] == data["fairest"])

    def distance(one: dict[str, Any]) -> float:
        return float(one["mean_distance"] if by_level else abs(float(Fraction(one["perfect"])) - 0.5))

    def row(one: dict[str, Any]) -> PlotRow:
        share = distance(one) if by_level else float(Fraction(one["perfect"]))
        text = f"{100 * share:.1f}" if by_level else _percent(one["perfect"])
        label = "the book's rules" if one is book else one["name"].replace("-", " ").replace("+", " + ")
        return PlotRow(label, 100 * share, text, lit=one is fairest)

    book, *others = (one for one in versions if one["perfect"] is not None)
    shown = [book, *sorted(others, key=distance)[: LISTED - 1]]
    what = "First player's chance under perfect play"
    if by_level:
        what = (
            "Mean distance of the first player's chance from one half, over random play and levels 1 to 9"
        )
    plot = plot_dots([*map(row, shown)], what, even=None if by_level else 50, unit="%", left=275)
    heads = ("version", "perfect play", "mean distance by level", "the rule")
    rows = [
        (
            one["name"],
            _percent(one["perfect"]),
            "" if one["mean_distance"] is None else f"{one['mean_distance']:.4f}",
            one["about"],
        )
        for one in versions
    ]
    said = (f"The most even: {fairest['about']} {data['certificate']}", say_pie(Fraction(data["pie"])))
    return card(
        "What if the rules were different?",
        what,
        f"{plot}{''.join(f'<p>{escape(one)}</p>' for one in said)}"
        + _fold(f"All {len(rows)} versions", table(heads, rows, words=1)),
    )


def _paths(data: dict[str, Any]) -> str:
    paths = {name: [100 * value for value in values] for name, values in data["paths"].items()}
    labels = [str(at + 1) for at in range(max(map(len, paths.values())))]
    rows = [
        (name, *(f"{value:.0f}" for value in values), *[""] * (len(labels) - len(values)))
        for name, values in paths.items()
    ]
    plot = plot_lines(paths, labels, "The winner's chance by move", even=50)
    about = (
        "The eventual winner's chance before each move, in percent: the mean of the sampled games that "
        "are still going on, as long as one in twenty is"
    )
    return card("How a game is won", about, plot + _fold("The numbers", table(("move", *labels), rows)))


def _overview(found: dict[Game, dict[str, Any]]) -> Iterator[str]:
    yield '<h1>Laboratory <small class="quiet">Measures of the games, side by side</small></h1>'
    links = " · ".join(f'<a href="{game.slug}.html">{game.title}</a>' for game in found)
    yield f"<p>{links}</p>"
    curves = {game.slug: _curve(data) for game, data in found.items()}
    rows = [(game.title, *(f"{value:.1f}" for value in curves[game.slug])) for game in found]
    yield _curves(curves, table(("game", *LEVEL_LABELS), rows))
    names = [name for name in MEANINGS if not name.startswith("balance")]

    def say(data: dict[str, Any], name: str) -> str:
        return say_measure(data["measures"][name]) if name in data["measures"] else ""

    measured = [(name, *(say(data, name) for data in found.values())) for name in names]
    meanings = table(("measure", "what it means"), [(name, MEANINGS[name]) for name in names], words=1)
    yield card(
        "Measures",
        "Estimates have their 95% interval; the others are exact",
        table(("measure", *(game.title for game in found)), measured) + _fold("What they mean", meanings),
    )
    proven = [(game.title, data["fairest"], data["certificate"]) for game, data in found.items()]
    yield card(
        "The most even version",
        "Of all listed edits and pairs of them",
        table(("game", "version", "what is proven"), proven, words=2),
    )
