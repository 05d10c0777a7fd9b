"""Number Grid Battle in our own words."""

from __future__ import annotations

from ninefold.core.cast import Cast
from ninefold.core.outcome import Reason
from ninefold.core.seat import Seat
from ninefold.core.view import View
from ninefold.core.words import Words
from ninefold.games.battle.rules import Take


def describe(view: View, move: Take) -> str:
    return f"the {view.boards[0].cells[move.cell].number}"


def news(before: View, seat: Seat, move: Take, after: View, cast: Cast) -> str:
    have = "have" if seat is cast.you else "has"
    return f"{cast.subject(seat)} took {describe(before, move)} and {have} {after.number('score', seat)}."


def choose(view: View, cast: Cast) -> str:
    return "Take a number. It is added to your score."


def why(view: View, cast: Cast) -> str:
    assert view.outcome is not None
    if view.outcome.reason is Reason.TIE:
        return "Whoever took the last cell loses a tie."
    return ""


def goal(view: View, cast: Cast) -> str:
    return "The larger sum wins when all nine are taken."


WORDS = Words(
    move=describe,
    news=news,
    choose=choose,
    why=why,
    goal=goal,
    panels={"score": "Score", "turns": "Next turns"},
)
