"""The keys of a screen in its last line: those that fit, and always help and the way out."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.screen import Screen
from textual.style import Style
from textual.widgets import Static

from ninefold.show.layout import width_of

LAST = ("help", "leave", "quit")  # actions whose keys are never left out


class KeyBar(Static):
    """Each key can be clicked on as well."""

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._show)

    def on_resize(self, event: events.Resize) -> None:
        self._show(self.screen)

    def _show(self, screen: Screen[object]) -> None:
        if not self.screen.is_current:
            return
        actions: dict[str, tuple[str, str, str]] = {}  # once, however many keys it has
        for active in screen.active_bindings.values():
            binding = active.binding
            if binding.show and active.enabled:
                key = (binding.key, screen.app.get_key_display(binding), binding.description.lower())
                known = actions.setdefault(binding.action, key)
                if width_of(key[1]) < width_of(known[1]):  # q rather than esc
                    actions[binding.action] = key
        last = [actions.pop(action) for action in LAST if action in actions]
        keys = list(actions.values())
        while keys and _width([*keys, *last]) > self.size.width:
            keys.pop()
        self.update(Content(" ").join(_key(*one) for one in (*keys, *last)))

    def on_click(self, event: events.Click) -> None:
        if key := event.style.meta.get("key"):
            self.app.simulate_key(key)


def _width(keys: list[tuple[str, str, str]]) -> int:
    return sum(width_of(f" {display} {what} ") for _, display, what in keys) - 1


def _key(key: str, display: str, what: str) -> Content:
    style = Style.from_meta({"key": key})
    return Content.assemble((f" {display}", Style(bold=True) + style), (f" {what}", style))
