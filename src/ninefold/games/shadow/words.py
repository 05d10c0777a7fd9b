"""Shadow Grid Duel in our own words."""

from __future__ import annotations

from ninefold.core.cast import Cast
from ninefold.core.outcome import WonLine
from ninefold.core.seat import Seat
from ninefold.core.view import View
from ninefold.core.words import Words, cell_name, won_line
from ninefold.games.shadow.rules import Place


def describe(view: View, move: Place) -> str:
    return f"{move.number} in the {cell_name(move.cell)}"


def news(before: View, seat: Seat, move: Place, after: View, cast: Cast) -> str:
    return f"{cast.subject(seat)} put {describe(before, move)}."


def choose(view: View, cast: Cast) -> str:
    return "Choose one of your numbers and an empty cell."


def why(view: View, cast: Cast) -> str:
    assert view.outcome is not None
    if isinstance(view.outcome.detail, WonLine):
        return won_line(view.outcome.detail)
    loses = "loses" if view.outcome.winner else "wins at an odd target"
    return (
        f"The grid is full, and neither player's own numbers make a line of {view.setup['target']}. "
        f"Whoever placed the last number {loses}."
    )


def goal(view: View, cast: Cast) -> str:
    return say_goal(view, cast, Seat.SECOND)


def say_goal(view: View, cast: Cast, full: Seat | None) -> str:
    """What wins. `full` wins a full grid; None if that depends on a target the reader cannot know."""
    whose = "yours" if cast.you is not None else "a player's own"
    target = view.setup.get("target", "the secret target")
    wins = "the target decides" if full is None else cast.does(full, "win")
    return f"Three of {whose} in a line = {target}. Full grid: {wins}."


WORDS = Words(
    move=describe, news=news, choose=choose, why=why, goal=goal, panels={"hand": "Numbers left"}
)
