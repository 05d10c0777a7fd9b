"""The words of Number Grid Battle's rule book."""

from __future__ import annotations

from collections.abc import Hashable

from ninefold.core.cast import Cast
from ninefold.core.grid import read_cell
from ninefold.core.outcome import Reason
from ninefold.core.script import GRID_PROMPT, Lines, Question, Script
from ninefold.core.seat import Seat
from ninefold.core.view import Cell, View
from ninefold.games.battle.rules import Scores, Take


def opening(view: View, cast: Cast) -> Lines:
    return ["Welcome to Number Grid Battle!", "", "Initial Grid:", *_grid(view, cast)]


def board(view: View, cast: Cast) -> Lines:
    scores = (f"{cast.label(seat)}: {view.number('score', seat)}" for seat in cast.players)
    return [*_grid(view, cast), f"Scores: {', '.join(scores)}"]


def _grid(view: View, cast: Cast) -> Lines:
    """The grid as the book draws it: a column gets one character wider once it has a mark."""
    rows = view.boards[0].rows
    widths = [4 if any(row[col].owner is not None for row in rows) else 3 for col in range(3)]
    rule = f"+{'+'.join('-' * width for width in widths)}+"
    lines = [rule]
    for row in rows:
        shown = (_cell(cell, width, cast) for cell, width in zip(row, widths, strict=True))
        lines += [f"|{'|'.join(shown)}|", rule]
    return lines


def _cell(cell: Cell, width: int, cast: Cast) -> str:
    text = str(cell.number) if cell.owner is None else cast.mark(cell.owner)
    blanks = " " * (width - 2)
    return f" {text if cell.owner is None else cast.paint(cell.owner, text)}{blanks}"


def turn(view: View, cast: Cast) -> Lines:
    return [f"{cast.label(view.movers[0])}, it's your turn."]


def question(view: View, cast: Cast, chosen: tuple[Hashable, ...]) -> Question:
    untouched = all(cell.owner is None for cell in view.boards[0].cells)
    example = " (e.g., 0 1 for top-middle)" if untouched else ""
    unclaimed = "  ".join(map(str, view.moves))
    return Question(
        prompt=f"Enter the row and column of the cell you want to claim{example}:\n",
        allowed=f"Type a row and a column, each counted from 0. Unclaimed: {unclaimed}.",
        read=lambda text: read_cell(text, origin=0),
        part=lambda move: move.cell,
    )


def made(before: View, seat: Seat, move: Take, after: View, cast: Cast) -> Lines:
    number = after.boards[0].cells[move.cell].number
    lines = [
        f"You claimed cell ({move}) with value {number}.",
        f"Your current score: {after.number('score', seat)}",
    ]
    return [*lines, "", "Updated Grid:", *_grid(after, cast)]


def ending(view: View, cast: Cast) -> Lines:
    outcome = view.outcome
    assert outcome is not None
    assert isinstance(outcome.detail, Scores)
    lines = ["All cells have been claimed!", "", "Final Scores:"]
    lines += [f"{cast.label(seat)}: {outcome.detail.points[seat]}" for seat in cast.players]
    if outcome.reason is Reason.TIE:
        lines += ["", f"It's a tie, and {cast.name(outcome.winner.other)} took the last turn."]
    return [*lines, "", f"{cast.name(outcome.winner)} wins!"]


SCRIPT = Script(opening, board, turn, question, made, ending, prompts={"grid": GRID_PROMPT})
