"""The players' names and the reader, for sentences that are addressed to one reader."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ninefold.core.seat import Seat

COMPUTER = "Computer"  # the name of a lone computer player; in a sentence it is "the computer"
IRREGULAR = {"have": "has", "do": "does", "are": "is", "were": "was"}


def _leave_plain(seat: Seat, text: str) -> str:
    return text


@dataclass(frozen=True, slots=True)
class Cast:
    """The players' names and the reader. Player 1 has the mark X, no matter who moves first.

    `you` is the reader's seat. It is None for spectators and for two people at one screen: they read
    both players' names.
    """

    names: tuple[str, str]  # by seat
    player1: Seat = Seat.FIRST
    you: Seat | None = None
    paint: Callable[[Seat, str], str] = _leave_plain  # gives a text the color of a seat

    def for_reader(self, you: Seat | None) -> Cast:
        """The same players for another reader."""
        return replace(self, you=you)

    def with_paint(self, paint: Callable[[Seat, str], str]) -> Cast:
        return replace(self, paint=paint)

    def name(self, seat: Seat) -> str:
        return self.paint(seat, self.names[seat])

    def who(self, seat: Seat) -> str:
        """`you` or `Ann`, inside a sentence."""
        if seat is self.you:
            return "you"
        return self.paint(seat, "the computer") if self.names[seat] == COMPUTER else self.name(seat)

    def subject(self, seat: Seat) -> str:
        """`You` or `Ann`, at the beginning of a sentence."""
        if seat is self.you:
            return "You"
        return self.paint(seat, "The computer") if self.names[seat] == COMPUTER else self.name(seat)

    def whose(self, seat: Seat) -> str:
        """`your` or `Ann's`, inside a sentence."""
        return "your" if seat is self.you else f"{self.who(seat)}'s"

    def subject_whose(self, seat: Seat) -> str:
        """`Your` or `Ann's`, at the beginning of a sentence."""
        return "Your" if seat is self.you else f"{self.subject(seat)}'s"

    def owner(self, seat: Seat) -> str:
        """`yours` or `Ann's`, standing alone."""
        return "yours" if seat is self.you else self.whose(seat)

    def does(self, seat: Seat, verb: str) -> str:
        """`you win` or `Ann wins`, inside a sentence. `verb` is the form that goes with "you"."""
        return f"{self.who(seat)} {self._conjugate(seat, verb)}"

    def subject_does(self, seat: Seat, verb: str) -> str:
        """`You win` or `Ann wins`, at the beginning of a sentence."""
        return f"{self.subject(seat)} {self._conjugate(seat, verb)}"

    def _conjugate(self, seat: Seat, verb: str) -> str:
        return verb if seat is self.you else IRREGULAR.get(verb, f"{verb}s")

    def mark(self, seat: Seat) -> str:
        return "X" if seat == self.player1 else "O"

    def label(self, seat: Seat) -> str:
        """`Ann (X)`"""
        return self.paint(seat, f"{self.names[seat]} ({self.mark(seat)})")

    @property
    def players(self) -> tuple[Seat, Seat]:
        """The seats in the order Player 1, Player 2."""
        return (self.player1, self.player1.other)
