"""`ninefold rules GAME`"""

from __future__ import annotations

import argparse

from ninefold.cli.setup import add_game


def configure(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.epilog = "example:\n  ninefold rules cross"


def run(arguments: argparse.Namespace) -> int:
    print(arguments.game.rules, end="")
    return 0
