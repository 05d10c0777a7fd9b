"""`ninefold watch LINK`: watch a match on a server."""

from __future__ import annotations

import argparse

from ninefold.cli import add_screen_options
from ninefold.cli.away import watch
from ninefold.cli.console import console_for
from ninefold.cli.join import add_link, given_link


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "example:\n  ninefold watch http://127.0.0.1:8909/m/tbG7KYAnrqF7"
    add_link(parser)
    add_screen_options(parser)


def run(arguments: argparse.Namespace) -> int:
    watch(console_for(arguments), given_link(arguments))
    return 0
