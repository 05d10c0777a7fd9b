"""A form: one setting in a row. Up and down go from row to row, left and right change a choice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.message import Message
from textual.widgets import Input, Label, Static

from ninefold.tui.keybar import KeyBar
from ninefold.tui.screens.screen import Leaf

NAMED, NARROW = 18, 14  # columns for a row's name, and for one in a window of less than WIDE
WIDE = 60
ARROW = 3  # columns in which a click goes back


class Changed(Message):
    """A row has another value now."""


class Picker(Static, can_focus=True):
    """One of several values."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "turn(-1)", "Change", key_display="←→"),
        Binding("right", "turn(1)", "Next value", show=False),
    ]

    def __init__(self, choices: Sequence[tuple[str, str]], value: str) -> None:
        super().__init__(markup=False)
        self.choices = list(choices)  # the value, and what it is called
        self.value = value

    def on_mount(self) -> None:
        self._show()

    def _show(self) -> None:
        self.update(f"◂ {dict(self.choices).get(self.value, self.value)} ▸")

    def action_turn(self, step: int) -> None:
        values = [value for value, _ in self.choices]
        at = values.index(self.value) if self.value in values else 0
        self.set_value(values[(at + step) % len(values)])

    def set_value(self, value: str) -> None:
        self.value = value
        self._show()
        self.post_message(Changed())

    def on_click(self, event: events.Click) -> None:
        self.action_turn(-1 if event.x < ARROW else 1)

    def offer(self, choices: Sequence[tuple[str, str]]) -> None:
        """Offer these values from now on. The first one is chosen if the value is none of them."""
        self.choices = list(choices)
        if self.value not in dict(choices):
            self.value = choices[0][0]
        self._show()


class TextEntry(Input):
    """A text."""

    def __init__(self, value: str, placeholder: str) -> None:
        super().__init__(value, placeholder, compact=True, select_on_focus=False)

    def on_input_changed(self) -> None:
        self.post_message(Changed())


class FormRow(Horizontal):
    """A setting with its name."""

    def __init__(self, name: str, title: str, field: Picker | TextEntry) -> None:
        super().__init__(id=f"row-{name}")
        self.key, self._title, self.field = name, title, field

    def compose(self) -> ComposeResult:
        yield Label(self._title.ljust(NAMED if self.app.size.width >= WIDE else NARROW))
        yield self.field


class Form(VerticalScroll, can_focus=False):
    """Rows that belong together. `values` has what is set in those that are shown."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "app.focus_previous", "Row above", show=False),
        Binding("down", "app.focus_next", "Row below", show=False),
    ]

    @property
    def values(self) -> dict[str, str]:
        return {row.key: row.field.value.strip() for row in self.query(FormRow) if row.display}

    def show_only(self, names: Sequence[str]) -> None:
        """Show these rows, and hide the others."""
        for row in self.query(FormRow):
            row.display = row.key in names

    def focus_first(self) -> None:
        self.query(FormRow).first().field.focus()


class FormScreen(Leaf):
    """A form, perhaps with a sentence above it, and what is wrong with it below."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Back")]

    about: str | None = None  # the sentence; None for no line at all

    def compose(self) -> ComposeResult:
        yield Static(id="head", markup=False)
        if self.about is not None:
            yield Static(self.about, id="news", markup=False)
        with Form():
            yield from self.rows()
        yield Static(id="status", markup=False)
        yield KeyBar()

    def rows(self) -> Iterable[FormRow]:
        """The rows of the form."""
        raise NotImplementedError

    def on_mount(self) -> None:
        self.query_one(Form).focus_first()

    @property
    def values(self) -> dict[str, str]:
        """What is set in the rows that are shown."""
        return self.query_one(Form).values
