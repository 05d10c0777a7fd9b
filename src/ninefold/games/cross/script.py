"""The words of Number Cross's rule book."""

from __future__ import annotations

from collections.abc import Hashable

from ninefold.core.cast import Cast
from ninefold.core.outcome import Reason
from ninefold.core.script import GRID_PROMPT, Lines, Question, Script
from ninefold.core.seat import Seat
from ninefold.core.view import View
from ninefold.core.words import comma_list, one_of, total_text
from ninefold.games.cross.notation import parse
from ninefold.games.cross.rules import ClaimLine, Sums


def opening(view: View, cast: Cast) -> Lines:
    return [
        "Welcome to Number Cross!",
        "",
        "Initializing the game grid...",
        *_grid(view),
        "",
        f"{cast.name(Seat.FIRST)}, you will go first.",
    ]


def _grid(view: View) -> Lines:
    rule = "+-----+-----+-----+"
    lines = [rule]
    for number, row in enumerate(view.boards[0].rows, 1):
        lines += [f"|{'|'.join(f'  {cell.number}  ' for cell in row)}|  Row {number}", rule]
    return [*lines, "  C1    C2    C3"]


def board(view: View, cast: Cast) -> Lines:
    return [*_grid(view), *_claimed(view, cast)]


def _claimed(view: View, cast: Cast) -> Lines:
    """The lines that each player holds so far; empty before the first claim."""
    lines = []
    for seat in cast.players:
        claimed = view.panel("lines", seat)
        if isinstance(claimed, tuple) and claimed:
            held = f"{comma_list(claimed)}, {view.number('score', seat)} in all"
            lines.append(f"{cast.name(seat)} holds {held}.")
    return lines


def turn(view: View, cast: Cast) -> Lines:
    return [
        f"{cast.name(view.movers[0])}'s Turn:",
        f"Available lines to claim: {comma_list(view.moves)}",
    ]


def question(view: View, cast: Cast, chosen: tuple[Hashable, ...]) -> Question:
    return Question(
        prompt="Enter the line you want to claim: ",
        allowed=f"Type {one_of(view.moves)}. Short forms such as r2 or c3 will do.",
        read=parse,
        part=lambda move: move,
    )


def made(before: View, seat: Seat, move: ClaimLine, after: View, cast: Cast) -> Lines:
    claimed = [] if after.outcome else ["", *_claimed(after, cast)]
    return ["", f"{cast.name(seat)} has claimed {move}.", *claimed]


def ending(view: View, cast: Cast) -> Lines:
    outcome = view.outcome
    assert outcome is not None
    assert isinstance(outcome.detail, Sums)
    lines = ["All lines have been claimed. Calculating scores..."]
    for seat in cast.players:
        lines += ["", f"{cast.name(seat)}'s claimed lines:"]
        lines += [f"- {line.name}: {total_text(line.numbers)}" for line in outcome.detail.lines[seat]]
        lines += [f"Total Sum: {outcome.detail.totals[seat]}"]
    winner = cast.name(outcome.winner)
    if outcome.reason is Reason.TIE:
        lines += ["", "It's a tie!", "", f"According to the tiebreaker rule, {winner} wins the game!"]
    else:
        lines += ["", f"{winner} wins the game!"]
    return [*lines, "", f"Congratulations, {winner}!"]


SCRIPT = Script(opening, board, turn, question, made, ending, prompts={"grid": GRID_PROMPT})
