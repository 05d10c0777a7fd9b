"""How far something is, as a line on a terminal."""

from __future__ import annotations

import sys
from time import monotonic


class ProgressLine:
    """A line on standard error that is redrawn every so many seconds; nothing without a terminal."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._last = monotonic()
        self._width = 0  # of what is on the screen

    @property
    def due(self) -> bool:
        """Whether the next text will be shown."""
        return sys.stderr.isatty() and monotonic() - self._last > self._seconds

    def show(self, text: str) -> None:
        if self.due:
            print(f"\r{text:{self._width}}", end="", file=sys.stderr, flush=True)
            self._last, self._width = monotonic(), len(text)

    def clear(self) -> None:
        if self._width:
            print(f"\r{'':{self._width}}\r", end="", file=sys.stderr, flush=True)
            self._width = 0
