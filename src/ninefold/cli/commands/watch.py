"""`ninefold watch LINK`: watch a match on a server."""

from __future__ import annotations

import argparse

from ninefold.cli.commands.join import add_link, read_link
from ninefold.cli.console import console_for
from ninefold.cli.online import watch


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "example:\n  ninefold watch http://127.0.0.1:8909/m/tbG7KYAnrqF7"
    add_link(parser)


def run(arguments: argparse.Namespace) -> int:
    watch(console_for(arguments), read_link(arguments))
    return 0
