"""Lessons in words: what a step asks, what came of an answer, hints, and the end of a course.

The sentences of a game's `lessons.py` have fields in braces, which are filled in here from the position
and the solver. Most take moves, and are then about the position after them: `{chance claim:5}`.

    {target}                  a setting
    {threat}, {mine}          a line that the opponent, or the learner, could complete
    {hand}, {theirhand}, {pool}, {me}, {them}, {lead}   numbers left, scores, their difference
    {mycells}, {theircells}, {left}, {total}   cells held and free, what can be gained in the whole game
    {say MOVE}, {gain MOVE}   a legal move in words, and what it adds
    {chance ...}, {margin ...}, {mix}          the learner's chance, the margin, the optimal mixture
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from ninefold.analysis import evaluate
from ninefold.core.cast import Cast
from ninefold.core.game import Game
from ninefold.core.grid import Line
from ninefold.core.lessons import Course
from ninefold.core.outcome import Threat
from ninefold.core.puzzles import Task
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.core.view import board_of
from ninefold.core.words import comma_list, line_name, pluralize
from ninefold.games import every_game
from ninefold.show.choosing import tag_hint
from ninefold.show.hints import say_hint, say_line_of, say_mixture
from ninefold.show.moves import capitalize, say_move, say_moves, say_subject
from ninefold.show.puzzles import ANY_WINS, explain_line, explain_to_end, say_trial
from ninefold.show.values import Tag, percent, verdict
from ninefold.study.facts import Blocks, Completes, Gains, Threatens, chance_of, gain_of
from ninefold.study.hints import Hint
from ninefold.study.judging import MOST, best_play, strongest
from ninefold.study.lessons import YOU, Clue, Exercise, courses_of, find_clue
from ninefold.study.puzzles import Amount, Mix, Trial, Verdict

PARTNER = "Ben"  # whom the learner plays
NEW_HERE = "New here? Learn a game in three minutes."
FIELD = re.compile(r"\{(\w+)((?: [^{}\s]+)*)\}")
STAGES = 2  # of a hint: where to look, then the move


def lesson_cast(seat: Seat) -> Cast:
    """The learner and the partner."""
    names = ("You", PARTNER) if seat is Seat.FIRST else (PARTNER, "You")
    return Cast(names, you=seat)


def fill(exercise: Exercise, text: str) -> str:
    """A sentence of a step, with its fields filled in for the step's position."""
    state, seat = exercise.puzzle.state, exercise.puzzle.seat
    return FIELD.sub(lambda found: _fill_field(state, seat, found[1], found[2].split()), text)


def _fill_field(state: State[Any], seat: Seat, name: str, moves: list[str]) -> str:
    view, other = state.view(seat), seat.other
    if name in ("say", "gain"):
        legal = {str(move): move for move in state.moves()}
        move = legal[moves[0]]
        return say_move(state, move) if name == "say" else str(gain_of(state, state.movers[0], move))
    value = evaluate(state.game.sequence(state, moves)).value
    owners = [cell.owner for board in view.boards for cell in board.cells]
    match name:
        case "threat" | "mine":
            threats: tuple[Threat, ...] = state.threats(seat if name == "mine" else other)
            return say_line_of(threats[0])
        case "hand" | "theirhand":
            return comma_list(view.numbers("hand", seat if name == "hand" else other))
        case "pool":
            return comma_list(view.numbers("pool"))
        case "me" | "them":
            return str(view.number("score", seat if name == "me" else other))
        case "lead":
            return str(abs(view.number("score", seat) - view.number("score", other)))
        case "mycells" | "theircells" | "left":
            return str(owners.count({"mycells": seat, "theircells": other}.get(name)))
        case "total":
            start = state.game.set_up(state.setup)
            return str(sum(gain_of(start, Seat.FIRST, move) for move in start.moves()))
        case "chance":
            return f"{percent(chance_of(value, seat))} of the time"
        case "margin":
            return str(abs(value.margin or 0))
        case "mix":
            return say_mixture(state, evaluate(state).mixture(seat))
    return str(view.setup[name])


def say_step(game: Game, exercise: Exercise) -> str:
    """`Shadow Grid Duel, How it is played, step 3 of 7: Blocking`"""
    course = exercise.course
    where = f"{game.title}, {course.title.lower()}"
    return f"{where}, step {exercise.number} of {len(course.steps)}: {exercise.step.title}"


def say_theme(one: Exercise) -> str:
    """What a mistake was about: the step that teaches it."""
    return f"Theme: {one.step.title.lower()}."


def say_not_made(game: Game) -> str:
    """Why a game has no lessons."""
    return f"{game.title} has no lessons: it is too large to be solved. Read its rules instead."


def ask_step(exercise: Exercise) -> str:
    """What to do."""
    return fill(exercise, exercise.step.ask)


def say_answer(exercise: Exercise, trial: Trial, cast: Cast) -> list[str]:
    """What came of the answers so far, in sentences."""
    puzzle = exercise.puzzle
    if trial.verdict is Verdict.OPEN:
        return say_trial(puzzle, trial, cast) if trial.path else [ask_step(exercise)]
    if trial.verdict is Verdict.SOLVED:
        said = explain_line(puzzle.state, trial.path, cast)
        if (
            puzzle.task is Task.WIN
            and puzzle.state.game.sequence(puzzle.state, trial.path).outcome is None
        ):
            said.append(ANY_WINS)
        return [*said, fill(exercise, exercise.step.done)]
    match trial.wrong:
        case Mix() | Amount():
            return say_trial(puzzle, trial, cast)
    if puzzle.task is Task.WHO:
        line = best_play(puzzle.state, MOST)
        return ["Not quite. This is best play:", *explain_to_end(puzzle.state, line, cast)]
    return _say_wrong_move(exercise, trial, cast)


