"""The tasks of puzzles, and their proven answers. A position without a clear answer is not a puzzle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ninefold.analysis import Choice, Result, evaluate
from ninefold.core.move import Move
from ninefold.core.puzzles import Task, Theme
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.games import load
from ninefold.players.sight import SightPolicy
from ninefold.study.facts import chance_of, gain_of

GRADES = range(1, 10)
SIGHTS = {n: SightPolicy(n) for n in GRADES}


@dataclass(frozen=True, slots=True)
class Margin:
    """The answer to `count`: who wins, and by how much."""

    winner: Seat
    by: int

    def __str__(self) -> str:
        return f"{self.winner} {self.by}"


@dataclass(frozen=True, slots=True)
class Mix:
    """An answer to `mix`: the moves that the mixture uses, in the order of the legal moves."""

    moves: tuple[Move, ...]

    def __str__(self) -> str:
        return " ".join(map(str, self.moves))


Answer = Move | Margin | Mix


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position that can be reached, what is asked about it, and the answer.

    `answers` are the accepted first moves; for `count`, the margin; for `mix`, the mixture. `solution` is
    best play from here: for `win`, up to the end of the game or a choice where several moves win; for
    `count`, to the end; for `mix`, nothing; else the answer alone. `chances` holds, for every n up to the
    grade, the chance that the player `sight:n` plays the whole solution. It is empty for tasks that are
    graded in another way.
    """

    game: str
    setup: Mapping[str, int | str] = field(hash=False)
    moves: tuple[Move, ...]
    seat: Seat
    task: Task
    answers: tuple[Answer, ...]
    solution: tuple[Move, ...]
    grade: int
    chances: Mapping[int, Fraction] = field(hash=False)
    themes: tuple[Theme, ...] = ()

    @property
    def state(self) -> State[Any]:
        game = load(self.game)
        return game.sequence(game.set_up(self.setup), self.moves)


@dataclass(frozen=True, slots=True)
class Proof:
    """What is proven about a task in a position; the fields are those of a `Puzzle`."""

    answers: tuple[Answer, ...]
    solution: tuple[Move, ...]
    grade: int
    chances: Mapping[int, Fraction] = field(default_factory=dict)


def solve_task(state: State[Any], seat: Seat, task: Task) -> Proof | None:
    """The answer for a seat that has to choose; None if this is not a puzzle of that kind."""
    return _SOLVERS[task](state, seat)


def _sort_moves(state: State[Any], seat: Seat, choices: Sequence[Choice]) -> tuple[Move, ...]:
    """The moves of some choices in the order of the legal moves."""
    found = [choice.move for choice in choices]
    return tuple(move for move in state.moves(seat) if move in found)


def only_moves(state: State[Any], seat: Seat, choices: Sequence[Choice]) -> tuple[Move, ...]:
    """The moves that keep the most of the chance to win, if they count as one move; else none."""
    best = max(chance_of(choice.value, seat) for choice in choices)
    keep = [choice for choice in choices if chance_of(choice.value, seat) == best]
    one = len({state.game.puzzles.same(choice.move) for choice in keep}) == 1
    return _sort_moves(state, seat, keep) if one else ()


def _win(state: State[Any], seat: Seat) -> Proof | None:
    solution: list[Move] = []
    answers: tuple[Move, ...] = ()
    chances = dict.fromkeys(GRADES, Fraction(1))
    while state.outcome is None:
        if seat in state.movers:
            choices = evaluate(state).choices_of(seat)
            if chance_of(choices[0].value, seat) != 1 or not (only := only_moves(state, seat, choices)):
                break
            if not answers and len(only) == len(choices):
                return None  # every move is right
            answers = answers or only
            for n in GRADES:
                played = SIGHTS[n].among(choices)
                chances[n] *= sum((played.get(move, Fraction(0)) for move in only), Fraction(0))
            moves = {seat: only[0]}
        else:
            moves = {}
        state, played_now = _play_reply(state, seat, moves)
        solution += played_now
    return _grade(answers, tuple(solution), chances) if answers else None


def _grade(
    answers: tuple[Move, ...], solution: tuple[Move, ...], chances: Mapping[int, Fraction]
) -> Proof | None:
    """The proof, graded by the least sight that plays the solution half of the time; else None."""
    grade = next((n for n in GRADES if chances[n] * 2 >= 1), None)
    if grade is None:
        return None
    return Proof(answers, solution, grade, {n: chances[n] for n in GRADES if n <= grade})


