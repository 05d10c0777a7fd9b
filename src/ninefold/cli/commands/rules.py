"""`ninefold rules GAME`: print the rules of a game."""

from __future__ import annotations

import argparse

from ninefold.cli.arguments import add_game
from ninefold.cli.console import console_for


def configure(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.epilog = "example:\n  ninefold rules cross"


def run(arguments: argparse.Namespace) -> int:
    console_for(arguments).say_rules(arguments.game)
    return 0
