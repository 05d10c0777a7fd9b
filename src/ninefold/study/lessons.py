"""Lessons: poses the steps of a course as puzzles, whose answers are all the moves that reach the goal.

So a step is judged like a puzzle, by `study.puzzles.try_answers`: no move that reaches the goal is called
wrong, and one that gives something away is refuted by the strongest reply.

>>> from ninefold.games import load
>>> one = pose(load("shadow"), "basics", 1)
>>> one.goal, [str(move) for move in one.puzzle.answers]
(<Goal.COMPLETE: 'complete'>, ['5@1,3'])
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ninefold.analysis import NoValues, evaluate
from ninefold.core.errors import NinefoldError, quote
from ninefold.core.game import Game
from ninefold.core.lessons import Course, Goal, Step
from ninefold.core.move import Move
from ninefold.core.outcome import WonLine
from ninefold.core.puzzles import Task
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.core.words import comma_list
from ninefold.games import load
from ninefold.study.facts import (
    Blocks,
    Completes,
    Fact,
    Gains,
    Mixture,
    Threatens,
    chance_of,
    find_facts,
    gain_of,
)
from ninefold.study.judging import strongest, try_move
from ninefold.study.puzzles.making import NoSuchPuzzle, puzzle
from ninefold.study.puzzles.tasks import Amount, Answer, Mix, Pick, Puzzle

YOU, OPPONENT = Pick("you"), Pick("opponent")  # the answers to who wins
TASKS = {Goal.WIN: Task.WIN, Goal.MIX: Task.MIX, Goal.WHO: Task.WHO, Goal.COUNT: Task.COUNT}
SEEDS = range(1, 4)  # of the puzzles in a course that is made
MOST = 8  # steps of a course


class NoSuchLesson(NinefoldError):
    """There is no such course or step; the message says which there are."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """A step of a course, posed as a puzzle."""

    course: Course
    number: int  # of the step, from 1
    puzzle: Puzzle

    @property
    def step(self) -> Step:
        return self.course.steps[self.number - 1]

    @property
    def goal(self) -> Goal:
        return self.step.goal

    @property
    def label(self) -> str:
        """The name under which progress is kept: `shadow/basics/3`."""
        return label_of(self.puzzle.game, self.course, self.number)

    @property
    def last(self) -> bool:
        """Whether it is the last step of the course."""
        return self.number == len(self.course.steps)


def label_of(slug: str, course: Course, number: int) -> str:
    return f"{slug}/{course.slug}/{number}"


def count_done(game: Game, course: Course, done: Container[str]) -> int:
    """How many steps of a course are among the labels that are done."""
    return sum(label_of(game.slug, course, number) in done for number in numbers_of(course))


def next_step(game: Game, course: Course, done: Container[str]) -> int:
    """The first step of a course that is not done; if all are, the first."""
    left = (number for number in numbers_of(course) if label_of(game.slug, course, number) not in done)
    return next(left, 1)


def numbers_of(course: Course) -> range:
    """The numbers of a course's steps."""
    return range(1, len(course.steps) + 1)


def courses_of(game: Game) -> tuple[Course, ...]:
    """A game's courses; where it has none, one that is made. Empty if there are no exact values."""
    return game.courses or _make_courses(game.slug)


def find_course(game: Game, slug: str) -> Course:
    """Raises NoSuchLesson."""
    courses = courses_of(game)
    for course in courses:
        if course.slug == slug:
            return course
    has = comma_list(course.slug for course in courses) or "none"
    raise NoSuchLesson(f"{game.title} has no course {quote(slug)}. Its courses: {has}.")


def pose(game: Game, slug: str, number: int) -> Exercise:
    """A step of a course, from 1. Raises NoSuchLesson."""
    course = find_course(game, slug)
    if number not in numbers_of(course):
        raise NoSuchLesson(f"The course {slug} has steps 1 to {len(course.steps)}.")
    return _pose(game.slug, slug, number)


@lru_cache(maxsize=256)
def _pose(game_slug: str, slug: str, number: int) -> Exercise:
    game = load(game_slug)
    course = find_course(game, slug)
    return Exercise(course, number, pose_step(game, course.steps[number - 1]))


