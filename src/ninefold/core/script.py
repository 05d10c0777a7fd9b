"""The rule book's own prompts and announcements, for two people at one screen in line mode.

Everything here is made from views, so a line of text can never say more than its reader may know.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ninefold.core.cast import Cast
from ninefold.core.seat import Seat
from ninefold.core.view import View
from ninefold.core.words import say_chosen

Lines = list[str]

GRID_PROMPT = "Type the grid, nine digits row by row, or press Enter to deal one: "


@dataclass(frozen=True, slots=True)
class Question:
    """One question on the way to a move: "which number?", then "where?".

    `read` turns the answer into a value. The legal moves whose `part` equals that value remain.
    """

    prompt: str
    allowed: str  # what can be typed here, as a sentence
    read: Callable[[str], Hashable]  # raises MalformedMove
    part: Callable[[Any], Hashable]
    secret: bool = False
    numbered: bool = False  # digits alone are a number here, never a row and a column
    refused: Callable[[str], str] = str  # puts the reason for a refusal into the book's words


def _reveal(before: View, choices: Mapping[Seat, Any], after: View, cast: Cast) -> Lines:
    raise NotImplementedError("a game with secret choices says what they reveal")


@dataclass(frozen=True, slots=True)
class Script:
    """How line mode talks. No line ends with a newline.

    `greeting` comes before names and settings are known, `opening` once they are. `turn` comes before a
    seat is asked, and `question` is what is asked after the parts already chosen. `made` comes after a
    move that was made openly, `chosen` after a secret choice that is not yet revealed, `revealed` after
    the last one (with all of them in written order), and `ending` after the last move of the game.
    `prompts` ask for settings, by name; the others are asked for in our own words.
    """

    opening: Callable[[View, Cast], Lines]
    board: Callable[[View, Cast], Lines]
    turn: Callable[[View, Cast], Lines]
    question: Callable[[View, Cast, tuple[Hashable, ...]], Question]
    made: Callable[[View, Seat, Any, View, Cast], Lines]
    ending: Callable[[View, Cast], Lines]
    chosen: Callable[[View, Seat, Cast], Lines] = lambda _, *whose: ["", say_chosen(*whose)]
    revealed: Callable[[View, Mapping[Seat, Any], View, Cast], Lines] = _reveal
    greeting: tuple[str, ...] = ()
    asks_names: bool = False
    prompts: Mapping[str, str] = field(default_factory=dict, hash=False)


def ranges(numbers: tuple[int, ...]) -> str:
    """Ascending numbers with runs joined: `1-4, 6-9`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
