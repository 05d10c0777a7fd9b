"""The menu: the games, and everything else there is."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from ninefold.games import every_game
from ninefold.show.layout import columns
from ninefold.tui.lobby import Lobby
from ninefold.tui.screens import Leaf
from ninefold.tui.setup import Setup

ENTRIES = {
    "o": ("online", "play or watch on a server"),
    "q": ("quit", "leave"),
}


class Home(Leaf):
    """A list; a letter or a digit is enough."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(n), f"play({n - 1})", f"Game {n}", show=False) for n in range(1, 10)),
        Binding("o", "online", "Online", tooltip="Play or watch on a server"),
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
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        self.write_head("")

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        key = str(event.option.id)
        await self.run_action(f"play({int(key) - 1})" if key.isdigit() else ENTRIES[key][0])

    def action_play(self, place: int) -> None:
        if place < len(self.games):
            self.app.push_screen(Setup(self.games[place]))

    def action_online(self) -> None:
        self.app.push_screen(Lobby())

    def action_quit(self) -> None:
        self.app.exit()

    def action_leave(self) -> None:
        """There is nothing to go back to."""
