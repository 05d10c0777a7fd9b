"""Pattern Match in our own words."""

from __future__ import annotations

from ninefold.core.cast import Cast
from ninefold.core.outcome import WonLine
from ninefold.core.seat import Seat
from ninefold.core.view import View
from ninefold.core.words import Words, cell_name, comma_list, won_line
from ninefold.games.pattern.rules import TOTAL, PatternMove, Place, Return


def describe(view: View, move: PatternMove) -> str:
    """A move in words; a number that is returned or swapped comes from the grid of the seat to move."""
    if isinstance(move, Place):
        return f"{move.number} in the {cell_name(move.cell)}"
    number = view.boards[view.movers[0]].cells[move.cell].number
    if isinstance(move, Return):
        return f"return the {number}"
    return f"swap the {number} for the {comma_list(view.numbers('pool'))}"


def news(before: View, seat: Seat, move: PatternMove, after: View, cast: Cast) -> str:
    who, pool = cast.subject(seat), comma_list(after.numbers("pool"))
    match before.phase:
        case "returning":
            return f"{who} returned the {pool} to the pool."
        case "swapping":
            return f"{who} swapped the {pool} for the {comma_list(before.numbers('pool'))}."
    return f"{who} put {describe(before, move)}."


def choose(view: View, cast: Cast) -> str:
    match view.phase:
        case "returning":
            return (
                "All nine numbers are placed and nobody has a line of 15. Choose one of your numbers "
                "to return to the pool; its cell stays empty from now on."
            )
        case "swapping":
            return f"Choose one of your numbers to swap for the {comma_list(view.numbers('pool'))}."
    return "Choose a number from the pool and an empty cell of your own grid."


def why(view: View, cast: Cast) -> str:
    assert view.outcome is not None
    assert isinstance(view.outcome.detail, WonLine)
    return won_line(view.outcome.detail)


def goal(view: View, cast: Cast) -> str:
    return f"{TOTAL} in a line of {'your' if cast.you is not None else 'their'} own grid wins at once."


DEAD = "No row, column or diagonal is full on either grid, and no empty cell can be filled anymore."

WORDS = Words(
    move=describe, news=news, choose=choose, why=why, goal=goal, dead=DEAD, panels={"pool": "Pool"}
)
