"""The moment in which secret choices are revealed: they lie open side by side, above the table."""

from __future__ import annotations

from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from ninefold.show.layout import width_of, wrap
from ninefold.show.scene import Reveal, Revealed

SECONDS = 2.5  # for which they lie there, unless a key is pressed
APART = 3  # columns between the cards
AROUND = 6  # columns of a card around its text
WIDEST = 34  # columns


class RevealedCards(Static):
    """Nothing until choices are revealed, then a card for each, and below them what they led to."""

    _timer: Timer | None = None  # that closes them

    def open(self, reveal: Reveal) -> None:
        self.close()
        self.update(draw_cards(reveal))
        self.display = True
        self._timer = self.set_timer(SECONDS, self.close)

    def close(self) -> None:
        self.display = False
        if self._timer is not None:
            self._timer.stop()  # or it would close the next ones early
            self._timer = None

    def on_click(self) -> None:
        self.close()


def draw_cards(reveal: Reveal) -> Content:
    """The cards side by side, each under its player's name, and the sentence, all centered."""
    width = max(max(width_of(one.name), width_of(one.text) + AROUND) for one in reveal.choices)
    cards = [_draw_card(one, width) for one in reveal.choices]
    rows = [Content(" " * APART).join(row) for row in zip(*cards, strict=True)]
    said = [Content(line) for line in wrap(reveal.says, WIDEST)]
    lines = [*rows, Content(""), *said]
    whole = max(len(line) for line in lines)
    return Content("\n").join(line.pad_left((whole - len(line)) // 2) for line in lines)


def _draw_card(one: Revealed, width: int) -> list[Content]:
    inside = width_of(one.text) + AROUND - 2
    drawn = [one.name, f"╭{'─' * inside}╮", f"│{one.text:^{inside}}│", f"╰{'─' * inside}╯"]
    style = "bold $x" if one.mark == "X" else "bold $o"
    return [Content.styled(line.center(width), style) for line in drawn]
