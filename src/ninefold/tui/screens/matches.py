"""The matches saved on this machine: continue, replay, review or delete them."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from ninefold.core.errors import NinefoldError
from ninefold.core.words import pluralize
from ninefold.match.seating import only_person
from ninefold.show.endings import say_result
from ninefold.show.moves import say_players
from ninefold.show.reviews import NOT_YET
from ninefold.store.files.matches import Entry, all_entries, delete_entry
from ninefold.table.file import FileTable
from ninefold.tui.connecting import return_to, sit_down_online
from ninefold.tui.screens.dialogs import Confirm
from ninefold.tui.screens.match import MatchScreen
from ninefold.tui.screens.replay import Replay
from ninefold.tui.screens.review import ReviewScreen
from ninefold.tui.screens.screen import BACK, ListScreen


class MatchList(ListScreen):
    """All matches or only unfinished ones, the last played first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter",
            "open",
            "Open",
            priority=True,
            tooltip="Continue the match, or review a finished one",
        ),
        Binding("p", "replay", "Replay", tooltip="Step through the match"),
        Binding("v", "review", "Review", tooltip="Review the match: what each move gave away"),
        Binding("d", "delete", "Delete", tooltip="Delete the match"),
        Binding("a", "all", "All/unfinished", tooltip="Show all matches, or only unfinished ones"),
        BACK,
    ]

    def __init__(self, *, unfinished: bool = False) -> None:
        super().__init__()
        self._unfinished = unfinished
        self._entries: list[Entry] = []

    def on_screen_resume(self) -> None:
        self._read()

    @work(exclusive=True, group="read")
    async def _read(self) -> None:
        """Read the files again; the cursor stays where it was."""
        self.write_head("Unfinished matches" if self._unfinished else "Your matches")
        entries = await asyncio.to_thread(all_entries)
        if not self.query(OptionList):
            return  # the screen has been left meanwhile
        self._entries = [entry for entry in entries if entry.unfinished or not self._unfinished]
        self.fill([Option(_describe(entry)) for entry in self._entries])
        none = "There is no unfinished match." if self._unfinished else "No matches yet."
        self.write("status", "" if self._entries else none)

    @property
    def _entry(self) -> Entry | None:
        place = self.query_one(OptionList).highlighted
        return None if place is None or place >= len(self._entries) else self._entries[place]

    def on_option_list_option_selected(self) -> None:
        self.action_open()

    def action_open(self) -> None:
        entry = self._entry
        if entry is None or not entry.unfinished:
            self.action_review()
        elif entry.link:
            self._return_to(entry)
        else:
            try:
                self.app.push_screen(MatchScreen(FileTable.resume(entry.id)))
            except NinefoldError as error:
                self.write("status", str(error))

    @work
    async def _return_to(self, entry: Entry) -> None:
        await sit_down_online(self, lambda: (return_to(entry), ""), stay=True)

    def action_replay(self) -> None:
        self._go_over(Replay)

    def action_review(self) -> None:
        entry = self._entry
        if entry is not None and not entry.studied:
            self.write("status", NOT_YET)
        else:
            self._go_over(ReviewScreen)

    def _go_over(self, screen: type[Replay]) -> None:
        entry = self._entry
        if entry is None:
            return
        if entry.match is None:
            self.write("status", entry.problem)
            return
        you = entry.you if entry.link else only_person(entry.match)
        self.app.push_screen(screen(entry.match, you, studied=entry.studied))

    @work
    async def action_delete(self) -> None:
        entry = self._entry
        if entry is None:
            return
        which = _describe(entry)
        if not await self.app.push_screen_wait(Confirm(f"Delete this match?\n\n{which}")):
            return
        try:
            delete_entry(entry)
        except NinefoldError as error:
            self.write("status", str(error))
        else:
            self._read()

    def action_all(self) -> None:
        self._unfinished = not self._unfinished
        self._read()


def _describe(entry: Entry) -> str:
    """Two lines: the game and who plays, when and how it stands."""
    when = datetime.fromtimestamp(entry.changed).strftime("%Y-%m-%d %H:%M")
    match = entry.match
    if match is None:
        return f"{entry.id}\n  {when}  damaged: {entry.problem}"
    where = ", online" if entry.link else ""
    moves = pluralize(len(match.played), "move")
    return f"{match.game.title}: {say_players(match)}{where}\n  {when}  {say_result(match)}, {moves}"
