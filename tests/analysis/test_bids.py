"""What a number is worth in a challenge that chance decides: one value, whichever mixture is found.

Every such challenge is checked against the corners of the opponent's optimal mixtures, which are found
by trying all supports (see `corners`).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import lcm
from operator import mul
from random import Random
from typing import NamedTuple

import pytest

from ninefold import SEATS, Seat
from ninefold.analysis import Choice, Result, Value, evaluate
from ninefold.analysis.matrix import least_payoffs, solve
from ninefold.games.conquest.rules import Challenge, Claim, Conquest

from .corners import Game, optimal_corners, payoff
from .test_conquest import after_bids, choices_of, sort_cells, start

FIRST, SECOND = SEATS


def to_seat(chance: Fraction | None, seat: Seat) -> Fraction:
    """Turn the first player's chance into the seat's, or back."""
    assert chance is not None
    return 1 - chance if seat else chance


class Mixed(NamedTuple):
    """A challenge that chance decides, with the value after each pair of numbers."""

    state: Conquest
    after: tuple[tuple[Value, ...], ...]  # a row for each number of the first player's

    def game(self, seat: Seat) -> Game:
        """The seat's chances, its own numbers as the rows."""
        return tuple(
            tuple(to_seat(value.first_wins, seat) for value in line) for line in self.replies(seat)
        )

    def replies(self, seat: Seat) -> tuple[tuple[Value, ...], ...]:
        """The values after each of the seat's numbers, by the opponent's."""
        return tuple(zip(*self.after, strict=True)) if seat else self.after

    def choices(self, seat: Seat) -> list[Choice]:
        """The seat's choices in the order of its hand."""
        return sorted(choices_of(evaluate(self.state), seat), key=lambda choice: choice.move.number)


@cache
def mixed_challenges(size: int) -> tuple[Mixed, ...]:
    return tuple(_mixed_challenges(size))


def _mixed_challenges(size: int) -> Iterator[Mixed]:
    """All of them, counting boards with the same numbers of cells as one."""
    seen = {start(size)}
    waiting = list(seen)
    while waiting:
        state = waiting.pop()
        later = []
        moves = state.moves()
        if claim := next((move for move in moves if isinstance(move, Claim)), None):
            later.append(state.after(claim, state.turn))
        if challenge := next((move for move in moves if isinstance(move, Challenge)), None):
            open_state = state.after(challenge, state.turn)
            rows = [[after_bids(open_state, a, b) for b in state.hands[1]] for a in state.hands[0]]
            later += [one for row in rows for one in row]
            if evaluate(open_state).result is Result.MIXED:
                yield Mixed(open_state, tuple(tuple(evaluate(one).value for one in row) for row in rows))
        for one in map(sort_cells, later):
            if one not in seen and one.outcome is None:
                seen.add(one)
                waiting.append(one)


@pytest.mark.parametrize(
    ("size", "challenges", "challenger", "defender"),
    [(2, 330, 61, 95), (3, 763, 138, 165), pytest.param(4, 1902, 181, 395, marks=pytest.mark.long)],
)
def test_a_number_is_worth_the_least_it_brings_against_any_optimal_mixture(
    size: int, challenges: int, challenger: int, defender: int
) -> None:
    several = {True: 0, False: 0}  # by whether a seat challenges: how often it has more than one mixture
    lost_for_sure = 0
    for one in mixed_challenges(size):
        value = evaluate(one.state).value
        corners = [optimal_corners(one.game(seat), to_seat(value.first_wins, seat)) for seat in SEATS]
        for seat in SEATS:
            several[seat is one.state.turn] += len(corners[seat]) > 1
            used, met = (
                [any(parts) for parts in zip(*corners[who], strict=True)] for who in (seat, seat.other)
            )
            game = one.game(seat)
            for k, choice in enumerate(one.choices(seat)):
                chance = min(payoff(mixture, game[k]) for mixture in corners[seat.other])
                assert choice.value.first_wins == to_seat(chance, seat)
                assert choice.best == used[k] == (choice.value == value)
                replies = zip(one.replies(seat)[k], game[k], met, strict=True)
                lost = [reply.plies or 0 for reply, wins, is_met in replies if is_met and not wins]
                assert choice.value.plies == (None if chance else max(lost) + 1)
                lost_for_sure += not chance
    assert lost_for_sure
    assert (len(mixed_challenges(size)), *several.values()) == (challenges, challenger, defender)


@pytest.mark.parametrize("size", [2, 3, pytest.param(4, marks=pytest.mark.long)])
def test_the_value_of_a_number_is_the_same_in_any_order_of_the_numbers(size: int) -> None:
    """Another order leads the simplex method another way, often to other mixtures."""
    rng = Random(size)
    depends = 0
    for one in mixed_challenges(size):
        for seat in SEATS:
            game = one.game(seat)
            unit = lcm(*(entry.denominator for row in game for entry in row))
            wanted = [to_seat(choice.value.first_wins, seat) for choice in one.choices(seat)]
            rows, columns = (rng.sample(range(len(game)), len(game)) for _ in SEATS)
            mixed_up = [[int(game[i][j] * unit) for j in columns] for i in rows]
            assert [brought / unit for brought in least_payoffs(mixed_up)] == [wanted[i] for i in rows]
            found = solve(mixed_up)
            expected = [Fraction(sum(map(mul, row, found.columns)), found.total) for row in mixed_up]
            depends += expected != [wanted[i] * unit for i in rows]
    assert depends > 10
