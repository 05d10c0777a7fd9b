"""`ninefold perft GAME DEPTH`: count sequences of turns, the usual check of a rules engine."""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any

from ninefold.cli.arguments import add_game, add_setup, make_rng, number_type, read_setup, usage_errors
from ninefold.cli.console import console_for
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
    depth = number_type(range(100), "a whole number")
    parser.add_argument("depth", metavar="DEPTH", type=depth, help="how many turns to count")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_setup(parser)


def run(arguments: argparse.Namespace) -> int:
    with usage_errors():
        start = arguments.game.set_up(read_setup(arguments, arguments.game), make_rng(arguments))
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
    """Count with perft. If it takes over a second, a terminal shows how far it is."""
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
