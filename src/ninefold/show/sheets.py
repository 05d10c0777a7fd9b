"""Reports as HTML pages that need nothing else: cards with plots and tables, light or dark."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from urllib.parse import quote, urlencode

STYLE = """
:root { --back: #f7f6f3; --card: #fff; --ink: #1b2430; --muted: #667; --line: #dfdeda; --lit: #175c46;
  --first: #1c46a8; --second: #8c3b12; --up: #7ba0ee; --down: #eda06c }
@media (prefers-color-scheme: dark) { :root { --back: #14181d; --card: #1e242b; --ink: #e8e6e1;
  --muted: #9aa3ad; --line: #3a424b; --lit: #6fcfa8; --first: #8fb2ff; --second: #f0a37a; --up: #4268b8;
  --down: #a85e2c } }
body { margin: 0 auto; padding: 16px; max-width: 1120px; background: var(--back); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif }
h1 { font-size: 26px; margin: 8px 0 } h1 small { font-size: 15px; font-weight: normal }
h2 { font-size: 17px; margin: 0 } p { margin: 0 0 12px }
.quiet { color: var(--muted) } a { color: var(--lit) }
.cards { display: grid; gap: 20px;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 480px), 1fr)) }
section { background: var(--card); border: 1px solid var(--line); border-radius: 16px; padding: 14px 20px;
  margin-bottom: 20px; overflow-x: auto } .cards section { margin: 0 }
svg { width: 100%; height: auto; font-family: inherit }
table { border-collapse: collapse } td, th { padding: 3px 14px 3px 0; text-align: left }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums } td.n { white-space: nowrap }
summary { cursor: pointer } details details { margin-left: 20px }
@media (max-width: 480px) { section { padding: 12px }
  .words tr { display: flex; flex-wrap: wrap; padding: 6px 0; border-bottom: 1px solid var(--line) }
  .words :is(td, th):last-child { flex-basis: 100% } .words .n { margin-left: auto }
  .words td:first-child { font-weight: bold } }
"""


def sheet(title: str, body: Iterable[str], style: str = "") -> str:
    """A whole page. `style` is added to the style that all reports share."""
    head = f"<title>{escape(title)} - Ninefold</title><style>{STYLE}{style}</style>"
    view = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    page = f'<!doctype html><html lang="en"><meta charset="utf-8">{head}{view}'
    return f"{page}<main>{''.join(body)}</main></html>\n"


def card(title: str, about: str, inside: str) -> str:
    # What is too wide scrolls, and keys only scroll where something has the focus.
    focus = "" if "<a " in inside or "<summary" in inside else ' tabindex="0"'
    return f'<section{focus}><h2>{title}</h2><p class="quiet">{about}</p>{inside}</section>'


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], words: int = 0) -> str:
    """A table; all columns are numbers but the first, and as many of the last as hold words."""

    def line(cells: Sequence[str], tag: str) -> str:
        return (
            "<tr>"
            + "".join(
                f"<{tag}{' class=n' if 0 < at < len(cells) - words else ''}>{escape(str(cell))}</{tag}>"
                for at, cell in enumerate(cells)
            )
            + "</tr>"
        )

    style = " class=words" if words else ""  # on a phone, the last column gets lines of its own
    return f"<table{style}>{line(heads, 'th')}{''.join(line(row, 'td') for row in rows)}</table>"


def explore_url(server: str, slug: str, setup: Mapping[str, int | str], moves: Iterable[str]) -> str:
    """The explorer of a server, at a position."""
    query = urlencode({**setup, "moves": " ".join(moves)}, safe="@,:")
    return f"{server}/explore/{quote(slug)}?{query}"
