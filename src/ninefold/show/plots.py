"""Small plots as SVG, drawn with the page's own colors: dots with intervals, bars, lines and a heat map.

The colors are CSS variables, so that a page can be light or dark: --ink, --muted, --line, --lit, --first
and --second, with --up and --down for shares above and below one half.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

ROW = 32
SIZES = (1, 2, 5, 10)
AXIS = 270  # width that is left for dots
SMALLEST, LARGEST = 0.62, 1.2  # by which a plot may be scaled; in less space, its card scrolls


@dataclass(frozen=True, slots=True)
class PlotRow:
    """A line of a plot. `mark` is a dot, or `x` and `o` for the two seats; `lit` picks it out."""

    label: str
    value: float
    text: str
    interval: tuple[float, float] | None = None
    mark: str = "dot"
    lit: bool = False


def plot_dots(
    rows: Sequence[PlotRow], title: str, *, even: float | None = None, unit: str = "", left: float = 0
) -> str:
    """A dot for each row with its interval on one axis. `even` draws a dashed line there.

    The labels get `left` of the width, or as much as they need.
    """
    ends = [edge for row in rows for edge in (row.value, *(row.interval or ()))]
    ends += [] if even is None else [even]
    ticks = find_ticks(min(ends), max(ends))
    low, high = ticks[0], ticks[-1]
    left = left or _wide((row.label for row in rows), 14)
    right, height = 14 + _wide((row.text for row in rows), 14), ROW * len(rows)
    width = left + AXIS + right

    def x(value: float) -> float:
        return left + (value - low) / (high - low) * (width - left - right)

    parts = []
    for tick in ticks:
        parts.append(_line(x(tick), 0, x(tick), height, "var(--line)", 1))
        parts.append(_text(x(tick), height + 20, f"{tick:g}{unit}", "middle", "var(--muted)", 12))
    if even is not None:
        parts.append(_line(x(even), 0, x(even), height, "var(--muted)", 1, ' stroke-dasharray="4 4"'))
    for at, row in enumerate(rows):
        y = ROW * at + ROW / 2
        color = {"x": "var(--first)", "o": "var(--second)"}.get(row.mark, "var(--ink)")
        color = "var(--lit)" if row.lit else color
        parts.append(
            _text(left - 12, y + 5, row.label, "end", color if row.lit else "var(--ink)", 14, row.lit)
        )
        if row.interval is not None:
            low_end, high_end = row.interval
            parts.append(_line(x(low_end), y, x(high_end), y, color, 4, ' stroke-opacity="0.4"'))
        parts.append(_draw_mark(row.mark, x(row.value), y, color))
        parts.append(_text(width, y + 5, row.text, "end", color, 14, True))
    return _svg(width, height + 28, title, parts)


def plot_bars(rows: Sequence[PlotRow], title: str, left: float = 0) -> str:
    """A bar from zero for each row, its value beside it. For `left`, see `plot_dots`."""
    most = max((row.value for row in rows), default=0) or 1
    left, step = left or _wide((row.label for row in rows), 13), 24
    right = 10 + _wide((row.text for row in rows), 13)
    width = left + max(AXIS / 2, AXIS - right / 2) + right
    parts = []
    for at, row in enumerate(rows):
        y = step * at + step / 2
        long = max(2.0, row.value / most * (width - left - right))
        color = "var(--lit)" if row.lit else "var(--muted)"
        parts.append(_text(left - 12, y + 5, row.label, "end", "var(--ink)", 13, row.lit))
        parts.append(
            f'<rect x="{left:.1f}" y="{y - 5:.1f}" width="{long:.1f}" height="10" rx="5" fill="{color}"/>'
        )
        parts.append(_text(left + long + 10, y + 5, row.text, "start", "var(--muted)", 13))
    return _svg(width, step * len(rows), title, parts)


def plot_heat(
    names: Sequence[str], cells: Sequence[Sequence[float | None]], title: str, marks: Sequence[str] = ()
) -> str:
    """Shares from 0 to 1, in percent, of the row against the column. `marks` are short column heads."""
    left, size, high = _wide(names, 13), 44, 30
    width = left + size * len(names)
    heads = marks or names
    parts = [
        _text(left + size * at + size / 2, 20, head, "middle", "var(--muted)", 11)
        for at, head in enumerate(heads)
    ]
    for at, (name, row) in enumerate(zip(names, cells, strict=True)):
        y = ROW * at + 30
        parts.append(_text(left - 10, y + high / 2 + 4, name, "end", "var(--ink)", 13))
        for column, share in enumerate(row):
            x = left + size * column
            fill, depth = ("var(--line)", 0.6)
            if share is not None:
                fill = "var(--up)" if share >= 0.5 else "var(--down)"
                depth = 0.08 + 1.6 * abs(share - 0.5) * 0.9
            parts.append(
                f'<rect x="{x + 1:.1f}" y="{y + 1}" width="{size - 2}" height="{high - 2}" rx="5" '
                f'fill="{fill}" fill-opacity="{min(1.0, depth):.2f}"/>'
            )
            if share is not None:
                shown = f"{100 * share:.0f}"
                parts.append(
                    _text(x + size / 2, y + high / 2 + 4, shown, "middle", "var(--ink)", 12, True)
                )
    return _svg(width, ROW * len(names) + 30, title, parts)


def plot_lines(
    series: Mapping[str, Sequence[float]], labels: Sequence[str], title: str, *, even: float | None = None
) -> str:
    """A line for each series over the same labels, in percent. `even` is dashed.

    Several are named above; one alone has its first and last value at its ends.
    """
    width, height, left, right, top, edge = 600, 280, 50, 10, 30, 20  # `edge` keeps values off the axis
    ends = [value for values in series.values() for value in values] + ([] if even is None else [even])
    ticks = find_ticks(min(ends), max(ends))
    low, high = ticks[0], ticks[-1]

    def x(at: int) -> float:
        return left + edge + at / max(1, len(labels) - 1) * (width - left - right - 2 * edge)

    def y(value: float) -> float:
        return top + (high - value) / (high - low) * (height - top)

    parts = []
    for tick in ticks:
        parts.append(_line(left, y(tick), width - right, y(tick), "var(--line)", 1))
        parts.append(_text(left - 8, y(tick) + 4, f"{tick:g}%", "end", "var(--muted)", 12))
    if even is not None:
        dashed = ' stroke-dasharray="4 4"'
        parts.append(_line(left, y(even), width - right, y(even), "var(--muted)", 1, dashed))
    step = ceil(len(labels) / 12)
    for at, label in enumerate(labels):
        if at % step == 0:
            parts.append(_text(x(at), height + 20, label, "middle", "var(--muted)", 12))
    for place, (name, values) in enumerate(series.items()):
        color = ("var(--first)", "var(--second)", "var(--lit)")[place % 3]
        dashed = ' stroke-dasharray="8 5"' if place >= 3 else ""
        points = " ".join(f"{x(at):.1f},{y(value):.1f}" for at, value in enumerate(values))
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="3"{dashed}/>'
        )
        parts += [_draw_mark("dot", x(at), y(value), color) for at, value in enumerate(values)]
        if len(series) == 1:
            parts += [
                _text(x(at), y(values[at]) - 12, f"{values[at]:.1f}%", "middle", color, 13, True)
                for at in (0, len(values) - 1)
            ]
        else:
            start = left + place * (width - left) / len(series)
            parts.append(_line(start, 8, start + 24, 8, color, 3, dashed))
            parts.append(_text(start + 30, 13, name, "start", color, 13, True))
    return _svg(width, height + 28, title, parts)


def find_ticks(low: float, high: float) -> list[float]:
    """Round numbers around a range: about five steps of 1, 2 or 5 times a power of ten."""
    rough = (high - low) / 5 or abs(low) / 5 or 1
    power = 10 ** floor(log10(rough))
    step = power * next(size for size in SIZES if size * power >= rough * 0.999)
    return [step * k for k in range(floor(low / step), max(ceil(high / step), floor(low / step) + 1) + 1)]


def _draw_mark(mark: str, x: float, y: float, color: str) -> str:
    if mark == "x":
        ends = ((x - 5, y - 5, x + 5, y + 5), (x - 5, y + 5, x + 5, y - 5))
        return "".join(_line(*end, color, 3) for end in ends)
    fill = "var(--card)" if mark == "o" else color
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5.5" fill="{fill}" stroke="{color}" stroke-width="3"/>'


def _line(x1: float, y1: float, x2: float, y2: float, color: str, width: int, more: str = "") -> str:
    where = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {where} stroke="{color}" stroke-width="{width}" stroke-linecap="round"{more}/>'


def _text(x: float, y: float, text: str, anchor: str, color: str, size: int, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}" font-size="{size}"{weight}>'
        f"{escape(text)}</text>"
    )


def _svg(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    box = f'viewBox="0 0 {width:.0f} {height:.0f}"'
    size = f"min-width: {SMALLEST * width:.0f}px; max-width: {LARGEST * width:.0f}px"
    return f'<svg {box} style="{size}" role="img" aria-label="{escape(title)}">{"".join(parts)}</svg>'


def _wide(texts: Iterable[str], size: int) -> float:
    """About how much room the longest of these takes, with a gap beside it."""
    return 12 + 0.66 * size * max(map(len, texts), default=0)
