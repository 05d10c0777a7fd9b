"""`ninefold puzzle`: solve the puzzle of the day, or any other. Answers are checked and explained."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable

from ninefold.cli import UsageError, program
from ninefold.cli.arguments import argument_type, usage_errors
from ninefold.cli.command_words import command_word
from ninefold.cli.console import Console, EndOfInput, console_for, show_progress
from ninefold.cli.solving import PuzzlePrompt
from ninefold.core.errors import NinefoldError
from ninefold.core.puzzles import POSED
from ninefold.games import load, say_slugs
from ninefold.show import puzzles
from ninefold.store.files.progress import PuzzleProgress
from ninefold.study.puzzles import Puzzle, Theme, Verdict, puzzle_data
from ninefold.study.puzzles.days import today
from ninefold.study.puzzles.labels import (
    Label,
    Wanted,
    draw_label,
    find_label,
    read_day,
    read_wanted,
)

NEXT = "n: another like it, Enter: leave > "

EPILOG = f"""\
Without a game, it is the puzzle of the day: the same for everybody. With a game, it is one of that
game's, of any kind that you leave open. A seed always gives the same puzzle.

tasks:   {", ".join(POSED)}
themes:  {", ".join(Theme)}

examples:
  ninefold puzzle
  ninefold puzzle --date 2026-11-16
  ninefold puzzle shadow --seed 12 --grade 2
  ninefold puzzle pattern --theme "quiet move" --json
  ninefold puzzle --failed
  ninefold puzzle --export > progress.txt
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    game = f"one of {say_slugs()}; without one, the puzzle of the day"
    parser.add_argument("game", metavar="GAME", nargs="?", type=argument_type(load), help=game)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--date", metavar="D", help="the puzzle of another day, like 2026-11-16")
    which.add_argument("--seed", metavar="N", help="any number or word; by default one is drawn")
    which.add_argument("--failed", action="store_true", help="list the puzzles that you did not solve")
    which.add_argument("--export", action="store_true", help="print your progress as one line of text")
    carried = (
        "add the progress in this text, from another machine or a browser; - reads it from the input"
    )
    which.add_argument("--import", dest="carried", metavar="TEXT", help=carried)
    parser.add_argument("--task", metavar="T", help="what to find: one of the tasks below")
    parser.add_argument("--grade", metavar="K", help="how hard, from 1 to 9")
    parser.add_argument("--theme", metavar="T", help="what the answer is like: one of the themes below")
    parser.add_argument("--json", action="store_true", help="print the puzzle and its answer as JSON")
    parser.add_argument("--no-emoji", action="store_true", help="share results in words")


def run(arguments: argparse.Namespace) -> int:
    console = console_for(arguments)
    if arguments.failed:
        return list_failed(console)
    if arguments.export:
        print(PuzzleProgress().text)
        return 0
    if arguments.carried is not None:
        return import_progress(console, arguments.carried)
    with usage_errors():
        label = _read_label(arguments)
        show_progress()
        found = label.find()
    if arguments.json:
        print(json.dumps(puzzle_data(found), ensure_ascii=False))
        return 0
    plain = arguments.no_emoji or getattr(arguments, "plain", False)
    return solve_on(console, label, lambda: console.ask(NEXT), plain=plain)


def _read_label(arguments: argparse.Namespace) -> Label:
    """The puzzle that the arguments ask for."""
    kinds = (arguments.task, arguments.grade, arguments.theme)
    if arguments.game is None:
        if arguments.seed is not None or any(kinds):
            raise UsageError(
                "name a game, too: --seed, --task, --grade and --theme are for puzzles of a game"
            )
        return Label(day=today() if arguments.date is None else read_day(arguments.date))
    if arguments.date is not None:
        raise UsageError("give a game or --date, not both: each day has one puzzle, of one game")
    wanted = read_wanted(*kinds)
    if arguments.seed is None:
        return draw_label(arguments.game, wanted)
    return find_label(arguments.game, arguments.seed, wanted)


def import_progress(console: Console, text: str) -> int:
    """Add the progress that a text holds to what is kept here."""
    progress = PuzzleProgress()
    with usage_errors():
        progress.add(sys.stdin.read() if text == "-" else text)
    console.say(puzzles.say_progress(progress.solved, progress.streak(today())))
    return 0


