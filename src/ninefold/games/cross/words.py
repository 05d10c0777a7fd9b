"""Number Cross in our own words."""

from __future__ import annotations

from ninefold.core.cast import Cast
from ninefold.core.outcome import Reason
from ninefold.core.seat import Seat
from ninefold.core.view import View
from ninefold.core.words import Words


def move(view: View, text: str) -> str:
    kind, number = text[:3], text[3:]
    return f"{'Row' if kind == 'Row' else 'Column'} {number}"


def news(before: View, seat: Seat, text: str, after: View, cast: Cast) -> str:
    score = after.number("score", seat)
    gained = score - before.number("score", seat)
    have = "have" if seat is cast.you else "has"
    return f"{cast.subject(seat)} claimed {move(before, text)} for {gained} and {have} {score}."


def choose(view: View, cast: Cast) -> str:
    kinds = {"Row": "a row", "Col": "a column"}
    left = [words for kind, words in kinds.items() if any(move.startswith(kind) for move in view.moves)]
    return f"Claim {' or '.join(left)}. Its sum is added to your score."


def why(view: View, cast: Cast) -> str:
    assert view.outcome is not None
    return "A tie goes to whoever moved second." if view.outcome.reason is Reason.TIE else ""


WORDS = Words(
    move=move,
    news=news,
    choose=choose,
    why=why,
    panels={"lines": "Lines", "score": "Score", "unclaimed": None},
)
