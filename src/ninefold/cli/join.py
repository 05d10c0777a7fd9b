"""`ninefold join LINK`: take the open seat of a match on a server, or come back to one's own."""

from __future__ import annotations

import argparse
from dataclasses import replace

from ninefold.cli import add_screen_options
from ninefold.cli.away import play_away
from ninefold.cli.console import console_for
from ninefold.cli.remote import Link, RemoteError, request
from ninefold.cli.setup import argument, usage
from ninefold.core.errors import NinefoldError
from ninefold.match.record import clean_name

EPILOG = """\
examples:
  ninefold join http://127.0.0.1:8909/m/tbG7KYAnrqF7 --name Ben
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    add_link(parser)
    parser.add_argument("--name", metavar="NAME", type=argument(clean_name), help="how you are called")
    add_screen_options(parser)


def add_link(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("link", metavar="LINK", help="the link of a match, as `ninefold host` prints it")


def given_link(arguments: argparse.Namespace) -> Link:
    with usage():
        return Link.parse(arguments.link)


def run(arguments: argparse.Namespace) -> int:
    link = given_link(arguments)
    if link.token is None:
        try:
            held = request(link.server, "POST", f"/matches/{link.match}/join", {"name": arguments.name})
        except RemoteError as error:
            if error.status == 409:
                raise NinefoldError(f"{error} To look on: ninefold watch {link}") from None
            raise
        link = replace(link, token=held["token"])
    return play_away(console_for(arguments), link)
