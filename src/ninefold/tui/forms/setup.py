"""The form before a game: whom you play, who starts, and the game's settings."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType

from ninefold.client import Address, Link
from ninefold.client.lobby import SERVER, host_match
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game, Option
from ninefold.games import editions_of, load
from ninefold.match.kinds import Clock
from ninefold.match.record import clean_name
from ninefold.match.seating import NAMES, choose_side
from ninefold.players import PERSON, kind
from ninefold.show.levels import say_level
from ninefold.show.moves import say_edition, say_kind
from ninefold.show.status import CLOCKS
from ninefold.store.files.settings import read_settings
from ninefold.table.file import FileTable
from ninefold.tui.connecting import remember_server, sit_down_online, usual_server
from ninefold.tui.forms.form import Changed, Form, FormRow, FormScreen, Picker, TextEntry
from ninefold.tui.screens.match import MatchScreen

LEVELS = ("random", "greedy", *(f"level:{n}" for n in range(1, 10)), "perfect")
SERIES = ("1", "3", "5", "7", "9", "11")
WAYS = [
    ("computer", "the computer"),
    ("people", "someone here"),
    ("online", "someone online"),
]
OTHERS = {"computer": "the computer", "online": "the other player"}  # whom you play
ROWS = {  # that only some ways have
    "computer": {"level", "coach", "best_of"},
    "people": {"name2", "best_of"},
    "online": {"server", "clock", "hints", "listed"},
}


class SetupForm(FormScreen):
    """A form; Enter starts the game. It can begin with a level of the computer and the coach on."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "start", "Start", priority=True),
        Binding("ctrl+r", "rules", "Rules", tooltip="The rules of this game"),
    ]

    about = ""

    def __init__(self, game: Game, against: str = "computer", coached: int | None = None) -> None:
        super().__init__()
        self.game = game
        self.kept = read_settings()
        self._against = against
        self._coached = coached

    def rows(self) -> Iterator[FormRow]:
        yield FormRow("against", "Your opponent", Picker(WAYS, self._against))
        yield level_row(self.kept.level if self._coached is None else str(self._coached))
        coaches = [("no", "off"), ("yes", "stops you at a mistake")]
        yield FormRow("coach", "Coach", Picker(coaches, "no" if self._coached is None else "yes"))
        yield FormRow("name1", "Your name", TextEntry(self.kept.name, NAMES[0]))
        yield FormRow("name2", "Player 2's name", TextEntry("", NAMES[1]))
        starts = [("1", "Player 1"), ("2", "Player 2"), ("random", "random")]
        yield FormRow("first", "Who starts", Picker(starts, "1"))
        yield FormRow("server", "Server", TextEntry(usual_server(), SERVER))
        clocks = [("", "none"), *((str(int(clock)), text) for clock, text in CLOCKS.items())]
        yield FormRow("clock", "Time per move", Picker(clocks, ""))
        yield FormRow("hints", "Hints", Picker([("no", "off"), ("yes", "on, for both players")], "no"))
        listed = [("no", "anyone with the link"), ("yes", "anyone on the server")]
        yield FormRow("listed", "Open to", Picker(listed, "no"))
        yield FormRow("best_of", "Best of", Picker([(one, one) for one in SERIES], "1"))
        if len(editions := editions_of(self.game)) > 1:
            choices = [(one.slug, say_edition(one)) for one in editions]
            yield FormRow("edition", "Edition", Picker(choices, self.game.slug))
        for option in self.game.options:
            yield FormRow(f"set-{option.name}", option.name.capitalize(), field_of(option))

    def on_mount(self) -> None:
        self.on_changed()

    def on_changed(self, event: Changed | None = None) -> None:
        if self.query("#row-edition"):
            self.game = load(self._read_row("edition"))
        self.write_head(self.game.title)
        self.write("news", self.game.summary)
        against = self.query_one("#row-against", FormRow).field.value
        hidden = {row for way, rows in ROWS.items() if way != against for row in rows}
        hidden -= ROWS[against]
        names = [row.key for row in self.query(FormRow) if row.key not in hidden]
        self.query_one(Form).show_only(names)
        first, second = ("name1", "name2") if against == "people" else ("", "")
        players = (
            ("1", self._read_row(first) or (NAMES[0] if first else "you")),
            ("2", self._read_row(second) or OTHERS.get(against, NAMES[1])),
        )
        starts = self.query_one("#row-first", FormRow).field
        assert isinstance(starts, Picker)
        starts.offer([*players, ("random", "random")])
        alone = against == "computer"
        self.write("status", say_level(self._read_row("level"), self.game) if alone else "")

    def _read_row(self, name: str) -> str:
        return self.query_one(f"#row-{name}", FormRow).field.value.strip() if name else ""

    def action_start(self) -> None:
        values = self.values
        if values["against"] == "online":
            self._host(values)
            return
        best_of = int(values["best_of"])
        try:
            table = FileTable.new(
                self.game,
                (PERSON, kind(values.get("level", PERSON))),
                (_name(values["name1"]), _name(values.get("name2", ""))),
                self._given(values),
                first=values["first"],
                best_of=best_of if best_of > 1 else None,
                coach=values.get("coach") == "yes",
            )
        except NinefoldError as error:
            self.write("status", str(error))
            return
        self.app.switch_screen(MatchScreen(table))

    @work
    async def _host(self, values: dict[str, str]) -> None:
        def host() -> tuple[Link, str]:
            server = Address.parse(values["server"] or SERVER)
            hosted = host_match(
                server,
                self.game,
                self._given(values),
                choose_side(self.game, values["first"], Random()),
                _name(values["name1"]),
                hints=values["hints"] == "yes",
                listed=values["listed"] == "yes",
                clock=Clock(int(values["clock"])) if values["clock"] else None,
            )
            remember_server(values["server"])
            return hosted

        await sit_down_online(self, host)

    def _given(self, values: dict[str, str]) -> dict[str, int | str]:
        """The game's settings that were chosen."""
        typed = {option: values[f"set-{option.name}"] for option in self.game.options}
        return {option.name: option.value(text) for option, text in typed.items() if text}

    def action_rules(self) -> None:
        self.nine.show_rules(self.game)


def level_row(kept: str) -> FormRow:
    """The computer's level, of which settings keep `3` or `perfect`."""
    level = f"level:{kept}" if kept.isdigit() else kept
    return FormRow("level", "Computer", Picker([(one, say_kind(one)) for one in LEVELS], level))


def level_named(value: str) -> str:
    """As settings keep it."""
    return value.removeprefix("level:")


def field_of(option: Option) -> Picker | TextEntry:
    """A setting's row: its values where they are few, else a text."""
    values = [str(value) for value in option.listed]
    usual = "" if option.default is None else str(option.default)
    if not values:
        return TextEntry(usual, "random")
    drawn = [("", "random")] if option.default is None else []
    return Picker([*drawn, *((value, value) for value in values)], usual)


def _name(typed: str) -> str | None:
    return clean_name(typed) if typed else None
