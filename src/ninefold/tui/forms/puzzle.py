"""Choose a puzzle: the one of a day, or one of a game, of any kind."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from ninefold.core.errors import NinefoldError
from ninefold.games import every_game, load
from ninefold.show.moves import capitalize
from ninefold.show.puzzles import TASKS
from ninefold.study.puzzles import Theme
from ninefold.study.puzzles.days import today
from ninefold.study.puzzles.labels import Label, draw_label, find_label, read_day, read_wanted
from ninefold.study.puzzles.making import tasks_of
from ninefold.study.puzzles.tasks import GRADES
from ninefold.tui.forms.form import Changed, Form, FormRow, Picker, TextEntry
from ninefold.tui.keybar import KeyBar
from ninefold.tui.screens.puzzle import Solving
from ninefold.tui.screens.screen import Leaf

DAY = "day"  # instead of a game
ANY = ("", "any")


class PuzzleForm(Leaf):
    """A form; Enter opens the puzzle."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "start", "Solve", priority=True),
        Binding("escape", "leave", "Back"),
    ]

    def compose(self) -> ComposeResult:
        yield Static(id="head", markup=False)
        with Form():
            yield from self._rows()
        yield Static(id="status", markup=False)
        yield KeyBar()

    def _rows(self) -> Iterator[FormRow]:
        games = [(game.slug, game.title) for game in every_game()]
        yield FormRow("game", "Game", Picker([*games, (DAY, "the puzzle of a day")], games[0][0]))
        yield FormRow("day", "Day", TextEntry(str(today()), "2026-11-16"))
        for game in every_game():
            tasks = [(str(task), capitalize(TASKS[task])) for task in tasks_of(game)]
            yield FormRow(f"task-{game.slug}", "Task", Picker([ANY, *tasks], ""))
        yield FormRow("grade", "Grade", Picker([ANY, *((str(n), str(n)) for n in GRADES)], ""))
        yield FormRow("theme", "Theme", Picker([ANY, *((str(one), str(one)) for one in Theme)], ""))
        yield FormRow("seed", "Seed", TextEntry("", "random"))

    def on_mount(self) -> None:
        self.write_head("Another puzzle")
        self.query_one(Form).focus_first()
        self.on_changed()

    def on_changed(self, event: Changed | None = None) -> None:
        game = self.query_one("#row-game", FormRow).field.value
        rows = ["day"] if game == DAY else [f"task-{game}", "grade", "theme", "seed"]
        self.query_one(Form).show_only(["game", *rows])
        self.write("status", "")

    def _label(self) -> Label:
        values = self.query_one(Form).values
        if values["game"] == DAY:
            return Label(day=read_day(values["day"]))
        slug = values["game"]
        game, wanted = load(slug), read_wanted(values[f"task-{slug}"], values["grade"], values["theme"])
        return find_label(game, values["seed"], wanted) if values["seed"] else draw_label(game, wanted)

    @work(exclusive=True)
    async def action_start(self) -> None:
        self.write("status", "Finding the puzzle...")
        try:
            label = await asyncio.to_thread(self._label)
            found = await asyncio.to_thread(label.find)
        except NinefoldError as error:
            self.write("status", str(error))
        else:
            self.app.switch_screen(Solving(label, found))
