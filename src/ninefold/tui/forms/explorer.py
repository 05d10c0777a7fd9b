"""What is to be explored: a game and its settings."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import ClassVar

from textual.binding import Binding, BindingType

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.games import with_variants
from ninefold.show.exploring import follow
from ninefold.tui.forms.form import Changed, Form, FormRow, FormScreen, Picker
from ninefold.tui.forms.setup import field_of
from ninefold.tui.screens.explorer import Explorer


class ExplorerForm(FormScreen):
    """A form; Enter opens the explorer."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "start", "Explore", priority=True),
        Binding("ctrl+r", "rules", "Rules", tooltip="The rules of this game"),
    ]

    about = "Any position, with the value of every move."

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._first = game
        self._games = {one.slug: one for one in with_variants()}

    def rows(self) -> Iterator[FormRow]:
        games = [(slug, game.title) for slug, game in self._games.items()]
        yield FormRow("game", "Game", Picker(games, self._first.slug))
        for slug, game in self._games.items():
            for option in game.options:
                yield FormRow(f"{slug}-{option.name}", option.name.capitalize(), field_of(option))

    def on_mount(self) -> None:
        self.write_head("Explorer")
        self.on_changed()

    @property
    def game(self) -> Game:
        return self._games[self.query_one("#row-game", FormRow).field.value]

    def on_changed(self, event: Changed | None = None) -> None:
        game = self.game
        self.query_one(Form).show_only(["game", *(f"{game.slug}-{one.name}" for one in game.options)])
        self.write("status", "")

    def action_start(self) -> None:
        game, values = self.game, self.values
        typed = {option.name: values[f"{game.slug}-{option.name}"] for option in game.options}
        try:
            start = game.set_up({name: text for name, text in typed.items() if text}, Random())
        except NinefoldError as error:
            self.write("status", str(error))
            return
        self.app.switch_screen(Explorer(follow(start, ())))

    def action_rules(self) -> None:
        self.nine.show_rules(self.game)
