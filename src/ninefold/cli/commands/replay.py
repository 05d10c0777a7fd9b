"""`ninefold replay MATCH`: show a match move by move."""

from __future__ import annotations

import argparse

from ninefold.cli.console import Console, EndOfInput, console_for
from ninefold.cli.picking import add_match, choose_name, find_match, readable_matches
from ninefold.cli.prompt import ask_line
from ninefold.core.turns import ends_turn
from ninefold.match import Match
from ninefold.show.endings import describe_ending
from ninefold.show.moves import cast_of, say_news
from ninefold.show.talk import own_voice

EPILOG = """\
examples:
  ninefold replay                  choose from a list, the last match first
  ninefold replay k7f2q            on a terminal: Enter for the next move, b back, q to stop
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
    name = choose_name(console, readable_matches()) if arguments.match is None else arguments.match
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
        for count in range(len(match.played) + 1):
            _show(console, match, count)
    return 0


def _step_through(console: Console, match: Match) -> None:
    count = 0
    _show(console, match, count)
    while True:
        total = len(match.played)
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


def _show(console: Console, match: Match, count: int) -> None:
    """Show the position after this many moves, and the move that led to it."""
    cast = cast_of(match, paint=console.painter(match.players[0].seat))
    script, view = own_voice(match.game, console.screen), match.states[count].view(cast.player1)
    if count == 0:
        console.say(*script.opening(view, cast))
    else:
        mover = match.played[count - 1].seat
        console.say("", f"Move {count}: {say_news(match, count, mover, cast)}")
        if ends_turn(match.states[count - 1], match.states[count]):
            console.say("", *script.board(view, cast))
    if count == len(match.played) and match.over:
        console.say("", *describe_ending(match, cast).lines)
