"""The taking games, Number Grid Battle and Number Cross, solved: take the largest that is left.

The players take amounts in turn, the numbers of cells or the sums of lines, until none is left, and
the larger total wins. What one takes the other never gets, so each amount is worth the same to both,
and taking the largest is never worse than taking another. By the books, the second player wins equal
totals in both games, so the first player wins if and only if the final margin is positive. The clauses
of a variant may change who wins them, whose turn is which, and what the second player starts with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, permutations
from math import comb, factorial, perm
from typing import Any

from ninefold.analysis.evaluation import (
    Candidate,
    Evaluation,
    OnProgress,
    Result,
    Value,
    evaluate_finished,
    evaluate_moves,
    forced_win,
)
from ninefold.analysis.solve import Survey
from ninefold.analysis.solver import Solver
from ninefold.core.game import Game
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import Setup
from ninefold.games.battle.rules import Battle
from ninefold.games.cross.rules import LINES, Cross


def evaluate(state: Battle | Cross, progress: OnProgress | None = None) -> Evaluation:
    """The exact evaluation of a position, with the margin that both sides play for."""
    totals, left = _read(state)
    lead = totals[0] - totals[1]
    if state.outcome is not None:
        return evaluate_finished(state.outcome.winner, lead)
    (seat,) = state.movers
    candidates = []
    for move, amount in zip(state.moves(), left, strict=True):
        others = list(left)
        others.remove(amount)
        value = _value(state, others, lead - amount if seat else lead + amount, seat.other)
        candidates.append(Candidate(seat, move, value))
    return evaluate_moves(candidates)


def _read(state: Battle | Cross) -> tuple[tuple[int, int], list[int]]:
    """The totals so far, and the amounts left in the order of the moves."""
    return _read_battle(state) if isinstance(state, Battle) else _read_cross(state)


def _read_battle(state: Battle) -> tuple[tuple[int, int], list[int]]:
    return state.points, [int(state.grid[move.cell]) for move in state.moves()]


def _read_cross(state: Cross) -> tuple[tuple[int, int], list[int]]:
    sums, claimed = _line_sums(state.grid), state.claimed
    first, second = [sum([sums[line] for line in state.lines_of(seat)]) for seat in SEATS]
    left = [amount for line, amount in enumerate(sums) if line not in claimed]
    return (first, second + state.clauses.head_start), left


@lru_cache(maxsize=1024)
def _line_sums(grid: str) -> tuple[int, ...]:
    numbers = [*map(int, grid)]
    return tuple([sum([numbers[cell] for cell in line.cells]) for line in LINES])


def margin(left: Iterable[int], seat: Seat) -> int:
    """What the first player gains on the second in best play for these amounts, `seat` to take."""
    amounts = sorted(left, reverse=True)
    gain = sum(amounts[0::2]) - sum(amounts[1::2])
    return -gain if seat else gain


def _value(state: Battle | Cross, left: list[int], lead: int, seat: Seat) -> Value:
    """The value once these amounts are left, with this lead of the first player's.

    In any order of turns, taking the largest is never worse than taking another. `seat` takes the next
    one, unless the clauses have an order of their own.
    """
    order = state.clauses.order
    if not order:
        return _final(lead + margin(left, seat), len(left), state.tie)
    for amount, taker in zip(sorted(left, reverse=True), order[len(order) - len(left) :], strict=True):
        lead += -amount if taker else amount
    return _final(lead, len(left), state.tie)


@cache
def _final(margin: int, plies: int, tie: Seat) -> Value:
    """The value of a game that ends with this margin; an even one is won by `tie`."""
    return forced_win(SEATS[margin < 0] if margin else tie, plies, margin)


def count_positions(start: Battle | Cross) -> int:
    """How many positions one grid has, in whatever order the moves were made.

    They differ in which things have been taken, and by whom.
    """
    things = len(start.moves())
    turns = start.turns or SEATS * things
    return sum(
        comb(things, taken) * comb(taken, turns[:taken].count(Seat.FIRST)) for taken in range(things + 1)
    )


def survey(game: Game) -> Survey:
    """A taking game over all the ways to lay out its grid (see `deals`)."""
    values: Counter[Value] = Counter()
    for deal, count in deals(game, {}):
        start: Any = game.set_up(deal)
        totals, left = _read(start)
        values[_value(start, left, totals[0] - totals[1], Seat.FIRST)] += count
    margins: Counter[int] = Counter()
    for value, count in values.items():
        margins[value.margin or 0] += count
    first = sum(count for value, count in values.items() if value.result is Result.FIRST)
    same = next(iter(values)) if len(values) == 1 else None
    positions, plies = count_positions(start), len(left)
    return Survey(values.total(), Fraction(first), dict(sorted(margins.items())), positions, same, plies)


def deals(game: Game, given: Setup) -> Iterable[tuple[Setup, int]]:
    """Grids that stand for all. In battle, where a number lies does not matter, so one does."""
    if given:
        return [(given, 1)]
    if "battle" in (game.slug, game.base):
        return [({"grid": "123456789"}, factorial(9))]
    return (({"grid": grid}, 72) for grid in _cross_grids())


def _cross_grids() -> Iterator[str]:
    """Grids of cross that stand for 72 each. Only the six sums matter.

    Rows may change places with rows, columns with columns, and rows with columns (6 * 6 * 2). So
    1 can be brought to the corner, b < c and d < e into order, and then b < d:

        1 b c
        d . .     any order of the last four
        e . .
    """
    for b, c in combinations(range(2, 10), 2):
        others = [n for n in range(2, 10) if n not in (b, c)]
        for d, e in combinations(others, 2):
            if b < d:
                for v, w, x, y in permutations([n for n in others if n not in (d, e)]):
                    yield f"1{b}{c}{d}{v}{w}{e}{x}{y}"


def same(state: Battle | Cross) -> tuple[object, ...]:
    """A key that positions share if amounts left, lead and the rules for the rest are the same."""
    totals, left = _read(state)
    return (state.turns, state.tie, tuple(sorted(left)), totals[0] - totals[1])


def count_asked(start: Battle | Cross) -> int:
    """How many positions one grid has. Those of cross remember in which order lines were claimed."""
    if isinstance(start, Battle):
        return count_positions(start)
    left = len(start.moves())
    return sum(perm(left, claimed) for claimed in range(left + 1))


SOLVER = Solver(evaluate, count_positions, survey=survey, count_asked=count_asked, same=same, deals=deals)
