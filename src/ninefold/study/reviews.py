"""Reviews a match move by move: what each move gave away, and which one decided it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from ninefold.analysis import Choice, Result, Value, evaluate
from ninefold.analysis.evaluation import worth
from ninefold.core.move import Move
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.core.turns import Played
from ninefold.match import Match
from ninefold.study.facts import chance_of


class Mark(StrEnum):
    """What is wrong with a move. These texts are for JSON; `show` has the words for people."""

    NONE = ""
    GIVES_AWAY = "gives the win away"
    LETS_SLIP = "lets the game slip"  # an endless game turned into a lost one
    CHANCE = "loses chances"  # part of the probability to win
    SLOWER = "a slower win"
    SOONER = "loses sooner"


@dataclass(frozen=True, slots=True)
class Judged:
    """One move. Values are about the first player, chances and costs about the seat that moved.

    A secret choice is judged by its value against optimal opponents. `luck` is what the two numbers made
    of it: the change in the first player's chance that neither choice explains. It belongs to the move
    that revealed the numbers.
    """

    number: int  # of the move, from 1
    seat: Seat
    move: Move
    before: Value
    after: Value
    best: tuple[Move, ...]  # the moves that a perfect player would make
    keeps: tuple[Move, ...]  # the moves that give nothing away: the best, and slower ones
    cost: Fraction  # how much of the chance to win this move gave away
    at_stake: Fraction  # the most that any move would have given away
    mark: Mark
    equal: bool  # every legal move led to the same value
    luck: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Review:
    moves: tuple[Judged, ...]
    values: tuple[Value, ...]  # at the start and after each move
    accuracy: tuple[Fraction | None, Fraction | None]  # by seat, 0 to 1; None if no move mattered
    deciding: Judged | None  # the move that lost the game


def review_match(match: Match) -> Review:
    """Judge all moves of a match except those that are still secret."""
    loser = None if match.outcome is None else match.outcome.winner.other
    return review(match.states[: match.ply + 1], match.played[: match.ply], loser)


def review(states: Sequence[State[Any]], played: Sequence[Played], loser: Seat | None) -> Review:
    """Judge the moves that led from each position to the next. `loser` is None if nobody has lost."""
    values = tuple(evaluate(state).value for state in states)
    judged: list[Judged] = []
    for number, one in enumerate(played, 1):
        judged.append(_judge(states, values, judged, number, one))
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
    played: Played,
) -> Judged:
    before, after, seat = states[number - 1], states[number], played.seat
    choices = evaluate(before).choices_of(seat)
    made = next(choice for choice in choices if choice.move == played.move)
    chances = [chance_of(choice.value, seat) for choice in choices]
    cost = max(chances) - chance_of(made.value, seat)
    luck = None
    if before.pending and not after.pending:
        other = earlier[-1]
        explained = cost * (1 if seat else -1) + other.cost * (1 if other.seat else -1)
        first = Seat.FIRST
        luck = chance_of(values[number], first) - chance_of(values[number - 1], first) - explained
    return Judged(
        number=number,
        seat=seat,
        move=played.move,
        before=values[number - 1],
        after=values[number],
        best=tuple(choice.move for choice in choices if choice.best),
        keeps=tuple(
            choice.move for choice, chance in zip(choices, chances, strict=True) if chance == max(chances)
        ),
        cost=cost,
        at_stake=max(chances) - min(chances),
        mark=_mark(choices[0], made, cost),
        equal=all(choice.value == made.value for choice in choices),
        luck=luck,
    )


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
    """The share of what was at stake that the seat kept, averaged over the moves where it mattered."""
    decisions = [one for one in judged if one.seat == seat and one.at_stake > 0]
    if not decisions:
        return None
    return sum((1 - one.cost / one.at_stake for one in decisions), Fraction(0)) / len(decisions)
