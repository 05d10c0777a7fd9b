"""`ninefold puzzle`: solve the puzzle of the day, or any other. Answers are checked and explained."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import suppress
from typing import Any

from ninefold.cli import UsageError, program
from ninefold.cli.arguments import argument_type, usage_errors
from ninefold.cli.console import Console, EndOfInput, console_for, show_progress
from ninefold.core.errors import NinefoldError
from ninefold.core.move import Move
from ninefold.core.puzzles import POSED
from ninefold.core.state import State
from ninefold.games import SLUGS, load
from ninefold.show.puzzles import (
    ask_task,
    cast_for,
    explain,
    how_to_answer,
    list_options,
    say_not_kept,
    say_progress,
    say_puzzle,
    say_trial,
    share,
    tell_game,
)
from ninefold.show.talk import own_voice, read_move
from ninefold.store.files.progress import PuzzleProgress
from ninefold.study.puzzles import Asks, Puzzle, Task, Theme, Verdict, puzzle_data, try_answers
from ninefold.study.puzzles.days import today
from ninefold.study.puzzles.labels import Label, draw_label, find_label, read_day, read_label, read_wanted

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
    game = f"one of {', '.join(SLUGS)}; without one, the puzzle of the day"
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
    return solve(console, label, found, plain=plain)


def _read_label(arguments: argparse.Namespace) -> Label:
    """The puzzle that the arguments ask for."""
    kinds = (arguments.task, arguments.grade, arguments.theme)
    if arguments.game is None:
        if arguments.seed is not None or any(kinds):
            raise UsageError("name a game, too: the puzzle of the day is what it is")
        return Label(day=today() if arguments.date is None else read_day(arguments.date))
    if arguments.date is not None:
        raise UsageError("leave out the game: a day has its own")
    wanted = read_wanted(*kinds)
    if arguments.seed is None:
        return draw_label(arguments.game, wanted)
    return find_label(arguments.game, arguments.seed, wanted)


def import_progress(console: Console, text: str) -> int:
    """Add the progress that a text holds to what is kept here."""
    progress = PuzzleProgress()
    with usage_errors():
        progress.add(sys.stdin.read() if text == "-" else text)
    console.say(say_progress(progress.solved, progress.streak(today())))
    return 0


def solve_daily(console: Console) -> int:
    """Ask the puzzle of today. Returns like `solve`."""
    label = Label(day=today())
    return solve(console, label, label.find(), plain=not console.color)


def solve(console: Console, label: Label, found: Puzzle, *, plain: bool) -> int:
    """Ask until the puzzle is solved or its answer is shown. Returns the exit status: 1 if neither.

    `plain` is for the result to share: in words, without emoji.
    """
    progress = PuzzleProgress()
    cast = cast_for(found, console.painter(cast_for(found).player1))
    voice = own_voice(found.state.game, console.screen)

    def show(moves: tuple[Move, ...]) -> None:
        state = found.state.game.sequence(found.state, moves)
        console.recite("", *voice.board(state.view(found.seat), cast), "")

    def note(**result: Any) -> None:
        try:
            progress.note(str(label), **result)
        except OSError as error:  # the puzzle can still be solved
            console.warn(say_not_kept(error.strerror or ""))

    console.say(console.bold(say_puzzle(found, label)))
    show(())
    console.say(*tell_game(found, cast), ask_task(found, cast))
    for key, said in list_options(found):
        console.say(f"  {key}: {said}" if said != key else f"  {key}")
    given: list[str] = []
    verdict = Verdict.OPEN
    while verdict is not Verdict.SOLVED:
        how = how_to_answer(found, given)
        try:
            typed = console.ask("Your answer, or press Enter to see it: ").strip()
        except EndOfInput:
            return 1
        match typed.lower():
            case "":
                note(shown=True)
                console.say(*explain(found, cast))
                break
            case "q" | "quit" | "exit":
                return 1
            case "?" | "help":
                console.say(f"{how} You can also type rules or quit.")
                continue
            case "rules":
                console.say_rules(found.state.game)
                continue
        try:
            if found.task.asks is Asks.MOVES and found.task is not Task.MIX:
                typed = str(read_move(_state_after(found, given), found.seat, typed))
            tried = try_answers(found, [*given, typed])
        except NinefoldError as error:
            console.say(str(error), *([how] if found.task.asks is Asks.MOVES else []))
            continue
        verdict = tried.verdict
        if verdict is Verdict.WRONG:
            note(wrong=str(tried.wrong))
        else:
            given.append(typed)
        if verdict is Verdict.SOLVED:
            note(solved=True)
        if tried.path:
            show(tried.path)
        console.say(*say_trial(found, tried, cast))
        if verdict is Verdict.WRONG:
            console.say("Try again.")
    _sum_up(console, label, found, progress, plain=plain)
    return 0


def _state_after(found: Puzzle, given: list[str]) -> State[Any]:
    """The position in which the next answer is a move."""
    return found.state.game.sequence(found.state, try_answers(found, given).path)


def _sum_up(
    console: Console, label: Label, found: Puzzle, progress: PuzzleProgress, *, plain: bool
) -> None:
    """Say the result to share, the user's progress, and how to explore the position."""
    result = progress.results[str(label)]
    if result.solved:
        shared = share(found, label, len(result.wrong), solved=True, plain=plain)
        console.recite("", "To share:", *shared.splitlines())
    console.say("", say_progress(progress.solved, progress.streak(today())))
    if progress.failed:
        console.say(f"Not solved: {len(progress.failed)}. `{program()} puzzle --failed` lists them.")
    setup = "".join(f" --{name} {value}" for name, value in found.setup.items())
    moves = f' --moves "{" ".join(map(str, found.moves))}"' if found.moves else ""
    console.recite(f"Explore from here: {program()} analyze {found.game}{setup}{moves}")


def list_failed(console: Console) -> int:
    """List the puzzles that were tried or shown and not solved, each as the command to try it again."""
    progress = PuzzleProgress()
    if not progress.failed:
        console.say("No puzzle is left to try again.")
    for text in progress.failed:
        with suppress(NinefoldError):  # the file may have been edited
            wrong = ", ".join(progress.results[text].wrong)
            console.recite(_command_for(read_label(text)) + (f"    wrong: {wrong}" if wrong else ""))
    return 0


def _command_for(label: Label) -> str:
    """The command line that asks a puzzle."""
    if label.day is not None:
        return f"{program()} puzzle --date {label}"
    return f"{program()} puzzle {label.game} --seed {label.seed}"