def _say_wrong_move(exercise: Exercise, trial: Trial, cast: Cast) -> list[str]:
    """A move that misses the goal, and what punishes it if it gives something away."""
    puzzle = exercise.puzzle
    start = len(trial.path) - trial.refuted
    before = puzzle.state.game.sequence(puzzle.state, trial.path[:start])
    choices = evaluate(before).choices_of(puzzle.seat)
    made = next(choice for choice in choices if choice.move == trial.wrong)
    best = max(chance_of(choice.value, puzzle.seat) for choice in choices)
    said = say_subject(before, made.move)
    if chance_of(made.value, puzzle.seat) == best:
        late = " in time" if puzzle.within else ""
        return [f"{said} gives nothing away, but it does not do what is asked{late}. Try something else."]
    known = exercise.step.mistakes.get(str(trial.wrong), "")
    why = fill(exercise, known) if known and not start else verdict(made.value, cast)
    return [f"Not yet. {why}", *explain_to_end(before, trial.path[start:], cast)]


def say_clue(exercise: Exercise, trial: Trial, stage: int, cast: Cast) -> str:
    """A hint: at stage 1 where to look, at stage 2 the move."""
    puzzle = exercise.puzzle
    state, seat = puzzle.state, puzzle.seat
    clue = find_clue(puzzle, trial.path)
    if clue is not None:
        if stage > 1:
            return say_hint(clue.state, Hint(seat, clue.move, clue.facts), cast)
        return _say_where(clue, puzzle.answers, cast)
    answer = puzzle.answers[0]
    match answer:
        case Mix(moves):
            said = f"{capitalize(say_moves(state, moves, 'and'))}."
            return said if stage > 1 else f"It takes {len(moves)} of them."
        case Amount(number):
            scores = [state.view(seat).number("score", one) for one in (seat, seat.other)]
            return f"{number}." if stage > 1 else f"The score is {scores[0]} to {scores[1]} so far."
    if stage > 1:
        return "You do." if answer == YOU else f"{PARTNER} does."
    move = say_move(state, strongest(state, state.movers[0]))
    return f"Start from a best move ({move}), and ask what the other player does then."


def tag_clue(exercise: Exercise, trial: Trial, stage: int) -> dict[str, Tag]:
    """By part, a tag on what a hint points at: at stage 1 where to look, at stage 2 the move."""
    clue = find_clue(exercise.puzzle, trial.path) if stage else None
    if clue is None:
        return {}
    view = clue.state.view(clue.seat)
    if stage > 1:
        return tag_hint(clue.state.game, view, clue.seat, clue.move)
    board = board_of(view, clue.board)
    return {f"c-{board}-{cell}": Tag("look", tone="hinted", says="Look here") for cell in clue.cells}


def _say_where(clue: Clue, answers: Collection[object], cast: Cast) -> str:
    """Where to look, without the move or its number."""
    state, seat = clue.state, clue.seat
    if len(state.moves(seat)) == 1:
        return "You have only one move."
    for fact in clue.facts:
        match fact:
            case Completes(won):
                return f"Look at your numbers {_place(won.line)}."
            case Blocks(threats):
                return f"Look at {cast.whose(seat.other)} numbers {_place(threats[0].line)}."
            case Threatens(threats):
                lines = "two lines at once" if len(threats) > 1 else "a line"
                return f"Look for a move that threatens {lines}."
            case Gains():
                return "Compare what each move adds."
    if state.secret:
        return f"Compare your numbers with {cast.whose(seat.other)}."
    kinds = {move: state.game.spot(move).kind for move in state.moves(seat)}
    right = {kind for move, kind in kinds.items() if move in answers}
    if len(right) == 1 and right != set(kinds.values()):
        return f"Think of a {right.pop()}."
    return "Ask of each move what your opponent could do next."


def _place(line: Line) -> str:
    """`in the top row`, `on the diagonal`"""
    place = line_name(line)
    return f"{'on' if place == 'diagonal' else 'in'} the {place}"


def say_end(game: Game, course: Course) -> list[str]:
    """What the learner knows after a course."""
    return [f"That was {game.title}: {course.title.lower()}. Now you know:", *course.known]


def next_course(game: Game, course: Course) -> tuple[Game, Course] | None:
    """The next course: of this game, else the first of the next game; None after the last."""
    courses = list(courses_of(game))
    place = courses.index(course) + 1
    if place < len(courses):
        return game, courses[place]
    games = every_game()
    for later in games[[one.slug for one in games].index(game.base or game.slug) + 1 :]:
        if found := courses_of(later):
            return later, found[0]
    return None


def say_course(course: Course, done: int) -> str:
    """`How it is played: 3 of 7 steps done`"""
    total = len(course.steps)
    state = "done" if done == total else f"{done} of {pluralize(total, 'step')} done"
    return f"{course.title}: {state if done else pluralize(total, 'step')}"
