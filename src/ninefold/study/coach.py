"""The coach: says of a move, before it is made, what it gives away, and of a match what mattered."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ninefold.analysis import Value
from ninefold.core.move import Move
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.match import Match
from ninefold.study.judging import refute, try_move
from ninefold.study.lessons import Exercise, find_lesson
from ninefold.study.reviews import Judged, Review

MOMENTS = 2  # of a match, that are gone over


@dataclass(frozen=True, slots=True)
class Mistake:
    """A move that gives something away."""

    seat: Seat
    move: Move
    cost: Fraction  # how much of the chance to win
    value: Value  # of the game after it
    line: tuple[Move, ...]  # the move and what it allows; empty for a secret choice


def coach_move(state: State[Any], seat: Seat, move: Move) -> Mistake | None:
    """What a legal move gives away; None if that is nothing, however lost the position is.

    A secret choice is judged against all that the opponent may choose, before anything is revealed: it is
    a mistake only if no optimal mixture uses it. Raises NoValues.
    """
    tried = try_move(state, seat, move)
    if tried.keeps:
        return None
    line = () if state.secret else refute(state, seat, move)
    return Mistake(seat, move, tried.cost, tried.choice.value, line)


def find_moments(found: Review, seat: Seat) -> list[Judged]:
    """The moves of a seat that mattered most: what gave the most away, in the order of the match."""
    costly = sorted(
        (one for one in found.moves if one.seat is seat and one.cost), key=lambda one: -one.cost
    )
    return sorted(costly[:MOMENTS], key=lambda one: one.number)


def find_theme(match: Match, one: Judged) -> Exercise | None:
    """The step of a lesson that teaches what was better than a mistake; None if none does."""
    return find_lesson(match.states[one.number - 1].open_state, one.seat, one.best[0])
