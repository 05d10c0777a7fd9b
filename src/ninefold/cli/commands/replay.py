"""`ninefold replay MATCH`: show a match turn by turn."""

from __future__ import annotations

import argparse

from ninefold.cli.console import Console, EndOfInput, console_for
from ninefold.cli.picking import add_match, choose_name, find_match
from ninefold.cli.prompt import ask_line
from ninefold.cli.voice import Voice
from ninefold.core.cast import Cast
from ninefold.core.turns import Turn
from ninefold.match import Match
from ninefold.show.endings import describe_ending
from ninefold.show.moves import cast_of, say_news
from ninefold.show.scene import scene_of_match

EPILOG = """\
examples:
  ninefold replay                  choose from a list, the last match first
  ninefold replay k7f2q            on a terminal: Enter for the next turn, b back, q to stop
  ninefold replay match.json       a file from elsewhere
  ninefold replay k7f2q --json     the record itself, checked
  ninefold replay http://127.0.0.1:8909/m/tbG7KYAnrqF7
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    add_match(parser)
    parser.add_argument("--json", action="store_true", help="print the record as JSON")


def run(arguments: argparse.Namespace) -> int:
    console = console_for(arguments)
    name = choose_name(console, arguments.match)
    if name is None:
        return 0
    match, _ = find_match(name)
    if arguments.json:
        print(match.shared_record().to_json(), end="")
        return 0
    names = [player.name for player in match.players]
    console.say(f"{match.game.title}: {names[0]} against {names[1]}, {match.started}", "")
    if console.interactive:
        _step_through(console, match)
    else:
        for number in range(len(match.turns) + 1):
            _show(console, match, number)
    return 0


def _step_through(console: Console, match: Match) -> None:
    count, total = 0, len(match.turns)
    _show(console, match, count)
    while True:
        try:
            typed = ask_line(console, f"[{count}/{total}] Enter: next, b: back, q: stop > ")
        except EndOfInput:
            return
        match typed.strip().lower():
            case "q" | "quit" | "exit":
                return
            case "b" | "back" if count == 0:
                console.say("This is the start.")
                continue
            case "b" | "back":
                count -= 1
            case "" | "n" | "next" if count == total:
                return
            case "" | "n" | "next":
                count += 1
            case _:
                console.say("Press Enter, or type b or q.")
                continue
        _show(console, match, count)


def _show(console: Console, match: Match, number: int) -> None:
    """Show the position after turn `number`, and the turn itself; 0 is the start."""
    cast = cast_of(match, paint=console.painter(match.players[0].seat))
    voice, turn = Voice(console.screen), match.turns[number - 1] if number else None
    scene = scene_of_match(match, cast.player1, cast, turn.stop if turn else 0)
    if turn is None:
        console.say(*voice.opening(scene))
    else:
        console.say("", f"Turn {number}: {_tell_turn(match, turn, cast)}")
        if turn.revealed:
            console.say("", *voice.board(scene))
    if number == len(match.turns) and match.over:
        console.say("", *describe_ending(match, cast).lines)


def _tell_turn(match: Match, turn: Turn, cast: Cast) -> str:
    """A turn in sentences, each with only what the player who moved may know."""
    chosen = turn.start + turn.public
    untold = range(chosen + 1, turn.stop) if turn.revealed else range(0)  # until all are revealed
    numbers = (number for number in range(turn.start + 1, turn.stop + 1) if number not in untold)
    return " ".join(say_news(match, number, match.played[number - 1].seat, cast) for number in numbers)
