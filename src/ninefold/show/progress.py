"""How far something is, as a line on a terminal."""

from __future__ import annotations

import sys
from time import monotonic
from typing import Self

PLAIN = 10.0  # seconds between two lines for a screen reader


class ProgressLine:
    """A line on standard error that is redrawn every so many seconds; nothing without a terminal.

    If it is `plain`, nothing is redrawn: a new line is written now and then. As a context, it clears the
    line at the end, whatever happens.
    """

    def __init__(self, seconds: float, plain: bool = False) -> None:
        self._seconds, self._plain = PLAIN if plain else seconds, plain
        self._last = monotonic()
        self._width = 0  # of what is on the screen

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    @property
    def due(self) -> bool:
        """Whether the next text will be shown."""
        return sys.stderr.isatty() and monotonic() - self._last > self._seconds

    def show(self, text: str) -> None:
        if not self.due:
            return
        self._last = monotonic()
        if self._plain:
            print(text, file=sys.stderr, flush=True)
        else:
            print(f"\r{text:{self._width}}", end="", file=sys.stderr, flush=True)
            self._width = len(text)

    def clear(self) -> None:
        if self._width:
            print(f"\r{'':{self._width}}\r", end="", file=sys.stderr, flush=True)
            self._width = 0
