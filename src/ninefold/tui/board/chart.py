"""A player's chances from the start to the end of a match, a column for each position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from ninefold.show.values import bar_length, percent

EIGHTHS = " ▁▂▃▄▅▆▇█"
MARGIN = 3  # columns left of the first position
SAID = 8  # columns for the chance in figures


class Chart(Widget):
    """The chances as bars, a pointer to the position looked at, and marks at moves."""

    @dataclass
    class Pointed(Message):
        """Somebody has clicked on a position."""

        place: int

    def __init__(self) -> None:
        super().__init__()
        self._chances: Sequence[Fraction | None] = ()
        self._marks: Mapping[int, str] = {}
        self._mark = ""
        self._at = 0

    def show(
        self, mark: str, chances: Sequence[Fraction | None], marks: Mapping[int, str], at: int
    ) -> None:
        """Draw one player's chances from now on; None is neither side's. `mark` is the player's."""
        self._mark, self._chances, self._marks, self._at = mark, chances, marks, at
        self.refresh()

    @property
    def _first(self) -> int:
        """The first position that has room, so that the one looked at has it too."""
        room = max(self.size.width - MARGIN - SAID, 1)
        return min(max(self._at - room // 2, 0), max(len(self._chances) - room, 0))

    def render(self) -> Content:
        if not self._chances:
            return Content("")
        rows = max(self.size.height - 1, 1)
        room = max(self.size.width - MARGIN - SAID, 1)
        shown = range(self._first, min(self._first + room, len(self._chances)))
        now = self._chances[self._at]
        said = "endless" if now is None else percent(now)
        color = "$x" if self._mark == "X" else "$o"
        lines = []
        for row in reversed(range(rows)):
            bars = "".join(_bar(self._chances[place], rows)[row] for place in shown)
            begin = f" {self._mark} " if row == rows - 1 else " " * MARGIN
            lines.append(Content.assemble(begin, (bars, color), f" {said}" if row == rows - 1 else ""))
        below = "".join("▲" if place == self._at else self._marks.get(place, " ")[:1] for place in shown)
        return Content("\n").join([*lines, Content(" " * MARGIN + below)])

    def on_click(self, event: events.Click) -> None:
        place = self._first + event.x - MARGIN
        if 0 <= place < len(self._chances):
            self.post_message(self.Pointed(place))


def _bar(chance: Fraction | None, rows: int) -> str:
    """A column from the bottom up; it never looks certain unless it is."""
    if chance is None:
        return "~" + " " * (rows - 1)
    most = 8 * rows
    least = 1 if chance in (0, 1) else 2  # a loss is a line, not a gap
    full = max(bar_length(chance, most), least)
    return "".join(EIGHTHS[min(max(full - 8 * row, 0), 8)] for row in range(rows))
