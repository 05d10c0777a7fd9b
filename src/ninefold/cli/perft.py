"""`ninefold perft GAME DEPTH`: counts sequences of turns, the usual check of a rules engine."""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any

from ninefold.cli.console import console_for
from ninefold.cli.setup import add_game, add_setup, given_setup, seeded, usage
from ninefold.core.perft import perft, turns
from ninefold.core.state import State

EPILOG = """\
A challenge with its two numbers is one turn. A game that ends before the depth counts once.

examples:
  ninefold perft cross 6
  ninefold perft shadow 3 --target 15 --json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    add_game(parser)
    parser.add_argument("depth", metavar="DEPTH", type=_depth, help="how many turns to count")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_setup(parser)


def _depth(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 3):
        raise argparse.ArgumentTypeError(f"it must be a whole number from 0 to 99, not {text!r}")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    with usage():
        start = arguments.game.set_up(given_setup(arguments, arguments.game), seeded(arguments))
    count = _count(start, arguments.depth)
    setup = dict(start.setup)
    if arguments.json:
        answer = {"game": start.game.slug, "setup": setup, "depth": arguments.depth, "count": count}
        print(json.dumps(answer))
    else:
        settings = "".join(f" {name}={value}" for name, value in setup.items())
        said = f"{start.game.slug}{settings}: {count} sequences of {arguments.depth} turns"
        console_for(arguments).say(said)
    return 0


def _count(start: State[Any], depth: int) -> int:
    """perft, with a line of progress on a terminal when it takes long."""
    if depth < 2 or start.outcome is not None or not sys.stderr.isatty():
        return perft(start, depth)
    known: dict[tuple[State[Any], int], int] = {}
    openings = list(turns(start))
    began, count = time.monotonic(), 0
    for done, state in enumerate(openings, 1):
        count += perft(state, depth - 1, known)
        if time.monotonic() - began > 1:
            print(f"\r{done} of {len(openings)} openings", end="", file=sys.stderr, flush=True)
    if time.monotonic() - began > 1:
        print("\r" + " " * 40 + "\r", end="", file=sys.stderr, flush=True)
    return count
