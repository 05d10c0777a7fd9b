"""`ninefold levels GAME`: what each level of the computer is like in a game."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import Any

from ninefold.cli.arguments import add_game, number_type
from ninefold.cli.console import console_for, show_progress
from ninefold.show.levels import say_habits
from ninefold.study.levels import PAIRS, find_habits

EPILOG = """\
The shares are exact, over the positions of some random games. Scores against the next level are from
games that are played for it: with more games they are more exact and take longer.

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
        default=2 * PAIRS,
        help=f"games against the next level, 0 for none ({2 * PAIRS})",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object for each level")


def run(arguments: argparse.Namespace) -> int:
    console = console_for(arguments)
    show_progress()
    for one in find_habits(arguments.game, pairs=-(-arguments.games // 2)):
        if arguments.json:
            print(json.dumps({name: _data(value) for name, value in asdict(one).items()}))
        else:
            console.say(say_habits(one))
    return 0


def _data(value: Any) -> Any:
    return value if isinstance(value, int | float | None) else str(value)
