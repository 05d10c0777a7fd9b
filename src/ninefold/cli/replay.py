"""`ninefold replay ID|FILE`: a match move by move."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from ninefold.cli import add_screen_options
from ninefold.cli.console import Console, EndOfInput, console_for
from ninefold.match import Match
from ninefold.show.endings import describe_ending
from ninefold.show.moves import cast_of, say_news
from ninefold.show.talk import own_voice
from ninefold.store.files import Matches, read_match

EPILOG = """\
examples:
  ninefold replay k7f2q            on a terminal: Enter for the next move, b back, q to stop
  ninefold replay match.json       a file from elsewhere
  ninefold replay k7f2q --json     the record itself, checked
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    add_match(parser)
    parser.add_argument("--json", action="store_true", help="print the record as JSON")
    add_screen_options(parser)


def add_match(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("match", metavar="ID|FILE", help="a match id, or a file with a record")


def named_match(name: str) -> Match:
    """The match in the file of that name if there is one, else the kept match of that id."""
    return read_match(Path(name) if os.path.isfile(name) else Matches().find(name))


def run(arguments: argparse.Namespace) -> int:
    match = named_match(arguments.match)
    if arguments.json:
        print(match.shared_record().to_json(), end="")
        return 0
    console = console_for(arguments)
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
            typed = console.ask(f"[{count}/{total}] Enter: next, b: back, q: stop > ").strip().lower()
        except EndOfInput:
            return
        if typed in ("q", "quit", "exit"):
            return
        if typed in ("b", "back"):
            if count == 0:
                console.say("This is the start.")
                continue
            count -= 1
        elif typed in ("", "n", "next"):
            if count == total:
                return
            count += 1
        else:
            console.say("Press Enter, or type b or q.")
            continue
        _show(console, match, count)


def _show(console: Console, match: Match, count: int) -> None:
    """The position after that many moves, and how it came about."""
    cast = cast_of(match, paint=console.painter(match.players[0].seat))
    script, view = own_voice(match.game), match.states[count].view(cast.player1)
    if count == 0:
        console.say(*script.opening(view, cast))
    else:
        mover = match.played[count - 1].seat
        console.say("", f"Move {count}: {say_news(match, count, mover, cast)}")
        if not match.states[count].secret:
            console.say("", *script.board(view, cast))
    if count == len(match.played) and match.over:
        console.say("", *describe_ending(match, cast).lines)