def _play_reply(
    state: State[Any], solver: Seat, chosen: dict[Seat, Move]
) -> tuple[State[Any], list[Move]]:
    """Play the solver's move, or the opponent's longest defense, or both if they choose in secret.

    Of equally long defenses, the first of the legal moves is played.
    """
    opponent = solver.other
    after = state
    if solver in chosen:
        after = state.after(chosen[solver], solver)
        if not state.secret:
            return after, [chosen[solver]]
    replies = after.moves(opponent)
    ends = [after.after(reply, opponent) for reply in replies]
    plies = [evaluate(end).plies or 0 for end in ends]
    k = plies.index(max(plies))
    moves = {**chosen, opponent: replies[k]}
    return ends[k], [moves[seat] for seat in state.movers]


def _save(state: State[Any], seat: Seat) -> Proof | None:
    if state.secret:
        return None
    choices = evaluate(state).choices_of(seat)
    best = chance_of(choices[0].value, seat)
    only = only_moves(state, seat, choices)
    if not 0 < best < 1 or not only or len(only) == len(choices):
        return None
    if choices[0].value.result is Result.MIXED:
        lost = best - max(chance_of(c.value, seat) for c in choices if c.move not in only)
        return Proof(only, only[:1], _closeness(lost))
    chances = {n: SIGHTS[n].among(choices).get(only[0], Fraction(0)) for n in GRADES}
    return _grade(only, only, chances)


def _closeness(lost: Fraction) -> int:
    """The grade of a choice where a mistake costs `lost`: the smallest n with 1/2**n <= lost, or 9."""
    return next((n for n in GRADES if lost * 2**n >= 1), GRADES[-1])


def _mix(state: State[Any], seat: Seat) -> Proof | None:
    if not state.secret or seat not in state.movers:
        return None
    found = evaluate(state)
    mine, theirs = ([c for c in found.choices_of(one) if c.best] for one in (seat, seat.other))
    size = len(state.moves(seat))
    if found.result is not Result.MIXED or len(mine) == size or not _unique(state, seat, mine, theirs):
        return None
    return Proof((Mix(_sort_moves(state, seat, mine)),), (), size + len(mine) - 2)


def _unique(state: State[Any], seat: Seat, mine: list[Choice], theirs: list[Choice]) -> bool:
    """Whether there is only one optimal mixture, given the moves that optimal mixtures use.

    Every optimal mixture makes the opponent's best replies equally good, which is a system of linear
    equations. Some optimal mixture uses all of these moves, so a small step from it toward any other
    solution is optimal too. Therefore the mixture is unique exactly if the equations have one solution.
    """
    rows = [[Fraction(1)] for _ in mine]
    for row, own in zip(rows, mine, strict=True):
        for reply in theirs:
            both = {seat: own.move, seat.other: reply.move}
            after = state
            for mover in state.movers:
                after = after.after(both[mover], mover)
            row.append(chance_of(evaluate(after).value, seat))
    return _rank(rows) == len(mine)


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


def _count(state: State[Any], seat: Seat) -> Proof | None:
    value = evaluate(state).value
    left = len(state.moves())
    if value.margin is None or left < 2:
        return None
    solution: list[Move] = []
    now = state
    while now.outcome is None:
        mover = now.movers[0]
        move = evaluate(now).choices[0].move
        solution.append(move)
        now = now.after(move, mover)
    winner = SEATS[value.result is Result.SECOND]
    return Proof((Margin(winner, abs(value.margin)),), tuple(solution), min(left, GRADES[-1]))


def _least(state: State[Any], seat: Seat) -> Proof | None:
    choices = evaluate(state).choices_of(seat)
    if choices[0].value.margin is None:
        return None
    winning = [choice for choice in choices if chance_of(choice.value, seat) == 1]
    sizes = sorted({gain_of(state, seat, choice.move) for choice in winning})
    if len(sizes) < 2 or len(winning) == len(choices):
        return None
    least = [choice for choice in winning if gain_of(state, seat, choice.move) == sizes[0]]
    answers = _sort_moves(state, seat, least)
    return Proof(answers, answers[:1], len(choices))


_SOLVERS = {Task.WIN: _win, Task.SAVE: _save, Task.MIX: _mix, Task.COUNT: _count, Task.LEAST: _least}