def pose_step(game: Game, step: Step) -> Puzzle:
    """A step as a puzzle. Raises NinefoldError if its position cannot be reached."""
    start = game.set_up(step.setup)
    states, played = game.replay(start, step.moves.split())
    state = states[-1]
    seat = state.movers[0] if step.seat is None else step.seat
    task, answers = TASKS.get(step.goal, Task.GOAL), find_answers(step, state, seat)
    moves = [answer for answer in answers if isinstance(answer, Move)]
    best = [one for one in (strongest(state, seat), *moves) if one in moves] if moves else []
    return Puzzle(
        game=game.slug,
        setup=dict(start.setup),
        moves=tuple(one.move for one in played),
        seat=seat,
        task=task,
        answers=answers,
        solution=tuple(best[:1]),
        grade=0,  # it has none
        chances={},
        options=(YOU, OPPONENT) if task is Task.WHO else (),
        within=step.within,
    )


def find_answers(step: Step, state: State[Any], seat: Seat) -> tuple[Answer, ...]:
    """All that reaches the goal of a step."""
    value = evaluate(state).value
    match step.goal:
        case Goal.MIX:
            support = [move for move, _ in evaluate(state).mixture(seat)]
            return (Mix(tuple(move for move in state.moves(seat) if move in support)),)
        case Goal.WHO:
            return (YOU if chance_of(value, seat) == 1 else OPPONENT,)
        case Goal.COUNT:
            return (Amount((value.margin or 0) * (-1 if seat else 1)),)
    return tuple(move for move in state.moves(seat) if _reaches(step, state, seat, move))


def _reaches(step: Step, state: State[Any], seat: Seat, move: Move) -> bool:
    """Whether a legal move reaches the goal."""
    later = state.after(move, seat)
    match step.goal:
        case Goal.COMPLETE:
            made = later.outcome
            return made is not None and made.winner is seat and isinstance(made.detail, WonLine)
        case Goal.BLOCK:
            return bool(state.threats(seat.other)) and not later.threats(seat.other)
        case Goal.DOUBLE:
            replied = (later.after(reply, seat.other) for reply in later.moves(seat.other))
            return len(later.threats(seat)) > 1 and all(one.threats(seat) for one in replied)
        case Goal.MOST:
            most = max(gain_of(state, seat, other) for other in state.moves(seat))
            return gain_of(state, seat, move) == most
    tried = try_move(state, seat, move)
    if step.goal is Goal.WIN:
        length = (tried.choice.value.plies or 0) + 1
        in_time = step.within is None or length <= step.within
        return chance_of(tried.choice.value, seat) == 1 and in_time
    return tried.keeps


@dataclass(frozen=True, slots=True)
class Clue:
    """A hint in two stages: where to look, then the move."""

    state: State[Any]
    seat: Seat
    move: Move
    facts: tuple[Fact, ...]
    cells: tuple[int, ...]  # where to look
    board: Seat  # on whose board, where each player has one


def find_clue(found: Puzzle, path: tuple[Move, ...] = ()) -> Clue | None:
    """The hint for the next move of a puzzle, after some moves; None if it does not ask for one."""
    state, seat = found.state.game.sequence(found.state, path), found.seat
    if found.task in (Task.MIX, Task.WHO, Task.COUNT) or seat not in state.movers:
        return None
    move = strongest(state, seat) if path or not found.solution else found.solution[0]
    facts = find_facts(state, seat, move)
    for fact in facts:
        match fact:
            case Completes(won):
                return Clue(state, seat, move, facts, won.line.cells, seat)
            case Blocks(threats):
                return Clue(state, seat, move, facts, threats[0].line.cells, seat.other)
            case Threatens(threats):
                cells = {cell for threat in threats for cell in threat.line.cells}
                return Clue(state, seat, move, facts, tuple(sorted(cells)), seat)
    return Clue(state, seat, move, facts, tuple(sorted(set(_around(state, seat, move)))), seat)


