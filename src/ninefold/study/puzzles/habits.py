"""Habits that might solve puzzles without thought. None may do much better than chance.

Puzzles are therefore drawn so that their answers are spread evenly: see `answer_class`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from ninefold.core.move import Move
from ninefold.core.puzzles import Asks, Task
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.players.simple import greedy_policy
from ninefold.study.facts import gain_of
from ninefold.study.puzzles.mixing import STEP, kind_of
from ninefold.study.puzzles.tasks import Amount, Answer, Mix, Pick, Proof, Puzzle

RANDOM = "random"
BEATS = Fraction(1, 10)  # how much better than random choice a habit is that solves a puzzle
NUMBERS = {
    Task.CHANCE: range(0, 101, STEP),
    Task.COUNT: range(-12, 13),
    Task.HEAD_START: range(1, 13),
}

Habits = dict[str, Collection[Answer]]  # by habit, the answers among which it chooses evenly


def habits_of(state: State[Any], seat: Seat, task: Task, options: Sequence[Pick]) -> Habits:
    """The habits that say something about a puzzle. None is named for numbers: see `score_habits`.

    - moves: greedy; the largest and the smallest number, or gain; the center; always one kind of move
    - mixtures: leave out the smallest or the largest number
    - options: always the first, the second, and so on; the mixture of the largest or smallest numbers
    """
    moves = state.moves(seat) if seat in state.movers else ()
    match task.asks:
        case Asks.OPTION:
            found: Habits = {f"option {place}": [one] for place, one in enumerate(options, 1)}
            if task is Task.SHARES:
                found |= {"largest": [max(options, key=_weigh(state))]}
                found |= {"smallest": [min(options, key=_weigh(state))]}
            return {RANDOM: options, **found}
        case Asks.NUMBER:
            return {}
    if task is Task.MIX:
        return {"largest": [Mix(moves[1:])], "smallest": [Mix(moves[:-1])]}
    return {RANDOM: moves, **dict(_find_habits(state, seat, moves))}


def _weigh(state: State[Any]) -> Any:
    def weigh(option: Pick) -> Fraction:
        """The mean of the numbers that a mixture uses."""
        spot = state.game.spot
        return sum(((spot(move).number or 0) * part for move, part in option.shares), Fraction(0))

    return weigh


def _find_habits(
    state: State[Any], seat: Seat, moves: Sequence[Move]
) -> Iterator[tuple[str, Collection[Answer]]]:
    yield "greedy", list(greedy_policy(state, seat))
    sizes = {move: _size(state, seat, move) for move in moves}
    order = sorted({*sizes.values()})
    if len(order) > 1:
        yield "largest", [move for move in moves if sizes[move] == order[-1]]
        yield "smallest", [move for move in moves if sizes[move] == order[0]]
    board = next(board for board in state.view(seat).boards if board.owner in (None, seat))
    rows, width = len(board.rows), board.width
    middle = {
        row * width + column
        for row in {(rows - 1) // 2, rows // 2}
        for column in {(width - 1) // 2, width // 2}
    }
    if center := [move for move in moves if middle.issuperset(state.game.spot(move).cells or (-1,))]:
        yield "center", center
    kinds = sorted({kind_of(move) for move in moves})
    if len(kinds) > 1:
        for kind in kinds:
            yield kind, [move for move in moves if kind_of(move) == kind]


def _size(state: State[Any], seat: Seat, move: Move) -> int:
    """The number that a move chooses or, without one, what it gains."""
    number = state.game.spot(move).number
    if number is not None:
        return number
    return 0 if state.secret else gain_of(state, seat, move)


def answer_class(state: State[Any], seat: Seat, task: Task, found: Proof) -> Hashable:
    """What a habit might guess of the answer. Puzzles are drawn so that no class is the commonest by far.

    That is the option, the number, or how large the smallest winner is among the moves. All answers of
    the other tasks are in one class: see `is_guessable`.
    """
    answer = found.answers[0]
    match answer:
        case Pick() if task is not Task.SHARES:  # those are listed in any order
            return found.options.index(answer)
        case Amount(number):
            return number
        case Move() if task is Task.LEAST:
            sizes = sorted({gain_of(state, seat, move) for move in state.moves(seat)})
            return sizes.index(gain_of(state, seat, answer))
    return None


def is_guessable(state: State[Any], seat: Seat, task: Task, found: Proof) -> bool:
    """Whether some habit solves a puzzle that asks for moves much more often than chance would."""
    if task.asks is not Asks.MOVES:
        return False
    habits = habits_of(state, seat, task, found.options)
    chance = _score(found.answers, habits.pop(RANDOM, ()))
    return any(_score(found.answers, picks) > chance + BEATS for picks in habits.values())


def _score(answers: Collection[Answer], picks: Collection[Answer]) -> Fraction:
    """How likely one of the picks is right, if they are equally likely."""
    return Fraction(sum(pick in answers for pick in picks), len(picks)) if picks else Fraction(0)


def score_habits(puzzles: Iterable[Puzzle]) -> dict[str, Fraction]:
    """How much of some puzzles of one task each habit solves on average, with random choice first.

    A habit that says nothing about a puzzle chooses at random there. Where the answer is a number, the
    habit is to give always the one that is right most often.
    """
    found = list(puzzles)
    every: list[tuple[Fraction, dict[str, Fraction]]] = []
    for puzzle in found:
        habits = habits_of(puzzle.state, puzzle.seat, puzzle.task, puzzle.options)
        listed = habits.pop(RANDOM, None)
        chance = _guess(puzzle) if listed is None else _score(puzzle.answers, listed)
        every.append((chance, {name: _score(puzzle.answers, picks) for name, picks in habits.items()}))
    names = dict.fromkeys(name for _, scores in every for name in scores)
    total = {RANDOM: sum((chance for chance, _ in every), Fraction(0))}
    for name in names:
        total[name] = sum((scores.get(name, chance) for chance, scores in every), Fraction(0))
    numbers = Counter(one.answers[0] for one in found if one.task.asks is Asks.NUMBER)
    for number, times in numbers.most_common(1):
        total[f"always {number}"] = Fraction(times)
    return {name: score / len(found) for name, score in total.items()}


def _guess(puzzle: Puzzle) -> Fraction:
    """The chance of a random answer where none are listed: any numbers for a mixture, or any number."""
    if puzzle.task is Task.MIX:
        return Fraction(1, 2 ** len(puzzle.state.moves(puzzle.seat)) - 2)
    return Fraction(1, len(NUMBERS[puzzle.task]))
