"""Grid Conquest, solved: every challenge is a matrix game over the positions that may follow it.

Which cells are whose does not matter, only how many, so each size has a few thousand positions. All
values are about the first player. The rows of every matrix are the first player's numbers and the
columns the second player's, whoever challenges. `secret` says what the values of the numbers mean.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb, isqrt
from typing import Any, NamedTuple

from ninefold.analysis import secret
from ninefold.analysis.evaluation import (
    NEVER,
    Candidate,
    Evaluation,
    OnProgress,
    Result,
    Value,
    Worth,
    back_up,
    evaluate_finished,
    evaluate_moves,
    forced_win,
    rank,
    worth,
)
from ninefold.analysis.solver import Solver
from ninefold.core.seat import SEATS, Seat
from ninefold.games.conquest.rules import BIDS, Challenge, Conquest, ConquestClauses

Hand = tuple[int, ...]
FIRST, SECOND = SEATS
BOOK = ConquestClauses()


class Position(NamedTuple):
    """What matters between two turns: how many cells each seat has, the numbers left, and the turn."""

    empty: int
    cells: tuple[int, int]  # by seat
    hands: tuple[Hand, Hand]  # by seat, equally long
    turn: Seat
    cells_alone: bool = False  # sudden death has begun
    clauses: ConquestClauses = BOOK


def evaluate(state: Conquest, progress: OnProgress | None = None) -> Evaluation:
    """The exact evaluation of a position.

    While a challenge is open the choices are the bids of both seats, the challenger's first, even
    if one of them has been made: nothing here depends on a secret bid.
    """
    if state.outcome is not None:
        return evaluate_finished(state.outcome.winner)
    count = state.owners.count
    cells = (count(FIRST), count(SECOND))
    position = Position(count(None), cells, state.hands, state.turn, state.cells_alone, state.clauses)
    if state.challenged is not None:
        both = (state.turn, state.turn.other)
        candidates = [candidate for seat in both for candidate in _bid_candidates(position, seat)]
        return Evaluation(_challenge(position).value, rank(candidates))
    moves = state.moves()
    values = {
        kind: _challenge(position).value if kind is Challenge else _value(_after_claim(position))
        for kind in {type(move) for move in moves}
    }
    return evaluate_moves([Candidate(state.turn, move, values[type(move)]) for move in moves])


def count_positions(start: Conquest) -> int:
    """How many positions a size has, counting boards with the same numbers of cells as one."""
    return len(every_position(start.size, start.clauses))


def count_asked(start: Conquest) -> int:
    """How many positions a size has, whichever cells are whose: between turns, and in challenges."""
    positions = every_position(start.size, start.clauses)
    challenges = {
        p._replace(cells_alone=False): p.cells[p.turn.other] for p in positions if _can_challenge(p)
    }
    return sum(map(_count_boards, positions)) + sum(
        _count_boards(position) * cells for position, cells in challenges.items()
    )


def _count_boards(position: Position) -> int:
    """In how many ways the cells can be whose they are."""
    first, second = position.cells
    return comb(first + second + position.empty, first) * comb(second + position.empty, second)


def same(state: Conquest) -> tuple[Any, ...]:
    """A key that positions share which differ only in which cells are whose, with the same rules."""
    count = state.owners.count
    secret = (state.challenged is None, state.bids)
    clauses = (state.clauses.ties_take, state.turns)
    held = (state.size, count(FIRST), count(SECOND), state.hands, state.turn, state.cells_alone)
    return (*held, *secret, *clauses)


@dataclass(frozen=True, slots=True)
class Census:
    """All positions of a size, counting boards with the same numbers of cells as one."""

    value: Value  # at the start
    positions: int  # between two turns, finished games included
    results: Mapping[Result, int]  # how many of them each result has
    challenges: int  # positions with a challenge declared
    certified: int  # of these, how many have mixtures proven to guarantee the value


def census(size: int, clauses: ConquestClauses = BOOK) -> Census:
    """Solve every position of a size that the rules can reach, and check every challenge."""
    seen = every_position(size, clauses)
    challenges = [position for position in seen if _can_challenge(position)]
    certified = sum(map(_is_certified, challenges))
    counts = Counter(_value(position).result for position in seen)
    results = {result: counts[result] for result in Result if counts[result]}
    return Census(_value(_start(size, clauses)), len(seen), results, len(challenges), certified)


def every_position(size: int, clauses: ConquestClauses = BOOK) -> tuple[Position, ...]:
    """All positions of a size that the rules can reach, between two turns."""
    seen = dict.fromkeys([_start(size, clauses)])
    waiting = [*seen]
    while waiting:
        for later in _successors(waiting.pop()):
            if later not in seen:
                seen[later] = None
                waiting.append(later)
    return tuple(seen)


class Worths(NamedTuple):
    """What the choices in a position are worth, each to the seat that makes it."""

    claim: Worth | None  # None if there is no empty cell
    challenge: Worth | None  # None if no challenge is possible
    bids: tuple[dict[int, Worth], dict[int, Worth]]  # by seat and number, in a challenge
    mixes: tuple[dict[int, Fraction], dict[int, Fraction]]  # the bids' probabilities in the mixtures


def find_worths(position: Position) -> Worths:
    """What a claim and a challenge are worth to the seat to move, and each number in the challenge."""
    turn = position.turn
    found = Worths(None, None, ({}, {}), ({}, {}))
    if position.empty:
        found = found._replace(claim=worth(_value(_after_claim(position)), turn))
    if _can_challenge(position):
        found = found._replace(challenge=worth(_challenge(position).value, turn))
        for seat in SEATS:
            for candidate in _bid_candidates(position, seat):
                found.bids[seat][candidate.move.number] = worth(candidate.value, seat)
                found.mixes[seat][candidate.move.number] = candidate.mix or NEVER
    return found


def _start(size: int, clauses: ConquestClauses) -> Position:
    return Position(size**2, (0, 0), clauses.hands, FIRST, clauses=clauses)


def _is_certified(position: Position) -> bool:
    return secret.is_certified(_bid_values(position), _challenge(position))


# Positions


def _winner(position: Position) -> Seat | None:
    """Who has won on a full board, according to the rules themselves."""
    owners = (FIRST,) * position.cells[0] + (SECOND,) * position.cells[1]
    state = Conquest(
        isqrt(len(owners)),
        owners,
        position.hands,
        position.turn,
        cells_alone=position.cells_alone,
    )
    return None if state.outcome is None else state.outcome.winner


def _can_challenge(position: Position) -> bool:
    if not position.hands[position.turn] or not position.cells[position.turn.other]:
        return False
    return position.empty > 0 or _winner(position) is None


def _after_claim(position: Position) -> Position:
    empty, (first, second), hands, turn, _, clauses = position
    cells = (first, second + 1) if turn else (first + 1, second)
    return Position(empty - 1, cells, hands, _after_turn(position), False, clauses)


def _after_turn(position: Position) -> Seat:
    spent = len(position.clauses.hands[0]) - len(position.hands[0])
    return position.clauses.after_turn(position.turn, sum(position.cells) + spent + 1)


def _after_bids(position: Position) -> list[list[Position]]:
    """The positions after a challenge, a row for each number of the first player's."""
    empty, (first, second), (rows, columns), turn, _, clauses = position
    ties, later = clauses.ties_take, _after_turn(position)
    full = empty == 0
    kept = (first, second)
    taken = (first - 1, second + 1) if turn else (first + 1, second - 1)
    left = [(number, tuple([n for n in columns if n != number])) for number in columns]
    return [
        [
            Position(
                empty,
                taken if (b > a if turn else a > b) or (ties and a == b) else kept,
                (hand, other),
                later,
                full,
                clauses,
            )
            for b, other in left
        ]
        for a in rows
        for hand in [tuple([n for n in rows if n != a])]
    ]


