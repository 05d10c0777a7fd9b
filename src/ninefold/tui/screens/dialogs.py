"""Questions, the cover between secret choices, and help."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.dom import DOMNode
from textual.screen import ModalScreen, Screen
from textual.widgets import Markdown, Static

from ninefold.show.layout import columns

AROUND = 8  # columns around the text of a dialog
WIDEST = 66  # columns of its text


class Confirm(ModalScreen[bool]):
    """A question of yes or no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "dismiss(True)", "Yes"),  # not Enter, which may be meant for a move
        Binding("n", "dismiss(False)", "No"),
        Binding("escape,q", "leave", "Leave"),
    ]

    def __init__(self, question: str, *, default: bool = False) -> None:
        super().__init__()
        self._question = question
        self._default = default  # the answer of somebody who only leaves

    def compose(self) -> ComposeResult:
        yes, no = (
            f"\\[[@click=screen.dismiss({one})]{key}[/]]" for one, key in ((True, "y"), (False, "n"))
        )
        yield from _compose_dialog(self._question, f"{yes} Yes   {no} No")

    def action_leave(self) -> None:
        self.dismiss(self._default)


class Message(ModalScreen[None]):
    """A text to read."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,escape,q", "dismiss", "Close")]

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        yield from _compose_dialog(self._text, "\\[[@click=screen.dismiss]Enter[/]] Close")


class Cover(Screen[bool]):
    """Nothing of the match is to be seen until the next player is alone with the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "dismiss(True)", "Ready"),
        Binding("q,escape", "dismiss(False)", "Menu"),
    ]

    def __init__(self, sentence: str) -> None:
        super().__init__()
        self._sentence = sentence

    def compose(self) -> ComposeResult:
        yield from _compose_dialog(self._sentence, "\\[[@click=screen.dismiss(True)]Enter[/]] Ready")


class Help(ModalScreen[None]):
    """Every key of a screen, and a few words on it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,enter,question_mark", "dismiss", "Close")]

    def __init__(self, text: str, keys: list[tuple[str, str]]) -> None:
        super().__init__()
        self._text = text
        self._keys = keys

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog"):
            yield Markdown(self._text)
            room = min(self.app.size.width - AROUND, WIDEST)
            yield Static("\n".join(columns(self._keys, room)), markup=False)


def _compose_dialog(text: str, keys: str) -> ComposeResult:
    """A text, and the keys that can be pressed or clicked on."""
    with Vertical(classes="dialog"):
        yield Static(text, markup=False)
        yield Static(keys, classes="keys")


def keys_of(screen: Screen[Any]) -> Iterator[tuple[str, str]]:
    """Our keys that work on a screen now, and what they do; Textual's own are known from elsewhere."""
    said: dict[str, list[str]] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        if active.enabled and binding.description and binding.action in _actions(active.node):
            names = said.setdefault(binding.tooltip or binding.description, [])
            shown = screen.app.get_key_display(binding)
            names += [] if shown in names else [shown]
    for what, names in said.items():
        yield " ".join(names), what


def _actions(node: DOMNode) -> set[str]:
    """The actions that a node of ours binds to keys."""
    ours = (one for one in type(node).__mro__ if one.__module__.startswith("ninefold."))
    bindings = (binding for one in ours for binding in vars(one).get("BINDINGS", ()))
    return {binding.action for binding in bindings}
