"""Reports as one HTML page that needs nothing else: each plot stands beside its table."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ninefold.show.plots import PlotRow, plot_bars, plot_dots
from ninefold.show.sheets import sheet, table
from ninefold.text.report import Figures, RunReport, Section, compare

STYLE = """
h1 { font-size: 24px } h2 { margin: 0 0 8px } svg { max-width: 640px }
td + td { font-variant-numeric: tabular-nums }
"""
ABOUT = (
    "Regret is the exact chance to win that a decision gave away, on average over real decisions: those "
    "whose legal moves differ in value. An answer that failed gave away all there was."
)


def write_page(found: Sequence[RunReport]) -> str:
    """One page for one report, or for several; two are compared first."""
    parts = [f"<h1>Evaluation of {escape(', '.join(one.player for one in found))}</h1><p>{ABOUT}</p>"]
    if len(found) == 2:
        parts += [_section(one) for one in compare(*found)]
    for one in found:
        parts.append(f"<h1>{escape(one.title)}</h1>")
        parts += [_section(section, _plot(one, section.title)) for section in one.sections()]
        parts += [f"<section><pre>{escape(str(played))}</pre></section>" for played in one.games.values()]
    return sheet("Evaluation", parts, STYLE)


def _plot(report: RunReport, title: str) -> str:
    """The plot that goes with a table; empty if it has none."""
    figures: dict[str, dict[str, Figures]] = {
        "By game": {"all": report.asked, **report.by_game},
        "By stage": report.by_stage,
        "By seat": report.by_seat,
        "By task": report.listed,
    }
    if title in figures:
        rows = [
            PlotRow(name, float(one.regret), f"{float(one.regret):.4f}", one.interval, lit=name == "all")
            for name, one in figures[title].items()
        ]
        return plot_dots(rows, f"Regret, {title.lower()}", left=330 if title == "By task" else 150)
    if title == "More regret with":
        rows = [
            PlotRow(name, float(one.mean), f"{float(one.mean):+.4f}", one.interval)
            for name, one in report.pairs.items()
        ]
        return plot_dots(rows, "Difference in regret", even=0)
    if title == "Beside our players":
        own = PlotRow(
            report.player, float(report.asked.regret), f"{float(report.asked.regret):.4f}", lit=True
        )
        ours = ((name, float(report.asked.regret - one.mean)) for name, one in report.baselines.items())
        rows = [own, *(PlotRow(name, regret, f"{regret:.4f}") for name, regret in ours)]
        return plot_bars(sorted(rows, key=lambda row: row.value), title, left=300)
    return ""


def _section(section: Section, plot: str = "") -> str:
    rows = table(section.head, section.rows, words=len(section.head) - 1)
    return f"<section><h2>{escape(section.title)}</h2>{plot}{rows}</section>"
