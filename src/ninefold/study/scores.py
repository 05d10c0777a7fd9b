"""Ground truth for a position and a match: chances, regret, and what a perfect player would do."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ninefold.analysis import evaluate
from ninefold.core.outcome import FROM_OUTSIDE
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.match import Match, Record
from ninefold.study.facts import chance_of
from ninefold.study.reviews import review


def chance(state: State[Any], seat: Seat) -> Fraction:
    """The seat's exact chance to win under perfect play; an endless game counts as one half."""
    return chance_of(evaluate(state).value, seat)


def regrets(state: State[Any], seat: Seat) -> dict[int, Fraction]:
    """By action: how much of its chance to win the seat gives away with each legal move."""
    choices = evaluate(state).choices_of(seat)
    chances = [chance_of(choice.value, seat) for choice in choices]
    best = max(chances)
    return {state.game.index(c.move): best - won for c, won in zip(choices, chances, strict=True)}


def optimal_distribution(state: State[Any], seat: Seat) -> dict[int, Fraction]:
    """By action: all best moves equally likely; in a secret choice, an optimal mixture.

    Moves are ranked by result, then speed, then margin. This is a target to learn from, not a player's
    policy: the perfect player also considers how hard its moves are to answer.
    """
    choices = evaluate(state).choices_of(seat)
    if state.secret:
        return {state.game.index(c.move): c.mix for c in choices if c.mix}
    best = [choice for choice in choices if choice.best]
    return {state.game.index(choice.move): Fraction(1, len(best)) for choice in best}


@dataclass(frozen=True, slots=True)
class Score:
    """A match in figures, by seat. Regret is the chance to win given away, summed over the moves.

    If resigning, or something else from outside the rules, ended the match, it counts as one more choice
    of the loser, which gives away the whole chance that was left.
    """

    winner: Seat | None  # None if the match is unfinished or was stopped
    moves: tuple[int, int]
    regret: tuple[Fraction, Fraction]
    accuracy: tuple[Fraction | None, Fraction | None]  # of moves, 0 to 1; None if all were equally good


def score(record: Record) -> Score:
    """What the players of a match gave away. Raises RecordError if it is not a legal match."""
    match = Match.of(record)
    found = review(match.states, match.played, None)
    first, second = ([one.cost for one in found.moves if one.seat is seat] for seat in SEATS)
    outcome = match.outcome
    if outcome is not None and outcome.reason in FROM_OUTSIDE:
        loser = outcome.winner.other
        (first, second)[loser].append(chance(match.state, loser))
    return Score(
        winner=None if outcome is None else outcome.winner,
        moves=(len(first), len(second)),
        regret=(sum(first, Fraction(0)), sum(second, Fraction(0))),
        accuracy=found.accuracy,
    )
