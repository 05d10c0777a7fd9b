"""Ground truth for a position and a match: chances, regret, and what a perfect player would do."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ninefold.analysis import evaluate
from ninefold.analysis.evaluation import HALF
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
    of the loser, which gives away the whole chance that was left. If the match was stopped, whoever could
    win gives away what was left above one half.
    """

    winner: Seat | None  # None if the match is unfinished or was stopped
    moves: tuple[int, int]
    regret: tuple[Fraction, Fraction]
    accuracy: tuple[Fraction | None, Fraction | None]  # of moves, 0 to 1; None if all were equally good


def score(record: Record) -> Score:
    """What the players of a match gave away. Raises RecordError if it is not a legal match."""
    match = Match.of(record)
    outcome, state = match.outcome, match.state
    loser = None if outcome is None or outcome.reason not in FROM_OUTSIDE else outcome.winner.other
    found = review(match.states, match.played, None, gave_up=loser)
    costs: tuple[list[Fraction], ...] = tuple([m.cost for m in found.moves if m.seat is s] for s in SEATS)
    if loser is not None:
        costs[loser].append(chance(state, loser))
    stalled = [max(Fraction(0), chance(state, seat) - HALF) if match.stopped else 0 for seat in SEATS]
    first, second = (sum(costs[seat], Fraction(stalled[seat])) for seat in SEATS)
    return Score(
        winner=None if outcome is None else outcome.winner,
        moves=(len(costs[0]), len(costs[1])),
        regret=(first, second),
        accuracy=found.accuracy,
    )
