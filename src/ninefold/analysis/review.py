"""A match looked at move by move: what each threw away, and where it was decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from ninefold.analysis import evaluate
from ninefold.analysis.choices import worth
from ninefold.analysis.evaluation import Choice, Result, Value
from ninefold.core.seat import Seat
from ninefold.core.state import State


class Mark(StrEnum):
    NONE = ""
    GIVES_AWAY = "gives the win away"
    LETS_SLIP = "lets the game slip"  # an endless game turned into a lost one
    CHANCE = "loses chances"  # part of the probability to win
    SLOWER = "a slower win"
    SOONER = "loses sooner"


@dataclass(frozen=True, slots=True)
class Judged:
    """One move. Values are about the first player, chances and costs about the seat that moved.

    A secret choice is judged by its value against optimal opponents; what the opponent's actual
    number made of it is `luck`, the change in the first player's chance that nobody's choice
    explains. It stands at the move that revealed the numbers.
    """

    number: int  # of the move, from 1
    seat: Seat
    move: str
    before: Value
    after: Value
    best: tuple[str, ...]  # the moves that a perfect player would make
    cost: Fraction  # of the chance to win, thrown away by this move
    at_stake: Fraction  # the most that any move would have thrown away
    mark: Mark
    luck: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Review:
    moves: tuple[Judged, ...]
    values: tuple[Value, ...]  # at the start and after each move
    accuracy: tuple[Fraction | None, Fraction | None]  # by seat, 0 to 1; None: nothing to decide
    deciding: Judged | None  # the move that lost the game


def review(states: Sequence[State[Any]], moves: Sequence[tuple[Seat, Any]], loser: Seat | None) -> Review:
    """Judge the moves that led from each position to the next. `loser` None: an unfinished match."""
    values = tuple(evaluate(state).value for state in states)
    judged: list[Judged] = []
    for number, (seat, move) in enumerate(moves, 1):
        judged.append(_judge(states, values, judged, number, seat, move))
    lost = [one for one in judged if one.seat == loser and one.cost > 0]
    return Review(
        tuple(judged),
        values,
        (_accuracy(judged, Seat.FIRST), _accuracy(judged, Seat.SECOND)),
        max(lost, key=lambda one: (one.cost, one.number), default=None),
    )


def _judge(
    states: Sequence[State[Any]],
    values: Sequence[Value],
    earlier: Sequence[Judged],
    number: int,
    seat: Seat,
    move: Any,
) -> Judged:
    before, after = states[number - 1], states[number]
    choices = [choice for choice in evaluate(before).choices if choice.seat == seat]
    made = next(choice for choice in choices if choice.move == move)
    chances = [worth(choice.value, seat).chance for choice in choices]
    cost = Fraction(max(chances) - worth(made.value, seat).chance)
    luck = None
    if before.secret and not after.secret:
        other = earlier[-1]
        explained = cost * (1 if seat else -1) + other.cost * (1 if other.seat else -1)
        luck = _chance(values[number]) - _chance(values[number - 1]) - explained
    return Judged(
        number=number,
        seat=seat,
        move=str(move),
        before=values[number - 1],
        after=values[number],
        best=tuple(str(choice.move) for choice in choices if choice.best),
        cost=cost,
        at_stake=Fraction(max(chances) - min(chances)),
        mark=_mark(choices[0], made, cost),
        luck=luck,
    )


def _chance(value: Value) -> Fraction:
    return Fraction(worth(value, Seat.FIRST).chance)


def _mark(best: Choice, made: Choice, cost: Fraction) -> Mark:
    seat = made.seat
    could, does = worth(best.value, seat), worth(made.value, seat)
    if cost > 0:
        if could.chance == 1:
            return Mark.GIVES_AWAY
        return Mark.LETS_SLIP if best.value.result is Result.ENDLESS else Mark.CHANCE
    if does.pace < could.pace:
        return Mark.SLOWER if could.chance == 1 else Mark.SOONER
    return Mark.NONE


def _accuracy(judged: Sequence[Judged], seat: Seat) -> Fraction | None:
    """The share of what was at stake that the seat kept, over the moves where something was."""
    decisions = [one for one in judged if one.seat == seat and one.at_stake > 0]
    if not decisions:
        return None
    return sum((1 - one.cost / one.at_stake for one in decisions), Fraction(0)) / len(decisions)
