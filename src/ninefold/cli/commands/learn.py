"""`ninefold learn`: short lessons. Each step is a position to play in, judged and explained."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

from ninefold.cli import UsageError, program
from ninefold.cli.arguments import argument_type, usage_errors
from ninefold.cli.console import Console, EndOfInput, console_for
from ninefold.cli.solving import PuzzlePrompt
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.lessons import Course
from ninefold.games import every_game, load, say_slugs
from ninefold.show import lessons
from ninefold.store.files.progress import lesson_progress
from ninefold.study.lessons import (
    OPPONENT,
    YOU,
    Exercise,
    count_done,
    courses_of,
    exercise_data,
    find_course,
    next_step,
    numbers_of,
    pose,
)
from ninefold.study.puzzles import Task, Verdict

EPILOG = """\
A course is a few steps, two or three minutes. Leave whenever you like: you go on where you left off.
At a step: h hint, n next step, b back a step, r rules, q leave.

examples:
  ninefold learn
  ninefold learn shadow
  ninefold learn conquest --course ideas
  ninefold learn --list
  ninefold learn pattern --json
"""
WHO = {"me": YOU, "i": YOU, "i do": YOU, lessons.PARTNER.lower(): OPPONENT}  # as people call the players
GO_ON = "Enter: go on, q: leave > "
HELP = "Or type h for a hint, n for the next step, b to go back a step, r for the rules, q to leave."


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    game = f"one of {say_slugs()}; without one, you choose"
    parser.add_argument("game", metavar="GAME", nargs="?", type=argument_type(load), help=game)
    parser.add_argument("--list", action="store_true", help="list the courses and how far you are")
    parser.add_argument("--course", metavar="C", help="which course: by default the next for you")
    parser.add_argument("--step", metavar="N", type=int, help="which step: by default the next for you")
    parser.add_argument("--json", action="store_true", help="print the steps and their answers as JSON")


def run(arguments: argparse.Namespace) -> int:
    game: Game | None = arguments.game
    games = every_game() if game is None else [game]
    if arguments.json:
        print(json.dumps([exercise_data(one) for each in games for one in _exercises(each)]))
        return 0
    console = console_for(arguments)
    if arguments.list or (game is None and not console.terminal):
        list_courses(console, games)
        return 0
    if game is None:
        return learn_any(console)
    with usage_errors():
        if not courses_of(game):
            raise UsageError(lessons.say_not_made(game))
        done = lesson_progress().done
        course = find_course(game, arguments.course) if arguments.course else _next(game, done)
        number = next_step(game, course, done) if arguments.step is None else arguments.step
        pose(game, course.slug, number)  # raises if there is no such step
    return teach(console, game, course, number)


def _exercises(game: Game) -> list[Exercise]:
    return [
        pose(game, course.slug, number) for course in courses_of(game) for number in numbers_of(course)
    ]


def list_courses(console: Console, games: Sequence[Game]) -> None:
    """Every course, with how much of it is done."""
    done = lesson_progress().done
    for game in games:
        console.say(console.bold(game.title))
        for course in courses_of(game):
            said = lessons.say_course(course, count_done(game, course, done))
            console.say_columns([(f"  {said}", f"{program()} learn {game.slug} --course {course.slug}")])
        if not courses_of(game):
            console.say(f"  {lessons.say_not_made(game)}")


def learn_any(console: Console) -> int:
    """Choose a game, and learn it. Returns the exit status: 1 if nothing was chosen."""
    games = every_game()
    console.say_columns([(f" {number}", one.title, one.brief) for number, one in enumerate(games, 1)])
    while True:
        try:
            typed = console.ask(f"Which game (1-{len(games)}), or q to leave: ").strip().lower()
        except EndOfInput:
            return 1
        if typed in ("q", "quit", "exit", ""):
            return 1
        for number, one in enumerate(games, 1):
            if typed in (str(number), one.slug, one.title.lower()):
                return learn(console, one)
        console.say(f"Type a number from 1 to {len(games)}, or a game's name.")


def learn(console: Console, game: Game) -> int:
    """Go on with a game's lessons where the user left off. Returns like `teach`."""
    if not courses_of(game):
        console.say(lessons.say_not_made(game))
        return 1
    done = lesson_progress().done
    course = _next(game, done)
    return teach(console, game, course, next_step(game, course, done))


