"""From the values of the moves to the evaluation of a position: which is best, and in what order.

Every solver hands the value after each legal move to `evaluation` (one seat moves) or to `ranked`
(both choose in secret) and gets the choices best first, with their `best` flags. Values are always
about the first player; `worth` is the one place that turns them to a seat's own side.

    options = [Option(seat, move, won(Seat.FIRST, plies=4)) for move in state.moves()]
    return evaluation(options)
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple

from ninefold.analysis.evaluation import Choice, Evaluation, Result, Value
from ninefold.core.seat import Seat

NEVER, ALWAYS = Fraction(0), Fraction(1)
BETWEEN = Fraction(1, 2)
ENDLESS = Value(Result.ENDLESS, None)


class Option(NamedTuple):
    """A legal move with the value of the game after it, and its part in a secret mixture."""

    seat: Seat
    move: Any
    value: Value
    mix: Fraction | None = None


class Worth(NamedTuple):
    """A value as one seat sees it: the larger, the better."""

    chance: Fraction | int  # that this seat wins, 0 to 1; an endless game counts between the two
    pace: int  # a win the sooner the better, a loss the later the better
    margin: int  # this seat's sum minus the other's


def won(winner: Seat, plies: int, margin: int | None = None) -> Value:
    """The value where this seat can force a win, with the game `plies` moves from its end."""
    if winner is Seat.FIRST:
        return Value(Result.FIRST, ALWAYS, plies, margin)
    return Value(Result.SECOND, NEVER, plies, margin)


def earlier(value: Value, plies: int = 1) -> Value:
    """The value of a position from which perfect play gets to this value in `plies` moves."""
    if value.plies is None:
        return value
    return Value(value.result, value.first_wins, value.plies + plies, value.margin)


def worth(value: Value, seat: Seat) -> Worth:
    """What a value, which is about the first player, is worth to a seat."""
    margin = value.margin or 0
    if seat is Seat.SECOND:
        margin = -margin
    if value.result is Result.ENDLESS:
        return Worth(BETWEEN, 0, margin)
    if value.result is Result.MIXED:
        assert value.first_wins is not None
        return Worth(value.first_wins if seat is Seat.FIRST else 1 - value.first_wins, 0, margin)
    plies = value.plies or 0
    wins = (value.result is Result.FIRST) == (seat is Seat.FIRST)
    return Worth(1, -plies, margin) if wins else Worth(0, plies, margin)


def ranked(options: Iterable[Option]) -> tuple[Choice, ...]:
    """The options as choices, best first for the seat that has them; both seats' one after the other.

    The options of a seat come in the fixed order of the moves. Equal ones stay in that order, except
    that a larger part in the mixture goes first. All that are worth as much as the best are `best`.
    """
    by_seat: dict[Seat, list[tuple[Worth, Option]]] = {}
    for option in options:
        by_seat.setdefault(option.seat, []).append((worth(option.value, option.seat), option))
    choices: list[Choice] = []
    for group in by_seat.values():
        group.sort(key=lambda pair: (*pair[0], pair[1].mix or 0), reverse=True)  # stable: ties keep order
        top = group[0][0]
        choices += [Choice(o.seat, o.move, o.value, here == top, o.mix) for here, o in group]
    return tuple(choices)


def evaluation(options: Iterable[Option]) -> Evaluation:
    """A position where one seat moves: it is worth what its best move leads to, a ply earlier."""
    choices = ranked(options)
    return Evaluation(earlier(choices[0].value), choices)


def over(winner: Seat, margin: int | None = None) -> Evaluation:
    """A position where the game has ended."""
    return Evaluation(won(winner, 0, margin), ())
