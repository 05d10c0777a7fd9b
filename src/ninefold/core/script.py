"""What is said at the table: a game's prompts and announcements as its rule book words them.

Everything here is made from views, so a line of text can never say more than its reader may know.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from ninefold.core.seat import SEATS, Seat
from ninefold.core.view import View

Lines = list[str]


def _unpainted(seat: Seat, text: str) -> str:
    return text


@dataclass(frozen=True, slots=True)
class Cast:
    """Who sits where, as a screen names them. Player 1 has the mark X, whoever moves first."""

    names: tuple[str, str]  # by seat
    player1: Seat = Seat.FIRST
    here: frozenset[Seat] = frozenset(SEATS)  # the seats whose people read this screen
    paint: Callable[[Seat, str], str] = _unpainted  # a seat's colour, where there is colour

    def painted(self, paint: Callable[[Seat, str], str]) -> Cast:
        return replace(self, paint=paint)

    def name(self, seat: Seat) -> str:
        return self.paint(seat, self.names[seat])

    def mark(self, seat: Seat) -> str:
        return "X" if seat == self.player1 else "O"

    def label(self, seat: Seat) -> str:
        """`Player 1 (X)`"""
        return self.paint(seat, f"{self.names[seat]} ({self.mark(seat)})")

    @property
    def players(self) -> tuple[Seat, Seat]:
        """The seats in the order Player 1, Player 2."""
        return (self.player1, self.player1.other)


@dataclass(frozen=True, slots=True)
class Step:
    """One question on the way to a move: "which number?", then "where?".

    The answer picks, among the legal moves left, those whose `part` equals what `read` makes of it.
    """

    prompt: str
    allowed: str  # what can be typed here, as a sentence
    read: Callable[[str], Hashable]  # raises MalformedMove
    part: Callable[[Any], Hashable]
    secret: bool = False
    refused: Callable[[str], str] = str  # the book's words around a rule's refusal


@dataclass(frozen=True, slots=True)
class Script:
    """How a game talks. All lines are without a newline at the end.

    `greeting` comes before names and settings are known, `opening` once they are. `turn` comes
    before a seat is asked, `step` is the question after the parts already chosen, `made` comes
    after a move (its seat and text, the views before and after it), `ending` after the last.

    Two are for a screen that draws the board itself and is pointed at: `choose` tells the viewer, who
    is to move, what to choose; `news` tells a move to everybody in one sentence, without a board.
    """

    opening: Callable[[View, Cast], Lines]
    board: Callable[[View, Cast], Lines]
    turn: Callable[[View, Cast], Lines]
    step: Callable[[View, Cast, tuple[Hashable, ...]], Step]
    choose: Callable[[View, Cast], str]
    made: Callable[[View, Seat, str, View, Cast], Lines]
    news: Callable[[View, Seat, str, View, Cast], str]
    ending: Callable[[View, Cast], Lines]
    greeting: tuple[str, ...] = ()
    asks_names: bool = False


def listed(values: Iterable[object]) -> str:
    """`1, 2, 3`"""
    return ", ".join(str(value) for value in values)


def ranges(numbers: tuple[int, ...]) -> str:
    """Ascending numbers with runs joined: `1-4, 6-9`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def total_text(numbers: tuple[int, ...]) -> str:
    """`5 + 6 + 4 = 15`"""
    return f"{' + '.join(map(str, numbers))} = {sum(numbers)}"
