"""The program: its themes, and the keys that work on every screen."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from ninefold.core.game import Game
from ninefold.store.settings import read_settings
from ninefold.tui.home import Home
from ninefold.tui.rules import Rules
from ninefold.tui.screens import Leaf
from ninefold.tui.themes import DARK, DEFAULTS, LIGHT, theme_for


class Ninefold(App[list[str]]):
    """Full screen. It ends with a command to go on with in line mode, or with nothing."""

    CSS_PATH = "app.tcss"
    TITLE = "Ninefold"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1", "help", "Help", key_display="?", tooltip="This list"),
        Binding("ctrl+z", "suspend_process", "Suspend", show=False),
        Binding("ctrl+c,ctrl+q", "quit", "Quit", show=False, priority=True),
    ]

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return DEFAULTS

    def on_mount(self) -> None:
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = theme_for(read_settings().theme)
        self.push_screen(Home())

    def action_help(self) -> None:
        if isinstance(self.screen, Leaf):
            self.screen.show_help()

    def show_rules(self, game: Game) -> None:
        self.push_screen(Rules(game))
