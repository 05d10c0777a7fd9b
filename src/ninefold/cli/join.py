"""`ninefold join LINK`: take the open seat of a match on a server, or come back to one's own."""

from __future__ import annotations

import argparse
from dataclasses import replace

from ninefold.cli import add_screen_options, program
from ninefold.cli.away import play_away
from ninefold.cli.console import Console, console_for
from ninefold.cli.setup import argument, usage
from ninefold.client import Link, RemoteError, new_key, request
from ninefold.core.errors import NinefoldError
from ninefold.match.record import clean_name
from ninefold.store.files import Seats

EPILOG = """\
examples:
  ninefold join http://127.0.0.1:8909/m/tbG7KYAnrqF7 --name Ben
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    add_link(parser)
    parser.add_argument("--name", metavar="NAME", type=argument(clean_name), help="your name")
    add_screen_options(parser)


def add_link(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("link", metavar="LINK", help="the match link that `ninefold host` prints")


def given_link(arguments: argparse.Namespace) -> Link:
    with usage():
        return Link.parse(arguments.link)


def run(arguments: argparse.Namespace) -> int:
    link = given_link(arguments)
    console = console_for(arguments)
    if link.token is None:
        link = _seated(console, link, arguments.name)
    else:
        request(link.server, "GET", f"/matches/{link.match}", token=link.token, attempts=1)
    return play_away(console, link)


def _seated(console: Console, link: Link, name: str | None) -> Link:
    """The link to a seat: that which was taken from here before, or the open one.

    Who gives a name is somebody new: both may sit at this machine.
    """
    kept = [replace(link, token=token) for token in Seats().tokens(str(link))]
    if not kept or name is not None:
        try:
            path = f"/matches/{link.match}/join"
            held = request(link.server, "POST", path, {"name": name}, attempts=1, key=new_key())
            return replace(link, token=held["token"])
        except RemoteError as error:
            if error.status != 409:
                raise
            if not kept:
                raise NinefoldError(f"{error} To watch: {program()} watch {link}") from None
    if len(kept) > 1:
        ways = "\n".join(f"  {program()} join '{one}'" for one in kept)
        raise NinefoldError(f"Both seats of this match were taken here. To return to one:\n{ways}")
    console.say("Back in your seat. (To take the other seat here too, use --name.)", "")
    return kept[0]
