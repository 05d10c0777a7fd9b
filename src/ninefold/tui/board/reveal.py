"""The moment in which secret choices are revealed: they lie open side by side, above the table."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from ninefold.show.layout import width_of, wrap
from ninefold.show.scene import Reveal, Revealed

SECONDS = 3.0  # for which they lie there, unless a key is pressed
APART = 3  # columns between the cards
WIDEST = 34  # columns


class RevealedCards(Static):
    """Nothing until choices are revealed, then a card for each, and below them what they led to."""

    def open(self, reveal: Reveal) -> None:
        self.update(draw_cards(reveal))
        self.display = True
        self.set_timer(SECONDS, self.close)

    def close(self) -> None:
        self.display = False

    def on_click(self) -> None:
        self.close()


def draw_cards(reveal: Reveal) -> Content:
    """The cards side by side, each under its player's name, and the sentence, to be centered."""
    cards = [_draw_card(one) for one in reveal.choices]
    rows = [Content(" " * APART).join(row) for row in zip(*cards, strict=True)]
    said = wrap(reveal.says, WIDEST)
    return Content("\n").join([*rows, Content(""), *map(Content, said)])


def _draw_card(one: Revealed) -> list[Content]:
    inside = width_of(one.text) + 4
    width = max(inside + 2, width_of(one.name) + 2)
    drawn = [one.name, f"╭{'─' * inside}╮", f"│{one.text:^{inside}}│", f"╰{'─' * inside}╯"]
    style = "bold $x" if one.mark == "X" else "bold $o"
    return [Content.styled(line.center(width), style) for line in drawn]
