"""The Markdown of our rules as plain lines for a terminal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ninefold.show.layout import wrap

_ITEM = re.compile(r"(- |\d+\. )(.*)")
_SPAN = re.compile(r"\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`")


def render(markdown: str, width: int | None, bold: Callable[[str], str]) -> list[str]:
    """The Markdown of our rules as plain lines: headings, paragraphs and lists, without the markup."""
    lines: list[str] = []
    previous = ""
    for kind, text in _paragraphs(markdown):
        said = _SPAN.sub(lambda found: found[1] or found[2] or found[3], text)
        if lines and (kind == "#" or (not kind and (previous != "#" or len(lines) == 1))):
            lines.append("")
        shown = bold(said) if kind == "#" else f"{kind}{said}"
        lines += wrap(shown, width, hang=0 if kind in ("", "#") else len(kind))
        previous = kind
    return lines


def _paragraphs(markdown: str) -> Iterator[tuple[str, str]]:
    """Each heading (`#`), list item (its mark) and paragraph (nothing), with its lines joined."""
    kind, text = "", ""
    for line in [*markdown.splitlines(), ""]:
        item = _ITEM.match(line)
        if text and (not line or item or line.startswith("#")):
            yield kind, text
            kind, text = "", ""
        if line.startswith("#"):
            yield "#", line.lstrip("# ")
        elif item:
            kind, text = item[1], item[2]
        elif line:
            text = f"{text} {line.strip()}".strip()
