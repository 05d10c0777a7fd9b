"""Reviews a match move by move: what each move gave away, and which one decided it."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from ninefold.analysis import Choice, Result, Value, evaluate
from ninefold.analysis.evaluation import worth
from ninefold.core.move import Move
from ninefold.core.outcome import Reason
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.core.turns import Played
from ninefold.match import Match
from ninefold.study.facts import chance_of


class Mark(StrEnum):
    """What is wrong with a move, as JSON names it; `show` has the words for people."""

    NONE = ""
    GIVES_AWAY = "gives-away"  # the win
    LETS_SLIP = "lets-slip"  # an endless game turned into a lost one
    CHANCE = "chance"  # part of the probability to win is gone
    SLOWER = "slower"  # a win
    SOONER = "sooner"  # a loss


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
    equal: bool  # every legal move was as good as any other; not if the numbers must be mixed
    luck: Fraction | None = None

    @property
    def mistake(self) -> bool:
        """Whether it gave away a win, an endless game or chances."""
        return self.mark in (Mark.GIVES_AWAY, Mark.LETS_SLIP, Mark.CHANCE)


@dataclass(frozen=True, slots=True)
class Review:
    moves: tuple[Judged, ...]
    values: tuple[Value, ...]  # at the start and after each move
    accuracy: tuple[Fraction | None, Fraction | None]  # by seat, 0 to 1; None if no move mattered
    deciding: Judged | None  # the move that lost the game

    def mistakes(self, seats: Container[Seat] = SEATS) -> list[Judged]:
        """The moves of these seats that gave something away, in order."""
        return [one for one in self.moves if one.mistake and one.seat in seats]


def review_match(match: Match) -> Review:
    """Judge all moves of a match except those that are still secret."""
    outcome = match.outcome
    loser = None if outcome is None else outcome.winner.other
    gave_up = loser if outcome is not None and outcome.reason is Reason.RESIGNED else None
    return review(match.states[: match.ply + 1], match.played[: match.ply], loser, gave_up)


def review(
    states: Sequence[State[Any]],
    played: Sequence[Played],
    loser: Seat | None,
    gave_up: Seat | None = None,
) -> Review:
    """Judge the moves that led from each position to the next. `loser` is None if nobody has lost.

    If a seat gave up in the last position and had a chance left, it counts as one more decision, in which
    all of the chance was lost.
    """
    values = tuple(evaluate(state).value for state in states)
    judged: list[Judged] = []
    for number, one in enumerate(played, 1):
        judged.append(_judge(states, values, judged, number, one))
    lost = [one for one in judged if one.seat == loser and one.cost > 0]
    thrown = None if gave_up is None or not chance_of(values[-1], gave_up) else gave_up
    first, second = (_accuracy(judged, seat, int(seat is thrown)) for seat in SEATS)
    return Review(
        tuple(judged),
        values,
        (first, second),
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
        equal=all(choice.value == made.value for choice in choices) and not _must_mix(before, choices),
        luck=luck,
    )


def _must_mix(state: State[Any], choices: Sequence[Choice]) -> bool:
    """Whether equally good secret choices are only good as a mixture: a reply beats one of them alone."""
    if not state.secret or choices[0].value.result is not Result.MIXED:
        return False
    before, seat = state.open_state, choices[0].seat
    worth_now = chance_of(evaluate(before).value, seat)
    afters = (before.after(choice.move, seat) for choice in choices)
    ends = (after.after(reply, seat.other) for after in afters for reply in before.moves(seat.other))
    return any(chance_of(evaluate(end).value, seat) < worth_now for end in ends)


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


def _accuracy(judged: Sequence[Judged], seat: Seat, given_up: int) -> Fraction | None:
    """The share of what was at stake that the seat kept, averaged over the decisions where it mattered.

    `given_up` is how many more decisions there were, in which nothing was kept.
    """
    kept = [1 - one.cost / one.at_stake for one in judged if one.seat == seat and one.at_stake > 0]
    decisions = len(kept) + given_up
    return sum(kept, Fraction(0)) / decisions if decisions else None
