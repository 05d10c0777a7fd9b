"""How a game talks in our own voice: moves, news and endings in words, for one reader.

Everything here is made from views, so a sentence can never say more than its reader may know. A game
supplies the sentences that it words itself; the defaults suit a small game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ninefold.core.cast import Cast
from ninefold.core.grid import Line, LineKind
from ninefold.core.move import Move
from ninefold.core.outcome import Reason, WonLine
from ninefold.core.seat import Seat
from ninefold.core.view import View

ROWS = ("top", "middle", "bottom")
COLUMNS = ("left", "middle", "right")


def plain_words(view: View, move: Move) -> str:
    """A move's text with blanks in it: `take 5`, `5 at 1,1`. The default parser reads this, too."""
    return str(move).replace(":", " ").replace("@", " at ")


def _news(before: View, seat: Seat, move: Move, after: View, cast: Cast) -> str:
    return f"{cast.subject(seat)} played {plain_words(before, move)}."


def _revealed(before: View, choices: Mapping[Seat, Move], after: View, cast: Cast) -> str:
    return " ".join(_news(before, seat, move, after, cast) for seat, move in choices.items())


def _score(view: View, seat: Seat) -> str:
    if view.outcome is None or view.outcome.reason not in (Reason.SUM, Reason.TIE):
        return ""
    return f"{view.number('score', seat)} to {view.number('score', seat.other)}"


def _settled(before: View, choices: Mapping[Seat, Move], after: View) -> str:
    return "-".join(plain_words(before, move) for move in choices.values())


@dataclass(frozen=True, slots=True)
class Words:
    """A game's own sentences. They are never given a secret choice before it is revealed."""

    # A legal move as people say it in a sentence, "5 in the center". The view is from before the move.
    move: Callable[[View, Any], str] = plain_words
    # The move that was just made openly, as one sentence: "You put 5 in the center."
    news: Callable[[View, Seat, Any, View, Cast], str] = _news
    # The secret choices of a turn, in written order, as a sentence. The first view is from before them.
    revealed: Callable[[View, Mapping[Seat, Any], View, Cast], str] = _revealed
    # A move at the beginning of a row in a list of turns, "challenge 7"; by default as in a sentence.
    row: Callable[[View, Any], str] | None = None
    # What the secret choices of a turn came to, in such a row: "5 beats 1".
    settled: Callable[[View, Mapping[Seat, Any], View], str] = _settled
    # What decides the game, in a few words that stand at the board: "More cells win."
    goal: Callable[[View, Cast], str] = lambda *_: ""
    # What the viewer, who is to move, has to choose; if it is a secret choice, also what it is for.
    choose: Callable[[View, Cast], str] = lambda *_: "Choose your move."
    # The final score with this seat's part first, "48 to 42"; empty where no score decided.
    score: Callable[[View, Seat], str] = _score
    # Why the game ended as it did, as a sentence; empty where the score says it all.
    why: Callable[[View, Cast], str] = lambda *_: ""
    # Why nobody can win a dead position anymore, as a sentence.
    dead: str = ""
    # The titles of the panels beside the board, by key; None if the board or a sentence shows it already.
    panels: Mapping[str, str | None] = field(default_factory=dict, hash=False)


def say_chosen(seat: Seat, cast: Cast) -> str:
    """That a seat has made a secret choice, which is all that can be said before it is revealed."""
    return f"{cast.subject_does(seat, 'have')} chosen."


def cell_name(cell: int) -> str:
    """`center`, `top left`, `middle right`: a cell of the 3x3 grid."""
    row, column = divmod(cell, 3)
    return "center" if cell == 4 else f"{ROWS[row]} {COLUMNS[column]}"


def line_name(line: Line) -> str:
    """`top row`, `left column`, `diagonal`"""
    match line.kind:
        case LineKind.ROW:
            return f"{ROWS[line.cells[0] // 3]} row"
        case LineKind.COLUMN:
            return f"{COLUMNS[line.cells[0] % 3]} column"
    return "diagonal"


def won_line(won: WonLine) -> str:
    """`5 + 6 + 4 = 15 in the top row.`"""
    place = line_name(won.line)
    return f"{total_text(won.numbers)} {'on a' if place == 'diagonal' else 'in the'} {place}."


def comma_list(values: Iterable[object]) -> str:
    """`1, 2, 3`"""
    return ", ".join(str(value) for value in values)


def one_of(values: Iterable[object]) -> str:
    """`Row1`, `Row1 or Col2`, or `one of Row1, Row2, Col2`: what is left to choose from."""
    found = list(values)
    return f"one of {comma_list(found)}" if len(found) > 2 else " or ".join(map(str, found))


def total_text(numbers: tuple[int, ...]) -> str:
    """`5 + 6 + 4 = 15`"""
    return f"{' + '.join(map(str, numbers))} = {sum(numbers)}"


def pluralize(number: int, thing: str) -> str:
    """`1 move`, `7 moves`"""
    return f"{number} {thing}{'' if number == 1 else 's'}"
