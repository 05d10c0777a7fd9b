"""`ninefold join LINK`: take the open seat of a match on a server, or return to your own."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from dataclasses import replace

from ninefold.cli import program
from ninefold.cli.arguments import argument_type, usage_errors
from ninefold.cli.console import Console, console_for
from ninefold.cli.deputy import play_for
from ninefold.cli.online import play_online
from ninefold.client import Link, RemoteError, fetch_info
from ninefold.client.lobby import SeveralSeats, take_seat
from ninefold.core.errors import NinefoldError
from ninefold.match.kinds import Status
from ninefold.match.record import clean_name
from ninefold.players import PERSON, kind
from ninefold.show.status import say_hints
from ninefold.store.files.matches import Seats
from ninefold.store.files.settings import read_settings

TOKEN = "NINEFOLD_TOKEN"  # the environment variable that holds the token of a seat

EPILOG = """\
examples:
  ninefold join http://127.0.0.1:8909/m/tbG7KYAnrqF7 --name Ben
  ninefold join http://127.0.0.1:8909/m/tbG7KYAnrqF7 --name Bot --player level:5
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    add_link(parser)
    parser.add_argument("--name", metavar="NAME", type=argument_type(clean_name), help="your name")
    parser.add_argument(
        "--player",
        metavar="PLAYER",
        type=argument_type(kind),
        default=PERSON,
        help="who plays the seat from here: level:5, program:COMMAND, chat:MODEL (default: person)",
    )


def add_link(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("link", metavar="LINK", help="the match link that `ninefold host` prints")


def read_link(arguments: argparse.Namespace) -> Link:
    with usage_errors():
        return Link.parse(arguments.link)


def run(arguments: argparse.Namespace) -> int:
    link = _hide_token(read_link(arguments))
    console = console_for(arguments)
    if link.token is None:
        link = _take_seat(console, link, arguments.name)
    else:
        fetch_info(link)
    if arguments.player != PERSON:
        return play_for(console, link, arguments.player)
    return play_online(console, link)


def rejoin(console: Console, link: str) -> int:
    """Return to a seat that was taken from this machine. The exit status."""
    return play_online(console, _take_seat(console, Link.parse(link), None))


def _hide_token(link: Link) -> Link:
    """Take the token of a seat off the command line. Returns the link with its token.

    Everyone on this machine can read a command line while the program runs. So the program starts itself
    again without the token, and passes it in its environment, which only the user can read.
    """
    if (token := os.environ.pop(TOKEN, None)) is not None:
        return replace(link, token=token)
    if link.token is not None:
        typed = [word for word in sys.orig_argv if f"#{link.token}" in word]
        if typed:
            words = [word.partition("#")[0] if word in typed else word for word in sys.orig_argv]
            os.execve(sys.executable, [sys.executable, *words[1:]], {**os.environ, TOKEN: link.token})
    return link


def _take_seat(console: Console, link: Link, name: str | None) -> Link:
    """Return to a seat that was taken from this machine, or take the open one. The link to the seat."""
    tokens = Seats().tokens(str(link))
    info = fetch_info(link)
    if info.status is Status.WAITING and (not tokens or name is not None):
        console.say(say_hints(info.hints), "")  # joining is agreeing to that
    try:
        seat, returned = take_seat(link, tokens, name, read_settings().name)
    except SeveralSeats as error:
        ways = "\n".join(f"  {program()} join {link} --name {shlex.quote(one)}" for one in error.names)
        both = "Both seats of this match were taken here. To return to one:"
        raise NinefoldError(f"{both}\n{ways}") from None
    except RemoteError as error:
        if error.status != 409:
            raise
        raise NinefoldError(f"{error} To watch: {program()} watch {link}") from None
    if returned:
        console.say("Back in your seat. (To take the other seat here too, use --name.)", "")
    return seat
