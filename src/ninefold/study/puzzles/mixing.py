"""The tasks of games with secret choices: `mix`, `shares`, `chance` and `kind`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

from ninefold.analysis import Choice, Result, evaluate
from ninefold.core.move import Move
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.study.facts import chance_of
from ninefold.study.puzzles.deciding import in_order
from ninefold.study.puzzles.tasks import EITHER, GRADES, POINT, Amount, Mix, Pick, Posed, Proof

MIXTURES = 3  # to choose from
TELLING = 3 * POINT  # how much less a wrong mixture guarantees, at least
STEP = 10  # percent
LETTERS = "abc"


def _grade(state: State[Any]) -> int:
    """Half the number of moves that the game can still take, two secret choices counted as one."""
    left = state.longest(together=True)
    return min(max((len(state.moves()) if left is None else left) // 2, GRADES[0]), GRADES[-1])


def _mixed(posed: Posed) -> bool:
    """Whether the solver chooses in secret, and chance decides."""
    return posed.state.secret and evaluate(posed.state).result is Result.MIXED


def _used(state: State[Any], seat: Seat) -> list[Choice]:
    """The choices that some optimal mixture of a seat uses."""
    return [choice for choice in evaluate(state).choices_of(seat) if choice.best]


def prove_mix(posed: Posed) -> Proof | None:
    """There is only one optimal mixture, and it leaves something out."""
    state, seat = posed.state, posed.seat
    if not _mixed(posed):
        return None
    mine = _used(state, seat)
    if len(mine) == len(state.moves(seat)) or not _unique(state, seat, mine):
        return None
    return Proof((Mix(in_order(state, seat, mine)),), (), _grade(state))


def _payoffs(
    state: State[Any], seat: Seat, own: Sequence[Move], replies: Sequence[Move]
) -> list[list[Fraction]]:
    """The seat's chance to win for each of its choices, by each reply."""
    rows = []
    for move in own:
        row = []
        for reply in replies:
            both = {seat: move, seat.other: reply}
            row.append(chance_of(evaluate(_after(state, both)).value, seat))
        rows.append(row)
    return rows


def _after(state: State[Any], choices: Mapping[Seat, Move]) -> State[Any]:
    for mover in state.movers:
        state = state.after(choices[mover], mover)
    return state


def _unique(state: State[Any], seat: Seat, mine: Sequence[Choice]) -> bool:
    """Whether there is only one optimal mixture, given the moves that optimal mixtures use.

    Every optimal mixture makes the opponent's best replies equally good, which is a system of linear
    equations. Some optimal mixture uses all of these moves, so a small step from it toward any other
    solution is optimal too. Therefore the mixture is unique exactly if the equations have one solution.
    """
    theirs = [choice.move for choice in _used(state, seat.other)]
    rows = _payoffs(state, seat, [choice.move for choice in mine], theirs)
    return _rank([[Fraction(1), *row] for row in rows]) == len(mine)


def _rank(rows: list[list[Fraction]]) -> int:
    """The rank of a matrix, by elimination."""
    rank = 0
    for column in range(len(rows[0])):
        pivot = next((row for row in rows[rank:] if row[column]), None)
        if pivot is None:
            continue
        rows.remove(pivot)
        rows.insert(rank, pivot)
        for k in range(rank + 1, len(rows)):
            factor = rows[k][column] / pivot[column]
            rows[k] = [a - factor * b for a, b in zip(rows[k], pivot, strict=True)]
        rank += 1
        if rank == len(rows):
            break
    return rank


def prove_shares(posed: Posed) -> Proof | None:
    """One of three mixtures is optimal. The others give the same shares to other numbers."""
    state, seat, rng = posed.state, posed.seat, posed.rng
    if not _mixed(posed):
        return None
    choices = evaluate(state).choices_of(seat)
    own = state.moves(seat)
    right = tuple(next(c.mix or Fraction(0) for c in choices if c.move == move) for move in own)
    rows = _payoffs(state, seat, own, state.moves(seat.other))
    best = chance_of(evaluate(state).value, seat)
    others = [
        shares
        for shares in sorted(set(permutations(right)))
        if best - _guarantee(rows, shares) >= TELLING
    ]
    if len(others) < MIXTURES - 1 or max(right) == 1:
        return None
    listed = [right, *rng.sample(others, MIXTURES - 1)]
    rng.shuffle(listed)
    options = tuple(
        Pick(letter, tuple((move, part) for move, part in zip(own, shares, strict=True) if part))
        for letter, shares in zip(LETTERS, listed, strict=True)
    )
    return Proof((options[listed.index(right)],), (), _grade(state), options=options)


def _guarantee(rows: Sequence[Sequence[Fraction]], shares: Sequence[Fraction]) -> Fraction:
    """The chance to win that a mixture brings against the reply that hurts it most."""
    return min(
        sum((part * row[k] for part, row in zip(shares, rows, strict=True)), Fraction(0))
        for k in range(len(rows[0]))
    )


def guarantee(state: State[Any], seat: Seat, option: Pick) -> Fraction:
    """The chance to win that the mixture of an option guarantees a seat."""
    moves, shares = zip(*option.shares, strict=True)
    return _guarantee(_payoffs(state, seat, moves, state.moves(seat.other)), shares)


def prove_chance(posed: Posed) -> Proof | None:
    """The chance is a point or more away from where it would be rounded to another ten percent."""
    state, seat = posed.state, posed.seat
    if evaluate(state).result is not Result.MIXED:
        return None
    percent = 100 * chance_of(evaluate(state).value, seat)
    nearest = round(percent / STEP) * STEP
    if abs(percent - nearest) > Fraction(STEP, 2) - 1:
        return None
    return Proof((Amount(nearest),), (), _grade(state))


def prove_kind(posed: Posed) -> Proof | None:
    """One of two kinds of moves is better, by a point or more, or both are equal and chance decides."""
    state, seat = posed.state, posed.seat
    if state.secret:
        return None
    by_kind: dict[str, list[Choice]] = {}
    for choice in evaluate(state).choices_of(seat):
        by_kind.setdefault(kind_of(choice.move), []).append(choice)
    if len(by_kind) != 2:
        return None
    chances = {kind: chance_of(found[0].value, seat) for kind, found in by_kind.items()}
    (better, most), (_, least) = sorted(chances.items(), key=lambda pair: -pair[1])
    if most - least < POINT and (most != least or most in (0, 1)):
        return None
    answer = EITHER if most == least else Pick(better)
    move = by_kind[better][0].move
    options = (*map(Pick, sorted(by_kind)), EITHER)
    return Proof((answer,), (move,), _grade(state), options=options)


def kind_of(move: Move) -> str:
    """`claim`, `challenge`: what kind of move it is."""
    return type(move).__name__.lower()
