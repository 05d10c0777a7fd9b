"""The screen for a window that is too small for a game."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Static

LEAST = Size(40, 16)


def too_small(size: Size) -> bool:
    return size.width < LEAST.width or size.height < LEAST.height


class TooSmall(Screen[None]):
    """It goes away by itself as soon as there is room."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("l", "line_mode", "Line mode"),
        Binding("q", "app.quit", "Quit"),
    ]

    def __init__(self, line_mode: list[str]) -> None:
        super().__init__()
        self._line_mode = line_mode

    def compose(self) -> ComposeResult:
        yield Static(
            f"This window is too small. Make it at least {LEAST.width} columns wide and {LEAST.height} "
            "rows high, or press l to continue in line mode, or q to quit.",
            markup=False,
        )

    def action_line_mode(self) -> None:
        self.app.exit(self._line_mode)
