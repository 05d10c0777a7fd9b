"""Playing on a server: start a match, or join or watch one by its link or from a list."""

from __future__ import annotations

from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input, OptionList, Static

from ninefold.client import Address, Link
from ninefold.client.lobby import SERVER
from ninefold.core.errors import NinefoldError
from ninefold.games import every_game
from ninefold.store.files.settings import read_settings
from ninefold.tui import connecting
from ninefold.tui.background import run_aside
from ninefold.tui.forms.form import FormRow, TextEntry
from ninefold.tui.forms.link import LinkForm
from ninefold.tui.forms.setup import SetupForm
from ninefold.tui.keybar import KeyBar
from ninefold.tui.listing import Listing
from ninefold.tui.screens.screen import BACK, Leaf

ENTRIES = {
    "j": ("join", "join a match by its link"),
    "w": ("watch", "watch a match by its link"),
}


class Lobby(Leaf):
    """The server's address, and below it what can be done there."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(n), f"host({n - 1})", f"Game {n}", show=False) for n in range(1, 10)),
        Binding("j", "join(False)", "Join"),
        Binding("w", "join(True)", "Watch"),
        Binding("s", "server", "Server", tooltip="Change the server's address"),
        Binding("f5", "look", "Refresh", tooltip="List the matches that are open now"),
        BACK,
    ]

    def __init__(self) -> None:
        super().__init__()
        self._games = every_game()
        self._found: list[connecting.Found] = []

    def compose(self) -> ComposeResult:
        yield Static(id="head", markup=False)
        yield Static("Start a match and send somebody the link, or join one.", id="news", markup=False)
        yield FormRow("server", "Server", TextEntry(connecting.usual_server(), SERVER))
        yield Listing()
        yield Static(id="status", markup=False)
        yield KeyBar()

    def on_mount(self) -> None:
        self.write_head("Online")
        self._list()
        self.query_one(Listing).focus()

    def on_screen_resume(self) -> None:
        self.action_look()

    def _list(self) -> None:
        """The games to start, the other ways, and the matches that are open to all."""
        rows = [(str(number), game.title, "start a match") for number, game in enumerate(self._games, 1)]
        rows += [(letter, word, what) for letter, (word, what) in ENTRIES.items()]
        ids = [key for key, _, _ in rows] + [f"found-{k}" for k in range(len(self._found))]
        rows += [("▸", found.title, found.text) for found in self._found]
        self.query_one(Listing).show(list(zip(ids, rows, strict=True)))

    @property
    def _server(self) -> str:
        return self.query_one(TextEntry).value.strip() or SERVER

    @work(exclusive=True, group="look")
    async def action_look(self) -> None:
        server = self._server
        self.write("status", connecting.ASKING)
        try:
            address = Address.parse(server)
            self._found = await run_aside(lambda: connecting.find_matches(address))
        except NinefoldError as error:
            self._found, said = [], str(error)
        else:
            said = "" if self._found else "There are no open matches on this server right now."
            connecting.remember_server(server)
        self._list()
        self.write("status", said)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.query_one(Listing).focus()
        self.action_look()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        key = str(event.option.id)
        if key.isdigit():
            self.action_host(int(key) - 1)
        elif key in ENTRIES:
            self.action_join(key == "w")
        else:
            self._take(self._found[int(key.removeprefix("found-"))].link)

    def action_host(self, place: int) -> None:
        if place < len(self._games):
            self.app.push_screen(SetupForm(self._games[place], "online"))

    def action_join(self, watch: bool) -> None:
        self.app.push_screen(LinkForm(watch=watch))

    @work(group="take")
    async def _take(self, link: Link) -> None:
        name = read_settings().name
        await connecting.sit_down_online(self, lambda: (connecting.join_match(link, name), ""), stay=True)

    def action_server(self) -> None:
        self.query_one(TextEntry).focus()