def _next(game: Game, done: set[str]) -> Course:
    """The first course that is not finished; if all are, the first."""
    courses = courses_of(game)
    return next((one for one in courses if count_done(game, one, done) < len(one.steps)), courses[0])


def teach(console: Console, game: Game, course: Course, number: int) -> int:
    """Teach a course from a step on. Returns the exit status: 1 if it was left before its end."""
    while True:
        if number > len(course.steps):
            following = _end(console, game, course)
            if following is None:
                return 0
            (game, course), number = following, 1
        step = StepPrompt(console, game, pose(game, course.slug, number)).teach()
        if step is None:
            left = f"{program()} learn {game.slug}"
            console.say(f"Your progress is kept. `{left}` goes on from here.")
            return 1
        number = max(1, number + step)


def _end(console: Console, game: Game, course: Course) -> tuple[Game, Course] | None:
    """What the learner now knows, and what comes next; the next course, if it is wanted."""
    console.say("", *lessons.say_end(game, course))
    following = lessons.next_course(game, course)
    what = f"--task {course.task} " if course.task else ""
    what += f'--theme "{course.theme}"' if course.theme else ""
    rows = [
        ("A puzzle", f"{program()} puzzle {game.slug} {what}".rstrip()),
        ("A game", f"{program()} play {game.slug} --p2 level:{course.level} --coach"),
    ]
    if following is not None:
        later, more = following
        rows.insert(0, ("Next", f"{later.title}, {more.title.lower()}"))
    console.say("")
    console.say_columns(rows)
    try:
        typed = console.ask("Enter: next course, q: leave > ") if following else "q"
    except EndOfInput:
        return None
    return following if typed.strip() == "" else None


class StepPrompt(PuzzlePrompt):
    """One step at the console."""

    def __init__(self, console: Console, game: Game, exercise: Exercise) -> None:
        puzzle = exercise.puzzle
        super().__init__(
            console, puzzle, lessons.lesson_cast(puzzle.seat), lesson_progress(), exercise.label
        )
        self.game, self.exercise = game, exercise
        self.hints = int(exercise.step.points)  # for the choice that is open

    def teach(self) -> int | None:
        """Ask until the step is done or left: how many steps to go on; None to leave the course."""
        console, exercise = self.console, self.exercise
        console.say("", console.bold(lessons.say_step(self.game, exercise)))
        self.show_board(())
        console.say(lessons.ask_step(exercise))
        if exercise.step.points:
            console.say(lessons.say_clue(exercise, self.trial, 1, self.cast))
        self.list_options()
        console.say(f"{self.how} {HELP}" if exercise.number == 1 else self.how)
        while True:
            try:
                typed = console.ask("Your answer: ").strip()
            except EndOfInput:
                return None
            match typed.lower():
                case "q" | "quit" | "exit":
                    return None
                case "n" | "next":
                    return 1
                case "b" | "back":
                    return -1
                case "r" | "rules":
                    console.say_rules(self.game)
                case "h" | "hint":
                    self.hints = min(self.hints + 1, lessons.STAGES)
                    console.say(lessons.say_clue(exercise, self.trial, self.hints, self.cast))
                case "" | "?" | "help":
                    console.say(f"{self.how} {HELP}")
                case _:
                    if self._try(typed):
                        return self._go_on()

    def _go_on(self) -> int | None:
        try:
            typed = self.console.ask(GO_ON).strip().lower()
        except EndOfInput:
            return None
        return None if typed in ("q", "quit", "exit") else 1

    def _try(self, typed: str) -> bool:
        """Say what comes of an answer. Returns whether the step is done."""
        console, before = self.console, self.trial
        try:
            who = self.puzzle.task is Task.WHO
            trial = self.answer(str(WHO.get(typed.lower().rstrip("."), typed)) if who else typed)
        except NinefoldError as error:
            console.say(str(error))
            return False
        if trial.path:
            self.show_board(trial.path)
        console.say(*lessons.say_answer(self.exercise, trial, self.cast))
        if trial.verdict is Verdict.WRONG:
            if trial.path:  # take it back
                self.show_board(before.path)
            console.say("Try again, or type h for a hint.")
        else:
            self.hints = 0
        return trial.verdict is Verdict.SOLVED
