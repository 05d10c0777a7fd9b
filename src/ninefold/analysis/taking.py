"""The taking games, Number Grid Battle and Number Cross, solved: take the largest that is left.

The players take amounts in turn, the numbers of cells or the sums of lines, until none is left, and
the larger total wins. What one takes the other never gets, so each amount is worth the same to both,
and taking the largest is never worse than taking another. In both games the second player wins equal
totals, so the first player wins if and only if the final margin is positive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, permutations
from math import comb, factorial

from ninefold.analysis.evaluation import (
    Candidate,
    Evaluation,
    OnProgress,
    Value,
    evaluate_finished,
    evaluate_moves,
    forced_win,
)
from ninefold.analysis.solve import Survey
from ninefold.analysis.solver import Solver
from ninefold.core.game import Game
from ninefold.core.seat import SEATS, Seat
from ninefold.games.battle.rules import Battle
from ninefold.games.cross.rules import LINES, Cross


def evaluate(state: Battle | Cross, progress: OnProgress | None = None) -> Evaluation:
    """The exact evaluation of a position, with the margin that both sides play for."""
    totals, left = _read_battle(state) if isinstance(state, Battle) else _read_cross(state)
    lead = totals[0] - totals[1]
    if state.outcome is not None:
        return evaluate_finished(state.outcome.winner, lead)
    (seat,) = state.movers
    candidates = []
    for move, amount in zip(state.moves(), left, strict=True):
        others = list(left)
        others.remove(amount)
        value = _value(others, lead - amount if seat else lead + amount, seat.other)
        candidates.append(Candidate(seat, move, value))
    return evaluate_moves(candidates)


def _read_battle(state: Battle) -> tuple[tuple[int, int], list[int]]:
    """The totals so far, and the numbers left in the order of the moves."""
    return state.points, [int(state.grid[move.cell]) for move in state.moves()]


def _read_cross(state: Cross) -> tuple[tuple[int, int], list[int]]:
    """The totals so far, and the sums left in the order of the moves."""
    return state.sums.totals, [sum(state.numbers(move.line)) for move in state.moves()]


def margin(left: Iterable[int], seat: Seat) -> int:
    """What the first player gains on the second in best play for these amounts, `seat` to take."""
    amounts = sorted(left, reverse=True)
    gain = sum(amounts[0::2]) - sum(amounts[1::2])
    return -gain if seat else gain


def _value(left: Iterable[int], lead: int, seat: Seat) -> Value:
    amounts = list(left)
    final = lead + margin(amounts, seat)
    return forced_win(SEATS[final <= 0], len(amounts), final)


def count_positions(start: Battle | Cross) -> int:
    """How many positions one grid has, in whatever order the moves were made."""
    return _count_splits(len(start.moves()))


def survey(game: Game) -> Survey:
    """A taking game over all the ways to lay out its grid."""
    return survey_battle() if game.slug == "battle" else survey_cross()


def survey_battle() -> Survey:
    """All grids of battle. Where a number lies does not matter, so all have the same value."""
    grids = factorial(9)
    final = margin(range(1, 10), Seat.FIRST)
    first = Fraction(grids if final > 0 else 0)
    value = _value(range(1, 10), 0, Seat.FIRST)
    return Survey(grids, first, {final: grids}, _count_splits(9), value, value.plies)


def survey_cross() -> Survey:
    """All grids of cross. Only the six sums matter, and 72 grids at a time have the same ones.

    Rows may change places with rows, columns with columns, and rows with columns (6 * 6 * 2). So
    1 can be brought to the corner, b < c and d < e into order, and then b < d:

        1 b c
        d . .     any order of the last four
        e . .
    """
    counts: Counter[int] = Counter()
    for b, c in combinations(range(2, 10), 2):
        others = [n for n in range(2, 10) if n not in (b, c)]
        for d, e in combinations(others, 2):
            if b < d:
                for v, w, x, y in permutations([n for n in others if n not in (d, e)]):
                    sums = (1 + b + c, d + v + w, e + x + y, 1 + d + e, b + v + x, c + w + y)
                    counts[margin(sums, Seat.FIRST)] += 72
    margins = dict(sorted(counts.items()))
    first = Fraction(sum(count for final, count in margins.items() if final > 0))
    return Survey(sum(margins.values()), first, margins, _count_splits(len(LINES)), plies=len(LINES))


def _count_splits(things: int) -> int:
    """In how many ways some of the things can have been taken in turn: which ones, and by whom."""
    return sum(comb(things, taken) * comb(taken, taken // 2) for taken in range(things + 1))


SOLVER = Solver(evaluate, count_positions, survey=survey)
