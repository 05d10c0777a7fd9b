"""`ninefold host GAME`: start a match on a server, and print the link to send to somebody."""

from __future__ import annotations

import argparse
from random import Random

from ninefold.cli.arguments import add_game, add_setup, argument_type, read_setup, usage_errors
from ninefold.cli.console import console_for
from ninefold.cli.online import play_online
from ninefold.client import Address, Unreachable
from ninefold.client.lobby import SERVER, host_match
from ninefold.core.errors import NinefoldError
from ninefold.match.kinds import Clock
from ninefold.match.record import clean_name
from ninefold.match.seating import SIDES, choose_side
from ninefold.show.offers import LOCAL_LINK
from ninefold.show.status import say_hints
from ninefold.store.files.settings import read_settings

CLOCKS = {  # as they are typed
    "30s": Clock.HALF_MINUTE,
    "2m": Clock.TWO_MINUTES,
    "10m": Clock.TEN_MINUTES,
    "1d": Clock.DAY,
}

EPILOG = """\
examples:
  ninefold host shadow --name Ann
  ninefold host conquest --server https://games.example.org --size 4 --first random
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    add_game(parser)
    parser.add_argument(
        "--server", metavar="URL", default=SERVER, help=f"the server to play on (default: {SERVER})"
    )
    parser.add_argument("--name", metavar="NAME", type=argument_type(clean_name), help="your name")
    parser.add_argument("--first", choices=SIDES, default="1", help="who starts; you are Player 1")
    parser.add_argument(
        "--listed", action="store_true", help="list the match so that anyone on the server can find it"
    )
    parser.add_argument("--clock", choices=tuple(CLOCKS), help="time limit per move (default: none)")
    parser.add_argument("--hints", action="store_true", help="allow hint and eval to both players")
    add_setup(parser, seed=False)


def run(arguments: argparse.Namespace) -> int:
    with usage_errors():
        setup = read_setup(arguments, arguments.game)
        server = Address.parse(arguments.server)
    try:
        link, sent = host_match(
            server,
            arguments.game,
            setup,
            choose_side(arguments.game, arguments.first, Random()),
            arguments.name or read_settings().name or None,
            hints=arguments.hints,
            listed=arguments.listed,
            clock=CLOCKS[arguments.clock] if arguments.clock else None,
        )
    except Unreachable as error:
        start = "Start one with `ninefold serve`, or name another with --server."
        raise NinefoldError(f"{error} {start}") from None
    console = console_for(arguments)
    console.recite(f"Send this link: {sent}")
    if server.local:
        console.say(f"({LOCAL_LINK})")
    console.say(say_hints(arguments.hints), "")
    return play_online(console, link)
