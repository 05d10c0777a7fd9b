"""Exact values as the page shows them: a tag on a cell or a number, and words beside a move."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ninefold.analysis.advice import percent
from ninefold.analysis.choices import worth
from ninefold.analysis.evaluation import Choice, Result, Value
from ninefold.core.script import Cast
from ninefold.core.seat import SEATS, Seat


@dataclass(frozen=True, slots=True)
class Tag:
    """What is told of a cell, a line or a number that can be chosen."""

    text: str = ""
    tone: str = ""  # win, loss, mixed or endless, for the seat that moves
    best: bool = False
    says: str = ""
    chosen: bool = False  # it is the half of a move that has been chosen


def tag_of(choice: Choice, cast: Cast) -> Tag:
    """What comes of a move, for the seat that makes it."""
    tone = tone_of(choice.value, choice.seat)
    best = choice.best
    says = f"{'Best: ' if best else ''}{outlook(choice.value, cast)}"
    return Tag(_short(choice.value, choice.seat, tone), tone, best, says)


def tone_of(value: Value, seat: Seat) -> str:
    match value.result:
        case Result.ENDLESS:
            return "endless"
        case Result.MIXED:
            return "mixed"
    return "win" if winner_of(value) is seat else "loss"


def _short(value: Value, seat: Seat, tone: str) -> str:
    if tone == "mixed":
        return percent(chance_of(value, seat))
    if tone == "endless":
        return tone
    if value.margin is not None:
        return f"{tone} by {abs(value.margin)}" if value.margin else f"{tone}, tied"
    return f"{tone} now" if value.plies == 0 else f"{tone} {value.plies}"


def standing(value: Value, cast: Cast) -> str:
    """Who wins from here with best play."""
    winner = winner_of(value)
    match value.result:
        case Result.ENDLESS:
            return "endless"
        case Result.MIXED:
            return f"{cast.name(winner)} wins {percent(chance_of(value, winner))}"
    return f"{cast.name(winner)} {'has won' if value.plies == 0 else 'wins'}"


def outlook(value: Value, cast: Cast) -> str:
    """Who wins from here with best play, by how much, and how soon."""
    who = standing(value, cast)
    if not value.plies:
        return who
    margin = "" if value.margin is None else f" by {abs(value.margin)}" if value.margin else " the tie"
    return f"{who}{margin} in {counted(value.plies, 'move')}"


def winner_of(value: Value) -> Seat:
    """Who wins; where chance decides, who is more likely to."""
    return SEATS[value.first_wins is not None and value.first_wins * 2 < 1]


def chance_of(value: Value, seat: Seat) -> Fraction:
    """The probability that a seat wins; an endless game counts between the two."""
    return Fraction(worth(value, seat).chance)


def counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