def _around(state: State[Any], seat: Seat, move: Move) -> Iterator[int]:
    """The cells in the row of a move, or around the line that it claims, where such a move is legal."""
    width, spot = state.view(seat).boards[0].width, state.game.spot
    rows = {cell // width for cell in spot(move).cells}
    for other in state.moves(seat):
        if spot(other).kind != spot(move).kind:
            continue
        for cell in spot(other).cells:
            if cell // width in rows:
                yield cell


def find_lesson(state: State[Any], seat: Seat, move: Move) -> Exercise | None:
    """The step that teaches what a good move does here: block, say, or mix numbers; None if none does."""
    goals = [goal for fact in find_facts(state, seat, move) if (goal := _goal_of(fact)) is not None]
    steps = (
        pose(state.game, course.slug, number)
        for course in courses_of(state.game)
        for number in numbers_of(course)
    )
    if goals:
        return next((one for one in steps if one.goal is goals[0]), None)
    kind = state.game.spot(move).kind
    found = [one for one in steps if kind and one.goal is Goal.KEEP and _kinds_of(one) == {kind}]
    return next((one for one in found if one.puzzle.setup == state.setup), found[0] if found else None)


def _kinds_of(one: Exercise) -> set[str]:
    """The kinds of moves that a step accepts."""
    spot = one.puzzle.state.game.spot
    return {spot(answer).kind for answer in one.puzzle.answers if isinstance(answer, Move)}


def _goal_of(fact: Fact) -> Goal | None:
    """The goal that a fact about a move reaches."""
    match fact:
        case Completes():
            return Goal.COMPLETE
        case Blocks():
            return Goal.BLOCK
        case Threatens(threats) if len(threats) > 1:
            return Goal.DOUBLE
        case Gains(_, True):
            return Goal.MOST
        case Mixture():
            return Goal.MIX
    return None


def exercise_data(exercise: Exercise) -> dict[str, Any]:
    """A step as plain data, with everything that its goal accepts."""
    found = exercise.puzzle
    return {
        "game": found.game,
        "course": exercise.course.slug,
        "step": exercise.number,
        "setup": dict(found.setup),
        "moves": [str(move) for move in found.moves],
        "seat": str(found.seat),
        "goal": str(exercise.goal),
        "accepted": [str(answer) for answer in found.answers],
    }


# Courses that are made


@lru_cache(maxsize=64)
def _make_courses(slug: str) -> tuple[Course, ...]:
    """A course from the decisions of a game's example, and some of its puzzles."""
    game = load(slug)
    try:
        steps = tuple([*_example_steps(game), *_puzzle_steps(game)][:MOST])
    except NoValues:
        return ()
    known = ("How a game goes, from its example.", "What a good move looks like, from its puzzles.")
    about = "The decisions of the example game, then a few puzzles."
    return (Course("basics", "A first game", about, steps, known, level=1),) if steps else ()


def _example_steps(game: Game) -> Iterator[Step]:
    """The moves of the example that were decisions and gave nothing away, at most five."""
    texts = [text for text, _ in game.example.moves]
    states, played = game.replay(game.set_up(game.example.setup), texts)
    found: list[Step] = []
    for number, (one, (_, remark)) in enumerate(zip(played, game.example.moves, strict=True)):
        state = states[number]
        if state.pending or not try_move(state, one.seat, one.move).keeps:
            continue
        if all(try_move(state, one.seat, other).keeps for other in state.moves(one.seat)):
            continue
        found.append(
            Step(
                title="From the example",
                moves=" ".join(texts[:number]),
                ask="What would you play? Find a move that gives nothing away.",
                goal=Goal.KEEP,
                done=f"In the example: {remark}",
                setup=game.example.setup,
                seat=one.seat,
                points=not found,
            )
        )
    yield from found[:5]


def _puzzle_steps(game: Game) -> Iterator[Step]:
    for seed in SEEDS:
        with suppress(NoSuchPuzzle):
            one = puzzle(game, seed, Task.WIN)
            yield Step(
                title="A puzzle",
                moves=" ".join(map(str, one.moves)),
                ask="Only one move wins. Find it, and win.",
                goal=Goal.WIN,
                done="That wins.",
                setup=one.setup,
                seat=one.seat,
            )
