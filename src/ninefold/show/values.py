"""Exact values in words, and as tags on cells and numbers. Nothing else puts values in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ninefold.analysis import Choice, Result, Value
from ninefold.core.cast import Cast
from ninefold.core.seat import SEATS, Seat
from ninefold.study.facts import chance_of


def percent(part: Fraction | float) -> str:
    """`62.5%`; 0% and 100% only for what is certain."""
    tenths = round(part * 1000)
    if part not in (0, 1):
        tenths = min(max(tenths, 1), 999)
    return f"{tenths / 10:g}%"


def points(part: Fraction) -> str:
    """`18.5 points`: a difference between two chances, in percentage points."""
    return f"{percent(part).removesuffix('%')} points"


def bar_length(part: Fraction | float, size: int) -> int:
    """How much of a bar is filled. Only what is certain fills it, or leaves it empty."""
    length = round(part * size)
    return length if part in (0, 1) else min(max(length, 1), size - 1)


def _likely_winner(value: Value, cast: Cast) -> Seat:
    """Whose chances to state: the winner's; where chance decides, the reader's, else the larger ones."""
    if value.result is Result.MIXED and cast.you is not None:
        return cast.you
    return SEATS[value.first_wins is not None and value.first_wins * 2 < 1]


def standing(value: Value, cast: Cast) -> str:
    """Who wins from here with best play, briefly: `Ann wins`, `Ann wins 62.5%`, `endless`."""
    winner = _likely_winner(value, cast)
    match value.result:
        case Result.ENDLESS:
            return "endless"
        case Result.MIXED:
            return f"{cast.does(winner, 'win')} {percent(chance_of(value, winner))}"
    return cast.does(winner, "win") if value.plies else f"{cast.does(winner, 'have')} won"


def margin_text(value: Value) -> str:
    """` by 4`, ` on a tie`, or nothing where there is no margin."""
    if value.margin is None:
        return ""
    return f" by {abs(value.margin)}" if value.margin else " on a tie"


def outlook(value: Value, cast: Cast) -> str:
    """Who wins from here, by how much and how soon, inside a sentence: `Ann wins by 4 in 6 moves`."""
    match value.result:
        case Result.ENDLESS:
            return "neither side can force a win"
        case Result.MIXED:
            return f"{standing(value, cast)} of the time"
    length = "" if not value.plies else f" in {value.plies} moves"
    if value.plies == 1:
        length = " after one more move"
    return f"{standing(value, cast)}{margin_text(value)}{length}"


def verdict(value: Value, cast: Cast) -> str:
    """Who wins from here with best play, as a sentence."""
    if value.plies == 0:
        return f"{cast.subject_does(_likely_winner(value, cast), 'have')} won{margin_text(value)}."
    return f"With best play, {outlook(value, cast)}."


def clause(value: Value, cast: Cast) -> str:
    """The verdict as a clause that follows a colon."""
    said = verdict(value, cast)
    return said if value.plies == 0 else said[0].lower() + said[1:]


@dataclass(frozen=True, slots=True)
class Tag:
    """What a cell, a line or a number that can be chosen leads to, in brief."""

    text: str = ""
    tone: str = ""  # win, loss, mixed or endless, for the seat that moves
    best: bool = False
    says: str = ""
    chosen: bool = False  # whether it is the half of a move that has been chosen


def tag_of(choice: Choice, cast: Cast) -> Tag:
    """What a move leads to, for the seat that makes it."""
    tone = tone_of(choice.value, choice.seat)
    says = f"{'Best: ' if choice.best else ''}{outlook(choice.value, cast)}"
    return Tag(_short(choice.value, choice.seat, tone), tone, choice.best, says)


def tone_of(value: Value, seat: Seat) -> str:
    if value.result in (Result.ENDLESS, Result.MIXED):
        return str(value.result)
    return "win" if chance_of(value, seat) else "loss"


def _short(value: Value, seat: Seat, tone: str) -> str:
    if tone == "mixed":
        return percent(chance_of(value, seat))
    if tone == "endless":
        return tone
    if value.margin is not None:
        return tone + margin_text(value)
    return f"{tone} now" if value.plies == 0 else f"{tone} in {value.plies}"


def say_alike(choices: Sequence[Choice], cast: Cast) -> str:
    """One sentence for several moves that all lead to the same value; empty if they do not."""
    values = {choice.value for choice in choices}
    if len(choices) < 2 or len(values) > 1:
        return ""
    value = values.pop()
    alike = "are equally good" if chance_of(value, choices[0].seat) else "lose"
    if value.plies == 0:
        return f"All {len(choices)} moves {alike}: {outlook(value, cast)}."
    return f"All {len(choices)} moves {alike}. After any of them, {outlook(value, cast)}."


@dataclass(frozen=True, slots=True)
class Bar:
    """How likely the first player wins with best play, in percent, and in words."""

    first: float
    marks: tuple[str, str]  # by seat
    text: str


def bar_of(value: Value, cast: Cast) -> Bar:
    marks = (cast.mark(Seat.FIRST), cast.mark(Seat.SECOND))
    return Bar(float(100 * chance_of(value, Seat.FIRST)), marks, verdict(value, cast))
