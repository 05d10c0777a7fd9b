"""All puzzles: that of the day, any other, and those that are to be tried again."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from ninefold.core.errors import NinefoldError
from ninefold.show.puzzles import say_label, say_progress
from ninefold.store.files.progress import PuzzleProgress, PuzzleResult
from ninefold.study.puzzles.days import today
from ninefold.study.puzzles.labels import Label, read_label
from ninefold.tui.forms.puzzle import PuzzleForm
from ninefold.tui.screens.puzzle import Solving
from ninefold.tui.screens.screen import BACK, ListScreen

ANOTHER = "another"  # the option that opens the form


class PuzzleList(ListScreen):
    """A list of puzzles; Enter opens one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "another", "Another puzzle", tooltip="A puzzle of a game, of a kind, or of a day"),
        BACK,
    ]

    def on_screen_resume(self) -> None:
        progress, day = PuzzleProgress(), today()
        self.write_head("Puzzles")
        options = [Option(_describe(Label(day=day), progress), id=str(day))]
        options.append(Option("Another puzzle", id=ANOTHER))
        for text in progress.failed:
            with suppress(NinefoldError):  # the file may have been edited
                if text != str(day):
                    options.append(Option(_describe(read_label(text), progress), id=text))
        self.fill(options)
        self.write("status", say_progress(progress.solved, progress.streak(day)))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        text = str(event.option.id)
        if text == ANOTHER:
            self.action_another()
        else:
            self._open(read_label(text))

    @work(exclusive=True)
    async def _open(self, label: Label) -> None:
        self.write("status", "Looking for the puzzle...")
        try:
            found = await asyncio.to_thread(label.find)
        except NinefoldError as error:
            self.write("status", str(error))
        else:
            self.app.push_screen(Solving(label, found))

    def action_another(self) -> None:
        self.app.push_screen(PuzzleForm())


def _describe(label: Label, progress: PuzzleProgress) -> str:
    """A puzzle in the list, with what came of it."""
    result = progress.results.get(str(label), PuzzleResult())
    if result.solved:
        return f"{say_label(label)}: solved"
    wrong = f" (wrong: {', '.join(result.wrong)})" if result.wrong else ""
    return f"{say_label(label)}{': try again' if wrong or result.shown else ''}{wrong}"
