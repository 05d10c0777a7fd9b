"""Fits text to a screen: wraps sentences between words, and turns tables that are too wide into lists."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

ANSI = re.compile("\x1b\\[[0-9;]*m")
NARROW = 16  # the fewest columns in which the last column of a table is wrapped in place
LEAST = 50  # the fewest columns in which a table is a table
SHORTEST = 6  # the fewest columns that a column of a table is cut to


@dataclass(frozen=True, slots=True)
class Screen:
    """Where boards are drawn: its current width in columns, and whether a screen reader is used."""

    width: Callable[[], int] = lambda: 80
    plain: bool = False  # for a screen reader: positions in words, and no frames


def width_of(text: str) -> int:
    """How many columns a text takes: colors take none, and some characters take two."""
    visible = ANSI.sub("", text)
    if visible.isascii():
        return len(visible)
    return sum(
        0 if unicodedata.combining(letter) else 1 + (unicodedata.east_asian_width(letter) in "WF")
        for letter in visible
    )


def wrap(line: str, width: int | None, hang: int = 0) -> list[str]:
    """Break a line between words into lines of at most `width` columns; None leaves it as it is.

    A longer word, such as a link, gets a line of its own. The lines after the first are indented by
    `hang` more columns than the first.
    """
    if width is None or width_of(line) <= width:
        return [line]
    indent = " " * (len(line) - len(line.lstrip(" ")))
    first, *words = line.split(" ")[len(indent) :]
    lines = [indent + first]
    for word in words:
        longer = f"{lines[-1]} {word}"
        if width_of(longer.rstrip()) <= width:
            lines[-1] = longer
        elif word:
            lines.append(f"{indent}{' ' * hang}{word}")
    return [one.rstrip() for one in lines]


def columns(rows: Iterable[Sequence[str]], width: int | None = None) -> list[str]:
    """Rows of text with aligned columns; the last column is wrapped in place, or below the others."""
    return [line for lines in align_rows(rows, width) for line in lines]


def align_rows(rows: Iterable[Sequence[str]], width: int | None = None) -> Iterator[list[str]]:
    """Like `columns`, but each row's lines are a list of their own."""
    table = [tuple(row) for row in rows]
    if not table:
        return
    *widths, _ = (max(width_of(row[k]) for row in table) for k in range(len(table[0])))
    before = sum(widths) + 2 * len(widths)
    for *cells, last in table:
        head = "".join(_pad(text, size + 2) for text, size in zip(cells, widths, strict=True))
        if width is not None and width - before < NARROW and before + width_of(last) > width:
            yield [*wrap(head.rstrip(), width), *wrap(f"    {last}", width)]
            continue
        first, *more = wrap(last, None if width is None else width - before)
        yield [f"{head}{first}".rstrip(), *(" " * before + one for one in more)]


def table(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    width: int | None,
    *,
    plain: bool = False,
    spare: Sequence[str] = (),
) -> list[str]:
    """A table with a heading. Empty columns are left out.

    If it is too wide, the last column is wrapped in place. If that is not enough, the columns of the
    headings in `spare` are left out one after the other, and then the widest ones are cut. For a screen
    reader, and where there is no room for any table, each row becomes a sentence.
    """
    kept = [k for k in range(len(head)) if any(row[k] for row in rows)]
    shown = [tuple(row[k] for k in kept) for row in (head, *rows)]
    lines = columns(shown)
    fits = width is None or max(map(width_of, lines)) <= width
    if plain or (width is not None and not fits and width < LEAST):
        sentences = (", ".join(_named(shown[0], row)) for row in shown[1:])
        return [line for one in sentences for line in wrap(one, width, hang=2)]
    if width is None or fits:
        return lines
    for name in (None, *spare):
        if name in shown[0][:-1]:
            place = shown[0].index(name)
            shown = [(*row[:place], *row[place + 1 :]) for row in shown]
        if width - sum(2 + size for size in _widths(shown)[:-1]) >= _room_for_last(shown):
            return columns(shown, width)
    return columns(_cut(shown, width), width)


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(width_of, column)) for column in zip(*rows, strict=True)]


def _room_for_last(rows: Sequence[Sequence[str]]) -> int:
    """The fewest columns in which the last column can be wrapped: its words must fit."""
    word = max(width_of(word) for row in rows for word in row[-1].split() or [""])
    return max(word, min(NARROW, _widths(rows)[-1]))


def _cut(rows: Sequence[Sequence[str]], width: int) -> list[tuple[str, ...]]:
    """The rows with their widest columns cut, so that the last column has room."""
    widths = _widths(rows)[:-1]
    room = width - _room_for_last(rows) - 2 * len(widths)
    while sum(widths) > room and max(widths) > SHORTEST:
        widths[widths.index(max(widths))] -= 1
    return [
        (*(_shorten(text, size) for text, size in zip(row, widths, strict=False)), row[-1])
        for row in rows
    ]


def _shorten(text: str, width: int) -> str:
    """A text in at most `width` columns; what is cut off is three dots."""
    if width_of(text) <= width:
        return text
    while width_of(text) > width - 3:
        text = text[:-1]
    return f"{text.rstrip()}..."


def _named(head: Sequence[str], row: Sequence[str]) -> Iterator[str]:
    for name, text in zip(head, row, strict=True):
        if text:
            yield f"{name.lower()} {text}" if name.isupper() else text


def _pad(text: str, width: int) -> str:
    return text + " " * (width - width_of(text))


def beside(blocks: Sequence[Sequence[str]], width: int) -> list[str]:
    """Blocks of lines next to each other if they fit, else one below the other."""
    sizes = [max(map(width_of, block), default=0) for block in blocks]
    if sum(sizes) + 4 * (len(blocks) - 1) > width:
        return [line for k, block in enumerate(blocks) for line in ([""] if k else []) + list(block)]
    height = max(map(len, blocks))
    rows = zip(*([*block, *[""] * (height - len(block))] for block in blocks), strict=True)
    return [
        "    ".join(_pad(line, size) for line, size in zip(row, sizes, strict=True)).rstrip()
        for row in rows
    ]
