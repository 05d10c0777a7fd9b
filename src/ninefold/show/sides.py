"""What each player has: numbers that keep their places, a score, a secret choice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ninefold.core.cast import Cast
from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.core.view import Panel, View, board_of
from ninefold.core.words import total_text
from ninefold.show.board import Drawing, DrawnPanel, Part, draw_panel, line_owner, panel_title
from ninefold.show.moves import capitalize

SECRET = "secret"  # the key of the panel with a number chosen in secret, which only its owner sees


@dataclass(frozen=True, slots=True)
class Token:
    """A number and its place, which stays there when the number is gone."""

    number: int
    left: bool
    part: Part | None = None  # set if it can be chosen now
    secret: bool = False  # its owner has chosen it, and nobody else knows


@dataclass(frozen=True, slots=True)
class Side:
    """What a seat has, or what both players share."""

    title: str  # the title of the numbers
    numbers: tuple[Token, ...]
    panels: tuple[DrawnPanel, ...]  # everything else

    @property
    def open(self) -> bool:
        """Whether a number can be chosen here now."""
        return any(token.part for token in self.numbers)


def side_of(game: Game, start: View, view: View, drawing: Drawing, seat: Seat | None, cast: Cast) -> Side:
    """A seat's side, or what both share if `seat` is None. `start` is this viewer's view of the start."""
    hand = next((panel for panel in start.panels if panel.seat is seat and _holds_numbers(panel)), None)
    others = (
        panel for panel in view.panels if panel.seat is seat and (not hand or panel.key != hand.key)
    )
    panels = tuple(
        draw_panel(game, view, panel, title, cast)
        for panel in others
        if panel.value not in (None, ()) and (title := panel_title(game, panel))
    )
    if hand is None:
        # Numbers that no panel holds count as shared.
        loose = drawing.numbers if seat is None and drawing.source is None else ()
        return Side(
            drawing.numbers_title, tuple(Token(int(part.text), True, part) for part in loose), panels
        )
    offered = {part.text: part for part in drawing.numbers} if drawing.source == (hand.key, seat) else {}
    left, secret = view.numbers(hand.key, seat), view.panel(SECRET, seat)
    numbers = tuple(
        Token(number, number in left, offered.get(str(number)), number == secret)
        for number in start.numbers(hand.key, seat)
    )
    return Side(panel_title(game, hand) or "", numbers, panels)


def _holds_numbers(panel: Panel) -> bool:
    value = panel.value
    return isinstance(value, tuple) and bool(value) and all(isinstance(one, int) for one in value)


@dataclass(frozen=True, slots=True)
class Preview:
    """What a part that is a whole move looks like after the move, and what the move gains."""

    text: str
    mark: str
    gain: int = 0  # what it adds to the mover's score, where there is one
    score: int = 0  # the mover's score after it
    says: str = ""  # the gain in a sentence: "Column 2: 6 + 9 + 3 = 18 makes you 58."


def preview_moves(state: State[Any], seat: Seat, drawing: Drawing, cast: Cast) -> dict[str, Preview]:
    """For each part that is a whole move, by its id, what the move makes of it."""
    found, before = {}, state.view(seat)
    for part in drawing.parts.values():
        if len(part.moves) == 1 and not part.numbers:
            (move,) = part.moves
            cells, then = state.game.spot(move).cells, state.after(move, seat).view(seat)
            text, owner = part.text, line_owner(then, move)
            if len(cells) == 1:
                cell = then.boards[board_of(then, seat)].cells[cells[0]]
                text, owner = "" if cell.number is None else str(cell.number), cell.owner
            score = then.number("score", seat)
            gain, says = score - before.number("score", seat), ""
            if gain:
                numbers = (
                    before.boards[board_of(before, seat)].cells[cell].number or 0 for cell in cells
                )
                total = f": {total_text(tuple(numbers))}" if len(cells) > 1 else ""
                who = cast.who(seat)
                says = f"{capitalize(state.game.words.move(before, move))}{total} makes {who} {score}."
            mark = "" if owner is None else cast.mark(owner)
            found[part.id] = Preview(text, mark, gain, score, says)
    return found
