"""All puzzles: today's, any other, and those to try again."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from ninefold.core.errors import NinefoldError
from ninefold.show.puzzles import describe_failed, say_day, say_progress
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
        Binding("a", "another", "Another puzzle", tooltip="Choose a game and a kind of puzzle, or a day"),
        BACK,
    ]

    def on_screen_resume(self) -> None:
        progress, day = PuzzleProgress(), today()
        self.write_head("Puzzles")
        result = progress.results.get(str(day), PuzzleResult())
        state = "solved" if result.solved else "try again" if result.wrong or result.shown else "new"
        options = [
            Option(f"Today's puzzle: {say_day(day)} ({state})", id=str(day)),
            Option("Another puzzle, of any game and kind", id=ANOTHER),
        ]
        if not self.query_one(OptionList).option_count:
            self.fill(options)
        self._list(options, {text: wrong for text, wrong in progress.failed.items() if text != str(day)})
        self.write("status", say_progress(progress.solved, progress.streak(day)))

    @work(exclusive=True, group="list")
    async def _list(self, options: list[Option], failed: dict[str, tuple[str, ...]]) -> None:
        """List the puzzles to try again, too. They are made first, which may take a moment."""
        found = await asyncio.to_thread(describe_failed, failed)
        self.fill([*options, *(Option(said, id=str(label)) for label, said in found)])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        text = str(event.option.id)
        if text == ANOTHER:
            self.action_another()
        else:
            self._open(read_label(text))

    @work(exclusive=True)
    async def _open(self, label: Label) -> None:
        self.write("status", "Finding the puzzle...")
        try:
            found = await asyncio.to_thread(label.find)
        except NinefoldError as error:
            self.write("status", str(error))
        else:
            self.app.push_screen(Solving(label, found))

    def action_another(self) -> None:
        self.app.push_screen(PuzzleForm())
