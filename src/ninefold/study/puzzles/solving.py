"""Checks answers to a puzzle: right, right so far, or wrong, with the refutation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ninefold.analysis import evaluate
from ninefold.core.errors import NinefoldError, quote
from ninefold.core.move import Move
from ninefold.core.puzzles import Asks, Task
from ninefold.core.reading import read_move
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.core.words import comma_list
from ninefold.match.seating import NAMES
from ninefold.study.facts import chance_of
from ninefold.study.judging import play_on, refute, try_move
from ninefold.study.puzzles.mixing import STEP
from ninefold.study.puzzles.tasks import Amount, Answer, Mix, Pick, Puzzle


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
    match puzzle.task.asks:
        case Asks.OPTION:
            return _read_option(puzzle, text)
        case Asks.NUMBER:
            return _read_amount(puzzle, text)
    if puzzle.task is Task.MIX:
        return _read_numbers(state, puzzle.seat, text)
    move = given if isinstance(given, Move) else read_move(state, puzzle.seat, text)
    state.play(move, puzzle.seat)  # raises if it is not legal
    return move


def _read_numbers(state: State[Any], seat: Seat, text: str) -> Mix:
    """`1 3 5`, `1, 3 and 5`, or the moves that choose them: numbers that a seat can choose."""
    moves: dict[str, Move] = {str(state.game.spot(one).number): one for one in state.moves(seat)}
    numbers = re.findall(r"\d+", text)
    words = {"and"}.union(*(re.findall("[a-z]+", str(move)) for move in moves.values()))
    if not numbers or not words.issuperset(re.sub(r"[\s,:;&+\d]", " ", text.lower()).split()):
        raise NinefoldError(f"{quote(text)} is not a list of numbers.")
    for number in numbers:
        if number not in moves:
            raise NinefoldError(f"You have no {number}. Your numbers: {comma_list(moves)}.")
    return Mix(tuple(move for number, move in moves.items() if number in numbers))


def _read_option(puzzle: Puzzle, text: str) -> Pick:
    """What is typed for an option; `move 5` is as good as `5`."""
    key = text.strip().strip(".").lower().removeprefix("move ")
    for option in puzzle.options:
        if option.key == key:
            return option
    raise NinefoldError(f"{quote(text)} is not one of {comma_list(puzzle.options)}.")


def _read_amount(puzzle: Puzzle, text: str) -> Amount:
    """`4`, `-4`, `40%`, `4 points`; of a margin also `you by 4`, `Player 2 by 4` and `tie`."""
    typed = text.strip().strip(".").lower().removesuffix("s").removesuffix(" point")
    if puzzle.task is Task.COUNT:
        you, other = NAMES[puzzle.seat].lower(), NAMES[puzzle.seat.other].lower()
        typed = re.sub(rf"^(i|me|you|{you})( wins?)?( by)? ", "", typed)
        typed = re.sub(rf"^((the )?(opponent|computer)|they|them|{other})( wins?)?( by)? ", "-", typed)
        typed = re.sub("^(a |on a )?tie$", "0", typed)
    number = re.fullmatch(r"([+-]?\d{1,3})( ?%| percent)?", typed.replace("\N{MINUS SIGN}", "-"))
    if number is None or (number[2] and puzzle.task is not Task.CHANCE):
        what = "a winner and a margin" if puzzle.task is Task.COUNT else "a number"
        raise NinefoldError(f"{quote(text)} is not {what}.")
    found = int(number[1])
    if puzzle.task is Task.CHANCE and (found % STEP or not 0 <= found <= 100):
        raise NinefoldError(f"{quote(text)} is not a multiple of {STEP} from 0 to 100.")
    return Amount(found)


def try_answers(puzzle: Puzzle, given: Sequence[Answer | str]) -> Trial:
    """Check the answers given so far, as text or not, one for each choice of the solver.

    A `win` goes on against the strongest defense, and every move that keeps it is right, until the game
    is over or any move wins. All other tasks have one answer. Raises NinefoldError if an answer cannot be
    read. Answers beyond the end are ignored.
    """
    if puzzle.task is Task.WIN:
        return _try_win(puzzle, given)
    if not given:
        return Trial(Verdict.OPEN)
    state = puzzle.state
    answer = read_answer(puzzle, state, given[0])
    if answer in puzzle.answers:
        if not isinstance(answer, Move) or state.secret:
            return Trial(Verdict.SOLVED)
        path = puzzle.solution if puzzle.solution[0] == answer else (answer,)
        return Trial(Verdict.SOLVED, path)
    return _refuse(puzzle, state, [], answer)


def _try_win(puzzle: Puzzle, given: Sequence[Answer | str]) -> Trial:
    state, seat = puzzle.state, puzzle.seat
    path: list[Move] = []
    answers = iter(given)
    while state.outcome is None and not (path and any_move_wins(state, seat)):
        text = next(answers, None)
        if text is None:
            return Trial(Verdict.OPEN, tuple(path))
        move = read_answer(puzzle, state, text)
        assert isinstance(move, Move)
        if not (_wins_in_time(puzzle, state, path, move) if path else move in puzzle.answers):
            return _refuse(puzzle, state, path, move)
        line = play_on(state, seat, move)
        path += line
        state = state.game.sequence(state, line)
    return Trial(Verdict.SOLVED, tuple(path))


def _wins_in_time(puzzle: Puzzle, state: State[Any], path: Sequence[Move], move: Move) -> bool:
    tried = try_move(state, puzzle.seat, move)
    length = len(path) + 1 + (tried.choice.value.plies or 0)
    return tried.keeps and (puzzle.within is None or length <= puzzle.within)


def any_move_wins(state: State[Any], seat: Seat) -> bool:
    """Whether every legal move of a seat that has to choose wins."""
    return all(chance_of(choice.value, seat) == 1 for choice in evaluate(state).choices_of(seat))


def _refuse(puzzle: Puzzle, state: State[Any], path: Sequence[Move], answer: Answer) -> Trial:
    """The verdict on a wrong answer. A move that gives nothing away is not refuted, only played."""
    if not isinstance(answer, Move):
        return Trial(Verdict.WRONG, wrong=answer)
    if not state.secret and try_move(state, puzzle.seat, answer).keeps:
        return Trial(Verdict.WRONG, (*path, answer), answer, 1)
    refutation = refute(state, puzzle.seat, answer)
    return Trial(Verdict.WRONG, (*path, *refutation), answer, len(refutation))
