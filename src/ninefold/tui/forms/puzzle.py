"""Choose a puzzle: the one of a day, or one of a game, of any kind."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.games import every_game, load
from ninefold.show.moves import capitalize
from ninefold.show.puzzles import TASKS
from ninefold.study.puzzles.days import today
from ninefold.study.puzzles.labels import Label, draw_label, find_label, read_day, read_wanted
from ninefold.study.puzzles.making import grades_of, tasks_of, themes_of
from ninefold.tui.forms.form import Changed, Form, FormRow, FormScreen, Picker, TextEntry
from ninefold.tui.screens.puzzle import Solving

DAY = "day"  # instead of a game
ANY = ("", "any")
KINDS = ("task", "grade", "theme")  # rows that say what kind of puzzle is wanted


class PuzzleForm(FormScreen):
    """A form; Enter opens the puzzle."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "start", "Solve", priority=True)]

    def rows(self) -> Iterator[FormRow]:
        games = [(game.slug, game.title) for game in every_game()]
        yield FormRow("game", "Game", Picker([*games, (DAY, "the puzzle of a day")], games[0][0]))
        yield FormRow("day", "Day", TextEntry(str(today()), "2026-11-16"))
        for name in KINDS:
            yield FormRow(name, name.capitalize(), Picker([ANY], ""))
        yield FormRow("seed", "Seed", TextEntry("", "random"))

    def on_mount(self) -> None:
        self.write_head("Another puzzle")
        self.on_changed()

    def on_changed(self, event: Changed | None = None) -> None:
        slug = self.query_one("#row-game", FormRow).field.value
        self.query_one(Form).show_only(["game", *(["day"] if slug == DAY else [*KINDS, "seed"])])
        if slug != DAY:
            self._offer_kinds(load(slug))
        self.write("status", "")

    def _offer_kinds(self, game: Game) -> None:
        """Offer the kinds of puzzles that the game has, each among those that are chosen above it."""
        task, grade, theme = (self.query_one(f"#row-{name} Picker", Picker) for name in KINDS)
        task.offer([ANY, *((str(one), capitalize(TASKS[one])) for one in tasks_of(game))])
        wanted = read_wanted(task.value)
        grade.offer([ANY, *((str(one), str(one)) for one in grades_of(game, wanted.task))])
        wanted = read_wanted(task.value, grade.value)
        themes = themes_of(game, wanted.task, wanted.grade)
        theme.offer([ANY, *((str(one), str(one)) for one in themes)])

    def _label(self) -> Label:
        values = self.values
        if values["game"] == DAY:
            return Label(day=read_day(values["day"]))
        game, wanted = load(values["game"]), read_wanted(*(values[name] for name in KINDS))
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
