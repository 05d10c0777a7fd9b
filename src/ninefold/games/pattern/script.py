"""The words of Pattern Match's rule book, with both grids, and with words for recycling."""

from __future__ import annotations

from collections.abc import Hashable

from ninefold.core.cast import Cast
from ninefold.core.errors import MalformedMove
from ninefold.core.grid import cell_text, read_cell, read_number
from ninefold.core.outcome import WonLine
from ninefold.core.script import Lines, Question, Script
from ninefold.core.seat import Seat
from ninefold.core.view import View
from ninefold.core.words import comma_list, total_text
from ninefold.games.pattern.rules import PatternMove, Place, Return, Swap

INVALID = "Invalid selection. Please choose an available number and an empty grid position."


def opening(view: View, cast: Cast) -> Lines:
    return [
        "Welcome to Pattern Match!",
        "Be the first with a line that adds up to 15 on your own grid.",
        "",
        *board(view, cast),
    ]


def board(view: View, cast: Cast) -> Lines:
    lines = [f"Available Numbers: {comma_list(view.numbers('pool')) or 'none'}"]
    for seat in cast.players:
        lines += ["", *_grid(view, seat, cast)]
    return lines


def _grid(view: View, seat: Seat, cast: Cast) -> Lines:
    lines = [f"{cast.name(seat)}'s Grid:"]
    for row in view.boards[seat].rows:
        shown = (cast.paint(seat, str(cell.number)) if cell.number else " " for cell in row)
        lines.append("".join(f"[{text}]" for text in shown))
    return [*lines, " 1  2  3   columns; rows 1-3 from top to bottom"]


def turn(view: View, cast: Cast) -> Lines:
    name = cast.name(view.movers[0])
    match view.phase:
        case "returning":
            return [
                "All nine numbers are placed and nobody has a line of 15.",
                f"{name}, return one of your numbers to the pool.",
                "Its cell stays empty from now on.",
            ]
        case "swapping":
            return [f"{name}, swap one of your numbers for the {view.numbers('pool')[0]} in the pool."]
        case _:
            return []


def question(view: View, cast: Cast, chosen: tuple[Hashable, ...]) -> Question:
    seat = view.movers[0]
    if view.phase != "placing":
        return _ask_recycling(view, cast, seat)
    if not chosen:
        return Question(
            prompt=f"{cast.name(seat)}, select a number: ",
            allowed=f"Type a number from the pool: {comma_list(view.numbers('pool'))}. "
            f"Or the whole move, like {view.moves[0]}.",
            read=read_number,
            part=lambda move: getattr(move, "number", None),
            refused=_invalid,
        )
    empty = [cell.label for cell in view.boards[seat].cells if cell.number is None]
    return Question(
        prompt="Choose grid position (row and column): ",
        allowed=f"Type the row and the column of an empty cell: {'  '.join(empty)}.",
        read=read_cell,
        part=lambda move: move.cell,
        refused=_invalid,
    )


def _invalid(reason: str) -> str:
    return f"{INVALID}\n{reason}"


def _ask_recycling(view: View, cast: Cast, seat: Seat) -> Question:
    """The question for one of the seat's numbers, answered by its position or the number itself."""
    standing = {str(cell.number): cell.label for cell in view.boards[seat].cells if cell.number}
    verb = "return" if view.phase == "returning" else "swap"
    kind = verb.capitalize()
    return Question(
        prompt=f"{cast.name(seat)}, choose the number to {verb} (row and column): ",
        allowed="Type where it stands, or the number itself: "
        + ", ".join(f"{label} for the {number}" for number, label in standing.items())
        + ".",
        read=lambda text: (kind, _read_standing_cell(text.strip(), standing)),
        part=lambda move: (type(move).__name__, move.cell),
    )


def _read_standing_cell(text: str, standing: dict[str, str]) -> int:
    if text in tuple("123456789") and text not in standing:
        raise MalformedMove(f"You have no {text} on your grid.")
    return read_cell(standing.get(text, text))


def made(before: View, seat: Seat, move: PatternMove, after: View, cast: Cast) -> Lines:
    name, position = cast.name(seat), cell_text(move.cell)
    pool = comma_list(after.numbers("pool")) or "none"
    match move:
        case Return():
            said = f"{name} returns {pool} to the pool from ({position})."
        case Swap():
            was = comma_list(before.numbers("pool"))
            said = f"{name} swaps {pool} at ({position}) for {was}."
        case Place(number, _):
            said = f"{name} places {number} at ({position})."
    lines = ["", said, f"Available Numbers now: {pool}"]
    for owner in cast.players:
        lines += ["", *_grid(after, owner, cast)]
    return lines


def ending(view: View, cast: Cast) -> Lines:
    outcome = view.outcome
    assert outcome is not None
    assert isinstance(outcome.detail, WonLine)
    won = outcome.detail
    kind = won.line.kind.capitalize()
    positions = ", ".join(f"({cell_text(cell)})" for cell in won.line.cells)
    return [
        f"Sum of {kind}: {total_text(won.numbers)} at {positions}",
        "",
        f"{cast.name(outcome.winner)} wins! Line at {kind} sums to {won.total}.",
        "Game Over.",
    ]


SCRIPT = Script(opening, board, turn, question, made, ending)