def _successors(position: Position) -> Iterator[Position]:
    if position.empty:
        yield _after_claim(position)
    if _can_challenge(position):
        for row in _after_bids(position):
            yield from row


# Values


@cache
def _value(position: Position) -> Value:
    """The value between two turns: that of the better of a claim and a challenge."""
    values = []
    if position.empty:
        values.append(_value(_after_claim(position)))
    elif (winner := _winner(position)) is not None:
        return forced_win(winner, 0)
    if _can_challenge(position):
        values.append(_challenge(position).value)
    return back_up(max(values, key=lambda value: worth(value, position.turn)))


def _bid_values(position: Position) -> list[list[Value]]:
    """The values after a challenge, a row for each number of the first player's."""
    return [[_value(later) for later in row] for row in _after_bids(position)]


@cache
def _challenge(position: Position) -> secret.Equilibrium:
    """The equilibrium of a declared challenge."""
    return secret.solve(_bid_values(position))


@cache
def _least_chances(position: Position) -> secret.Least:
    return secret.least_chances(_bid_values(position))


def _bid_candidates(position: Position, seat: Seat) -> list[Candidate]:
    """A seat's numbers in a declared challenge, each with its value."""
    found = _challenge(position)
    least = _least_chances(position) if found.value.result is Result.MIXED else None
    values = secret.values_of(_bid_values(position), found, seat, least)
    return [
        Candidate(seat, BIDS[number], back_up(value), part)
        for number, value, part in zip(position.hands[seat], values, found.mixes[seat], strict=True)
    ]


SOLVER = Solver(evaluate, count_positions, count_asked=count_asked, same=same)
