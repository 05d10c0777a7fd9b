"""A list to choose from, its columns aligned and wrapped to the window."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from ninefold.show.layout import align_rows

FRAME = 3  # columns around the text


class Listing(OptionList):
    """Rows of text, each with an id."""

    def __init__(self, rows: Sequence[tuple[str, Sequence[str]]] = (), *, id: str | None = None) -> None:
        super().__init__(id=id, markup=False)
        self._rows = list(rows)

    def on_resize(self, event: events.Resize) -> None:
        self.show(self._rows)

    def show(self, rows: Sequence[tuple[str, Sequence[str]]]) -> None:
        """List these rows from now on. The cursor stays where it was."""
        self._rows, at = list(rows), self.highlighted
        self.clear_options()
        texts = align_rows((row for _, row in self._rows), self.size.width - FRAME)
        ids = (id for id, _ in self._rows)
        self.add_options(Option("\n".join(lines), id=id) for lines, id in zip(texts, ids, strict=True))
        if self._rows:
            self.highlighted = min(at or 0, len(self._rows) - 1)
