"""The words of Shadow Grid Duel's rule book, with a mark that shows whose each number is."""

from __future__ import annotations

from collections.abc import Hashable

from ninefold.core.cast import Cast
from ninefold.core.grid import cell_text, read_cell, read_number
from ninefold.core.outcome import WonLine
from ninefold.core.script import Lines, Question, Script, ranges
from ninefold.core.seat import Seat
from ninefold.core.view import View
from ninefold.core.words import comma_list, total_text
from ninefold.games.shadow.rules import Place


def opening(view: View, cast: Cast) -> Lines:
    return [f"Secret Target Number agreed upon: {view.setup['target']}", "", *board(view, cast)]


def board(view: View, cast: Cast) -> Lines:
    rows = view.boards[0].rows
    numbers, owners = [], []
    for row in rows:
        numbers.append(" ".join(_painted(cell.owner, cell.number, cast) for cell in row))
        owners.append(
            " ".join(_painted(c.owner, c.owner is not None and cast.mark(c.owner), cast) for c in row)
        )
    lines = ["[Grid Status]", *numbers]
    if any(cell.owner is not None for row in rows for cell in row):
        whose = " and ".join(f"{cast.mark(seat)} {cast.name(seat)}" for seat in cast.players)
        lines += ["", f"Whose they are: {whose}", *owners]
    return lines


def _painted(owner: Seat | None, shown: object, cast: Cast) -> str:
    return "_" if owner is None else cast.paint(owner, str(shown))


def turn(view: View, cast: Cast) -> Lines:
    seat = view.movers[0]
    return [f"{cast.name(seat)}'s Turn:", f"Available Numbers: {ranges(view.numbers('hand', seat))}"]


def question(view: View, cast: Cast, chosen: tuple[Hashable, ...]) -> Question:
    if not chosen:
        hand = view.numbers("hand", view.movers[0])
        return Question(
            prompt="Enter number to place: ",
            allowed=f"Type one of your numbers: {comma_list(hand)}. "
            f"Or the whole move, like {view.moves[0]}.",
            read=read_number,
            part=lambda move: move.number,
        )
    empty = [cell.label for cell in view.boards[0].cells if cell.owner is None]
    return Question(
        prompt="Enter position (row,col): ",
        allowed=f"Type the row and the column of an empty cell: {'  '.join(empty)}.",
        read=read_cell,
        part=lambda move: move.cell,
    )


def made(before: View, seat: Seat, move: Place, after: View, cast: Cast) -> Lines:
    placed = f"{cast.name(seat)} places number {move.number} at position {cell_text(move.cell)}"
    return ["", placed, "", *board(after, cast)]


def ending(view: View, cast: Cast) -> Lines:
    outcome = view.outcome
    assert outcome is not None
    winner = cast.name(outcome.winner)
    if isinstance(outcome.detail, WonLine):
        won = outcome.detail
        positions = ", ".join(f"({cell_text(cell)})" for cell in won.line.cells)
        return [
            f"{winner} has formed a {won.line.kind} with positions {positions}",
            f"Sum = {total_text(won.numbers)}",
            "",
            f"{winner} wins!",
        ]
    return [
        f"The grid is full, and neither player's own numbers make a line of {view.setup['target']}.",
        f"{cast.name(outcome.winner.other)} made the last move and loses.",
        "",
        f"{winner} wins!",
    ]


SCRIPT = Script(
    opening,
    board,
    turn,
    question,
    made,
    ending,
    greeting=("[Game Start]", "Secret Target Number is set between 10 and 20."),
    asks_names=True,
    prompts={"target": "Agree on the secret target number (10-20, or press Enter to draw one): "},
)
