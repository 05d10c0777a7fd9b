"""Secret choices, solved: both seats choose at once, and every pair of choices has a value.

All values are about the first player. The rows of a table of values are the first player's choices and
the columns the second player's, so no table is ever transposed or negated.

"The winner hurries and the loser delays" has to be spelled out here. Where one side can force the win, it
has a *safe choice*: one that wins against every reply. `plies` is counted as if the winner made a safe
choice openly and the loser then replied: for each safe choice the longest game the loser can make of it,
and of these the shortest. Both mixtures are then pure: the winner's is the first safe choice with the
shortest such game, the loser's the first reply that delays it longest. Two players who follow them take
exactly that many moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from ninefold.analysis import matrix
from ninefold.analysis.evaluation import ALWAYS, NEVER, Result, Value, forced_win, worth
from ninefold.core.seat import SEATS, Seat

FIRST, SECOND = SEATS
FORCES = {FIRST: Result.FIRST, SECOND: Result.SECOND}

Table = Sequence[Sequence[Value]]  # a row for each choice of the first player, a column for the second's


class Equilibrium(NamedTuple):
    """The value of a secret choice before it is made, and an optimal mixture for each seat."""

    value: Value
    mixes: tuple[tuple[Fraction, ...], tuple[Fraction, ...]]  # by seat, along its choices


def solve(table: Table) -> Equilibrium:
    """The equilibrium of a secret choice: pure if one side has a safe choice, else mixed."""
    for winner, lines in ((FIRST, table), (SECOND, list(zip(*table, strict=True)))):
        longest = [
            (max([value.plies or 0 for value in line]), choice)
            for choice, line in enumerate(lines)
            if all(value.result is FORCES[winner] for value in line)
        ]
        if longest:
            plies, choice = min(longest)
            reply = [value.plies for value in lines[choice]].index(plies)
            safe, delaying = _pure(choice, len(lines)), _pure(reply, len(lines[0]))
            return Equilibrium(
                forced_win(winner, plies + 2), (delaying, safe) if winner else (safe, delaying)
            )
    entries, unit = _to_integers(table)
    found = matrix.solve(entries)
    value = Value(Result.MIXED, Fraction(found.value, found.total * unit))
    first, second = (
        tuple([Fraction(weight, found.total) for weight in weights])
        for weights in (found.rows, found.columns)
    )
    return Equilibrium(value, (first, second))


class Least(NamedTuple):
    """By seat and choice: the first player's chance against the optimal mixture that hurts it most.

    That is, of all optimal mixtures of the opponent, the one that is worst for this seat's choice.
    """

    first: tuple[Fraction, ...]
    second: tuple[Fraction, ...]


def least_chances(table: Table) -> Least:
    entries, unit = _to_integers(table)
    swapped = [[-entry for entry in column] for column in zip(*entries, strict=True)]
    first, second = matrix.least_payoffs(entries), matrix.least_payoffs(swapped)
    return Least(tuple([payoff / unit for payoff in first]), tuple([-payoff / unit for payoff in second]))


def values_of(table: Table, found: Equilibrium, seat: Seat, least: Least | None = None) -> list[Value]:
    """The values of a seat's choices, once both have chosen.

    Where chance decides, the value is the least that the choice earns against any optimal mixture of the
    opponent. If the seat can force a win, every mixture of the opponent is optimal, so the value is
    what the best reply leaves: only the safe choices keep the win. If the opponent can force a win, the
    value is what the opponent's safe choice leaves. `least` can be given if it is known.
    """
    lines: list[Sequence[Value]] = list(zip(*table, strict=True)) if seat else list(table)
    if found.value.result is FORCES[seat]:
        return [min(line, key=lambda value: worth(value, seat)) for line in lines]
    if found.value.result is FORCES[seat.other]:
        safe = found.mixes[seat.other].index(ALWAYS)
        return [line[safe] for line in lines]
    least = least or least_chances(table)
    used = [chance == found.value.first_wins for chance in least[seat.other]]
    return [
        _value_of_chance(chance, [value for value, plays in zip(line, used, strict=True) if plays])
        for chance, line in zip(least[seat], lines, strict=True)
    ]


def _value_of_chance(first_wins: Fraction, line: Sequence[Value]) -> Value:
    """The value of a choice with this chance; one that is sure to lose loses as late as it can.

    `line` has the values against the replies that optimal mixtures use.
    """
    if NEVER < first_wins < ALWAYS:
        return Value(Result.MIXED, first_wins)
    lost = [value for value in line if value.first_wins == first_wins]
    return max(lost, key=lambda value: value.plies or 0)


def is_certified(table: Table, found: Equilibrium) -> bool:
    """Whether both mixtures are proven to guarantee the value, in integers (see matrix.certificate)."""
    value, (first, second) = found
    entries, unit = _to_integers(table)
    total = lcm(*[part.denominator for part in (*first, *second)])
    scaled = _chance(value) * unit * total
    rows, columns = (tuple([int(part * total) for part in mix]) for mix in (first, second))
    solution = matrix.Solution(scaled.numerator, total, rows, columns)
    return scaled.denominator == 1 and matrix.certificate(entries, solution)


def _to_integers(table: Table) -> tuple[list[list[int]], int]:
    """The chances as integers over a common denominator, which is the second value returned."""
    chances = [[_chance(value) for value in row] for row in table]
    unit = lcm(*[chance.denominator for row in chances for chance in row])
    return [[c.numerator * (unit // c.denominator) for c in row] for row in chances], unit


def _chance(value: Value) -> Fraction:
    assert value.first_wins is not None, "a game with secret choices has to come to an end"
    return value.first_wins


def _pure(choice: int, count: int) -> tuple[Fraction, ...]:
    return tuple([ALWAYS if k == choice else NEVER for k in range(count)])
