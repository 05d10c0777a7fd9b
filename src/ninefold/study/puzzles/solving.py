"""Checks answers to a puzzle: right, right so far, or wrong, with the refutation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ninefold.analysis import evaluate
from ninefold.analysis.evaluation import worth
from ninefold.core.errors import NinefoldError, quote
from ninefold.core.move import Move
from ninefold.core.puzzles import Task
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.core.words import comma_list
from ninefold.study.facts import chance_of
from ninefold.study.puzzles.tasks import Answer, Margin, Mix, Puzzle

MOST = 8  # moves in a refutation


class Verdict(StrEnum):
    OPEN = "open"  # all answers so far are right, and more are needed
    SOLVED = "solved"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Trial:
    """Answers to a puzzle, and where they lead.

    `path` has the moves from the puzzle's position on: the solver's right moves and the opponent's
    replies. After a wrong answer, which is `wrong`, the last `refuted` moves of the path refute it,
    starting with the answer itself.
    """

    verdict: Verdict
    path: tuple[Move, ...] = ()
    wrong: Answer | None = None
    refuted: int = 0


def read_answer(puzzle: Puzzle, state: State[Any], given: Answer | str) -> Answer:
    """The answer that was typed. Raises NinefoldError if it is not readable or not legal."""
    text = str(given)
    if puzzle.task is Task.COUNT:
        return _read_count(puzzle, text)
    if puzzle.task is Task.MIX:
        return _read_numbers(state, puzzle.seat, text)
    move = state.game.parse(text)
    state.play(move, puzzle.seat)  # raises if it is not legal
    return move


def _read_numbers(state: State[Any], seat: Seat, text: str) -> Mix:
    """`1 3 5`, `1, 3 and 5`, or the moves that choose them: numbers that a seat can choose."""
    moves: dict[str, Move] = {str(state.game.spot(one).number): one for one in state.moves(seat)}
    numbers = re.findall(r"\d+", text)
    words = {"and"}.union(*(re.findall("[a-z]+", str(move)) for move in moves.values()))
    if not numbers or not words.issuperset(re.sub(r"[\s,:;&+\d]", " ", text.lower()).split()):
        raise NinefoldError(f"{quote(text)} is not a list of numbers. Type them like 1 3 5.")
    for number in numbers:
        if number not in moves:
            raise NinefoldError(f"You have no {number}. Your numbers: {comma_list(moves)}.")
    return Mix(tuple(move for number, move in moves.items() if number in numbers))


def _read_count(puzzle: Puzzle, text: str) -> Margin:
    """`first 4`, `you 4`, `opponent by 4`: who wins, and by how much."""
    names = {str(seat): seat for seat in SEATS}
    names |= dict.fromkeys(("i", "me", "you"), puzzle.seat)
    names |= dict.fromkeys(("opponent", "they", "them"), puzzle.seat.other)
    found = re.findall(r"[a-z]+|\d+", text.lower())
    winners = {names[word] for word in found if word in names}
    numbers = [word for word in found if word.isdigit()]
    if len(winners) != 1 or len(numbers) != 1 or len(numbers[0]) > 3:
        raise NinefoldError(
            f"{quote(text)} is not a winner and a margin. Type them like first 4 or second 0."
        )
    return Margin(winners.pop(), int(numbers[0]))


def try_answers(puzzle: Puzzle, given: Sequence[Answer | str]) -> Trial:
    """Check the answers given so far, as text or not, one for each choice of the solver in the solution.

    Raises NinefoldError if one cannot be read. Answers beyond the end are ignored.
    """
    state = puzzle.state
    if puzzle.task in (Task.COUNT, Task.MIX):
        if not given:
            return Trial(Verdict.OPEN)
        answer = read_answer(puzzle, state, given[0])
        return Trial(Verdict.SOLVED) if answer in puzzle.answers else Trial(Verdict.WRONG, wrong=answer)
    path: list[Move] = []
    answers = iter(given)
    while left := puzzle.solution[len(path) :]:
        own, moves = _next_steps(state, left, puzzle.seat)
        if own is None:  # the opponent's move
            path += moves
            state = state.game.sequence(state, moves)
            continue
        text = next(answers, None)
        if text is None:
            return Trial(Verdict.OPEN, tuple(path))
        answer = read_answer(puzzle, state, text)
        assert isinstance(answer, Move)
        if not _accepts(puzzle, state, path, own, answer):
            refutation = refute(state, puzzle.seat, answer)
            return Trial(Verdict.WRONG, (*path, *refutation), answer, len(refutation))
        if not path and answer in puzzle.answers and len(puzzle.solution) == 1:
            moves = [answer]  # of several right moves, show the one that was given
        path += moves
        state = state.game.sequence(state, moves)
    return Trial(Verdict.SOLVED, tuple(path))


def _next_steps(state: State[Any], line: Sequence[Move], seat: Seat) -> tuple[Move | None, list[Move]]:
    """The solver's next move in a line, None on the opponent's turn, and all moves up to the next choice.

    Where both choose in secret, these are both choices.
    """
    if len(state.movers) > 1:
        return line[state.movers.index(seat)], list(line[:2])
    return (line[0] if seat in state.movers else None), [line[0]]


def _accepts(puzzle: Puzzle, state: State[Any], path: Sequence[Move], own: Move, answer: Move) -> bool:
    if not path:
        return answer in puzzle.answers
    same = state.game.puzzles.same
    return same(own) == same(answer)


def refute(state: State[Any], seat: Seat, move: Move) -> tuple[Move, ...]:
    """The wrong move and best play after it: up to the end if the game is lost, else one reply.

    The opponent answers a secret number with the number that hurts the solver most.
    """
    if state.secret:
        after = state.after(move, seat)
        replies = after.moves(seat.other)
        reply = min(replies, key=lambda one: worth(evaluate(after.after(one, seat.other)).value, seat))
        both = {seat: move, seat.other: reply}
        line = [both[mover] for mover in state.movers]
    else:
        line = [move]
    now = state.game.sequence(state, line)
    start = len(line)
    while now.outcome is None and len(line) < MOST:
        lost = chance_of(evaluate(now).value, seat) == 0
        if now.secret or (len(line) > start and not lost):
            break
        best = evaluate(now).choices_of(now.movers[0])[0].move
        line.append(best)
        now = now.after(best, now.movers[0])
    return tuple(line)
