"""The settings: your name, the computer's level, and colors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from textual.binding import Binding, BindingType

from ninefold.core.errors import NinefoldError
from ninefold.match.seating import clean_own_name
from ninefold.store.files.settings import read_settings, save_settings
from ninefold.tui.forms.form import Changed, FormRow, FormScreen, Picker, TextEntry
from ninefold.tui.forms.setup import level_named, level_row
from ninefold.tui.themes import THEMES, theme_for


class SettingsScreen(FormScreen):
    """A form. Changes are saved right away."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter", "leave", "Done", key_display="⏎")]

    def rows(self) -> Iterator[FormRow]:
        now = read_settings()
        yield FormRow("name", "Your name", TextEntry(now.name, "none"))
        yield level_row(now.level)
        yield FormRow("theme", "Colors", Picker([(name, name) for name in THEMES], now.theme))

    def on_mount(self) -> None:
        self.write_head("Settings")

    def on_changed(self, event: Changed) -> None:
        values = self.values
        self.app.theme = theme_for(values["theme"], no_color=self.app.no_color)
        try:
            name = clean_own_name(values["name"])
            level = level_named(values["level"])
            save_settings(replace(read_settings(), name=name, level=level, theme=values["theme"]))
        except NinefoldError as error:
            self.write("status", str(error))
        except OSError as error:
            self.write("status", f"The settings cannot be saved ({error.strerror}).")
        else:
            self.write("status", "")
