"""Joining or watching a match by its link."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType

from ninefold.client import Link
from ninefold.match.record import clean_name
from ninefold.match.seating import NAMES
from ninefold.store.files.settings import read_settings
from ninefold.tui.connecting import join_match, sit_down_online, watch_match
from ninefold.tui.forms.form import Changed, FormRow, FormScreen, TextEntry
from ninefold.tui.screens.dialogs import Confirm

TAKEN = 409  # what a server says when no seat is free


class LinkForm(FormScreen):
    """A form; Enter goes to the match."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "start", "Go", priority=True)]

    def __init__(self, *, watch: bool) -> None:
        super().__init__()
        self._watch = watch

    def rows(self) -> Iterator[FormRow]:
        yield FormRow("link", "Link", TextEntry("", "paste the link that you were sent"))
        if not self._watch:
            yield FormRow("name", "Your name", TextEntry(read_settings().name, NAMES[1]))

    def on_mount(self) -> None:
        self.write_head("Watch a match" if self._watch else "Join a match")

    def on_changed(self, event: Changed) -> None:
        self.write("status", "")

    @work
    async def action_start(self) -> None:
        values = self.values

        def watch() -> tuple[Link, str]:
            return watch_match(Link.parse(values["link"]).without_token), ""

        def join() -> tuple[Link, str]:
            name = clean_name(values["name"]) if values["name"] else ""
            return join_match(Link.parse(values["link"]), name), ""

        refused = await sit_down_online(self, watch if self._watch else join)
        taken = refused is not None and refused.status == TAKEN
        if taken and await self.app.push_screen_wait(Confirm(f"{refused} Watch instead?")):
            await sit_down_online(self, watch)
