"""Number Cross in our own words."""

from __future__ import annotations

from ninefold.core.cast import Cast
from ninefold.core.outcome import Reason
from ninefold.core.seat import Seat
from ninefold.core.view import View
from ninefold.core.words import Words
from ninefold.games.cross.rules import LINES, ClaimLine


def describe(view: View, move: ClaimLine) -> str:
    return f"{LINES[move.line].kind.capitalize()} {move.line % 3 + 1}"


def news(before: View, seat: Seat, move: ClaimLine, after: View, cast: Cast) -> str:
    score = after.number("score", seat)
    gained = score - before.number("score", seat)
    have = "have" if seat is cast.you else "has"
    return f"{cast.subject(seat)} claimed {describe(before, move)} for {gained} and {have} {score}."


def choose(view: View, cast: Cast) -> str:
    left = dict.fromkeys(
        f"a {LINES[move.line].kind}" for move in view.moves if isinstance(move, ClaimLine)
    )
    return f"Claim {' or '.join(left)}. Its sum is added to your score."


def why(view: View, cast: Cast) -> str:
    assert view.outcome is not None
    return "A tie goes to whoever moved second." if view.outcome.reason is Reason.TIE else ""


def goal(view: View, cast: Cast) -> str:
    return f"The larger sum wins. On a tie, {cast.does(Seat.SECOND, 'win')}."


WORDS = Words(
    goal=goal,
    move=describe,
    news=news,
    choose=choose,
    why=why,
    panels={"lines": "Lines", "score": "Score", "unclaimed": None, "turns": "Next turns"},
)
