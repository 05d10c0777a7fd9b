"""`ninefold levels GAME`: what each level of the computer is like in a game."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from ninefold.cli.arguments import add_game, number_type
from ninefold.cli.console import console_for, show_progress
from ninefold.show.levels import say_habits
from ninefold.study.levels import PAIRS, find_habits, known_habits

EPILOG = """\
The shares are over the positions of some random games. What is known of the five games is said at once;
with --games everything is computed again, and so many games are played against the next level.

examples:
  ninefold levels shadow
  ninefold levels battle --games 400 --json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    add_game(parser)
    parser.add_argument(
        "--games",
        metavar="N",
        type=number_type(range(100_001)),
        help="compute it again, with so many games against the next level, 0 for none",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object for each level")


def run(arguments: argparse.Namespace) -> int:
    console = console_for(arguments)
    game, games = arguments.game, arguments.games
    found = known_habits(game) if games is None else []
    if not found:
        show_progress()
        found = find_habits(game, pairs=PAIRS if games is None else -(-games // 2))
    for one in found:
        if arguments.json:
            print(json.dumps(asdict(one), default=str))  # fractions as text
        else:
            console.say(say_habits(one))
    return 0
