"""The program: its themes, and the keys that work on every screen."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual import events
from textual.app import App
from textual.binding import Binding, BindingType

from ninefold.core.game import Game
from ninefold.core.move import Move
from ninefold.show.exploring import follow
from ninefold.store.files.settings import read_settings
from ninefold.tui.forms.explorer import ExplorerForm
from ninefold.tui.forms.setup import SetupForm
from ninefold.tui.screens.explorer import Explorer
from ninefold.tui.screens.home import Home
from ninefold.tui.screens.rules import Rules
from ninefold.tui.screens.screen import Leaf
from ninefold.tui.screens.too_small import TooSmall, too_small
from ninefold.tui.themes import DARK, DEFAULTS, LIGHT, theme_for


class Ninefold(App[list[str]]):
    """Full screen. It ends with a command to go on with in line mode, or with nothing."""

    CSS_PATH = "app.tcss"
    TITLE = "Ninefold"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1", "help", "Help", key_display="?", tooltip="This list", priority=True),
        Binding("ctrl+z", "suspend_process", "Suspend", show=False),
        Binding("ctrl+c,ctrl+q", "quit", "Quit", show=False, priority=True),
    ]

    def __init__(self) -> None:
        # Textual chooses now how to leave colors out, and only with this it leaves out all of them.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return DEFAULTS

    def on_mount(self) -> None:
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = theme_for(read_settings().theme, no_color=self.no_color)
        if not self.is_headless:
            # An exception in the middle of something could leave the terminal as it is.
            status = 128 + signal.SIGTERM
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self.exit, None, status)
        self.push_screen(Home())
        if too_small(self.size):
            self.push_screen(TooSmall([]))

    def on_resize(self, event: events.Resize) -> None:
        """Where a window becomes too small, say so instead of drawing half a table."""
        small = isinstance(self.screen, TooSmall)
        if too_small(event.size) and not small:
            line_mode = self.screen.line_mode if isinstance(self.screen, Leaf) else []
            self.push_screen(TooSmall(line_mode))
        elif small and not too_small(event.size):
            self.pop_screen()

    def go_home(self) -> None:
        """Back to the menu, from wherever a match was opened."""
        while not isinstance(self.screen, Home):
            self.pop_screen()

    def action_help(self) -> None:
        if isinstance(self.screen, Leaf):
            self.screen.show_help()

    def show_rules(self, game: Game) -> None:
        self.push_screen(Rules(game))

    def explore(self, game: Game, setup: Mapping[str, int | str], moves: Sequence[Move]) -> None:
        """Open the explorer at a position."""
        self.push_screen(Explorer(follow(game.set_up(setup), moves)))

    def set_up_coached(self, game: Game, level: int) -> None:
        """Open the form of a game against a level, with the coach on."""
        self.push_screen(SetupForm(game, coached=level))

    def set_up_explorer(self, game: Game) -> None:
        """Go from the explorer to the form before it."""
        self.switch_screen(ExplorerForm(game))