def solve_on(console: Console, label: Label, ask_next: Callable[[], str], *, plain: bool) -> int:
    """Ask a puzzle, and at a terminal one like it for as long as `ask_next` is answered with n.

    Returns the exit status: 1 if the last one was neither solved nor shown. `plain` is for results to
    share: in words, without emoji.
    """
    while True:
        found = label.find()
        status = _LabeledPrompt(console, label, found, plain=plain).run()
        if status or not console.interactive:
            return status
        try:
            if ask_next().strip().lower() not in ("n", "next"):
                return 0
        except EndOfInput:
            return 0
        console.say("")
        label = draw_label(found.state.game, Wanted(found.task, found.grade))


class _LabeledPrompt(PuzzlePrompt):
    """One puzzle, asked until it is solved or its answer is shown."""

    def __init__(self, console: Console, label: Label, puzzle: Puzzle, *, plain: bool) -> None:
        super().__init__(console, puzzle, puzzles.cast_for(puzzle), PuzzleProgress(), str(label))
        self.label, self.plain = label, plain

    def run(self) -> int:
        """Returns the exit status: 1 if the puzzle was left."""
        console, puzzle = self.console, self.puzzle
        console.say(console.bold(puzzles.say_puzzle(puzzle, self.label)))
        self._show_question()
        console.say(self.how)
        while True:
            try:
                typed = console.ask("Your answer (Enter: show it, ?: help): ").strip()
            except EndOfInput:
                return 1
            keys = [option.key for option in puzzle.options]
            match typed.lower() if typed.lower() in keys else command_word(typed):
                case "":
                    self.note(shown=True)
                    console.say(*puzzles.explain(puzzle, self.cast))
                    break
                case "quit":
                    return 1
                case "help":
                    self._say_help()
                case "rules":
                    console.say_rules(puzzle.state.game)
                case "board":
                    self._show_question()
                case _:
                    if self._try(typed):
                        break
        self._sum_up()
        return 0

    def _say_help(self) -> None:
        commands = "Type board to see the position again, rules for the rules, or quit to leave."
        self.console.say(puzzles.EXPLAINED[self.puzzle.task], self.how, commands)

    def _show_question(self) -> None:
        """Show the position in which an answer is wanted now, and what is asked."""
        self.show_board(self.trial.path)
        self.console.say(
            *puzzles.tell_game(self.puzzle, self.cast), puzzles.ask_task(self.puzzle, self.cast)
        )
        self.list_options()

    def _try(self, typed: str) -> bool:
        """Say what comes of an answer. Returns whether it solved the puzzle."""
        console = self.console
        try:
            tried = self.answer(typed)
        except NinefoldError as error:
            known = "Type" in str(error) or self.puzzle.options
            console.say(str(error), *([] if known else [self.how]))
            return False
        wrong = tried.verdict is Verdict.WRONG
        if tried.refuted > 1 if wrong else tried.path:
            self.show_board(tried.path)
        console.say(*puzzles.say_trial(self.puzzle, tried, self.cast))
        if wrong:
            console.say("Try again.")
            self._show_question()
        return tried.verdict is Verdict.SOLVED

    def _sum_up(self) -> None:
        """Say the result to share, the user's progress, and how to explore the position."""
        console, found, progress = self.console, self.puzzle, self.progress
        result = progress.results[str(self.label)]
        if result.solved:
            shared = puzzles.share(found, self.label, len(result.wrong), solved=True, plain=self.plain)
            console.recite("", "To share:", *shared.splitlines())
        console.say("", puzzles.say_progress(progress.solved, progress.streak(today())))
        if progress.failed:
            failed = f"`{program()} puzzle --failed` lists them."
            console.say(f"Not solved: {len(progress.failed)}. {failed}")
        setup = "".join(f" --{name} {value}" for name, value in found.setup.items())
        moves = f' --moves "{" ".join(map(str, found.moves))}"' if found.moves else ""
        console.recite(f"Explore from here: {program()} analyze {found.game}{setup}{moves}")


def list_failed(console: Console) -> int:
    """List the puzzles that were tried or shown and not solved, each as the command to try it again."""
    failed = puzzles.describe_failed(PuzzleProgress().failed)
    if not failed:
        console.say("No puzzle is left to try again.")
    for label, said in failed:
        console.say(said)
        console.recite(f"  {_command_for(label)}")
    return 0


def _command_for(label: Label) -> str:
    """The command line that asks a puzzle."""
    if label.day is not None:
        return f"{program()} puzzle --date {label}"
    return f"{program()} puzzle {label.game} --seed {label.seed}"
