"""The menu: the games, and everything else there is."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ninefold.games import every_game
from ninefold.show.layout import columns
from ninefold.tui.keybar import KeyBar
from ninefold.tui.lobby import Lobby
from ninefold.tui.screens import Leaf
from ninefold.tui.settings import SettingsScreen
from ninefold.tui.setup import Setup

ENTRIES = {
    "o": ("online", "play or watch on a server"),
    "s": ("settings", "your name, the computer's level, colors"),
    "q": ("quit", "leave"),
}


class Home(Leaf):
    """A list; a letter or a digit is enough."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(n), f"play({n - 1})", f"Game {n}", show=False) for n in range(1, 10)),
        Binding("o", "online", "Online", tooltip="Play or watch on a server"),
        Binding("s", "settings", "Settings", show=False),
        Binding("q", "quit", "Quit", tooltip="Leave"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.games = every_game()

    def compose(self) -> ComposeResult:
        yield Static(id="head", markup=False)
        games = [(str(number), game.title, game.summary) for number, game in enumerate(self.games, 1)]
        entries = [(letter, word, what) for letter, (word, what) in ENTRIES.items()]
        lines = columns([*games, *entries])
        options = [
            Option(line, id=key) for line, (key, _, _) in zip(lines, [*games, *entries], strict=True)
        ]
        yield OptionList(*options, markup=False)
        yield Static(id="status", markup=False)
        yield KeyBar()

    def on_mount(self) -> None:
        self.write_head("")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.app.simulate_key(str(event.option.id))

    def action_play(self, place: int) -> None:
        if place < len(self.games):
            self.app.push_screen(Setup(self.games[place]))

    def action_online(self) -> None:
        self.app.push_screen(Lobby())

    def action_settings(self) -> None:
        self.app.push_screen(SettingsScreen())

    def action_quit(self) -> None:
        self.app.exit()

    def action_leave(self) -> None:
        """There is nothing to go back to."""
