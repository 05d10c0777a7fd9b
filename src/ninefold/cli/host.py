"""`ninefold host GAME`: open a match on a server and send somebody the link."""

from __future__ import annotations

import argparse
from random import Random

from ninefold.cli.console import console_for
from ninefold.cli.online import play_online
from ninefold.cli.setup import add_game, add_setup, argument, given_setup, usage
from ninefold.client import Address, Link, Unreachable, new_key, request
from ninefold.core.errors import NinefoldError
from ninefold.core.seat import Seat
from ninefold.match.record import clean_name
from ninefold.match.seating import SIDES, choose_side
from ninefold.store.settings import read_settings

SERVER = "http://127.0.0.1:8909"
TYPED = {"30s": 30, "2m": 120, "10m": 600, "1d": 86400}  # clocks, in seconds for a move

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
    parser.add_argument("--name", metavar="NAME", type=argument(clean_name), help="your name")
    parser.add_argument("--first", choices=SIDES, default="1", help="who starts; you are Player 1")
    parser.add_argument(
        "--listed", action="store_true", help="list the match so that anyone on the server can find it"
    )
    parser.add_argument("--clock", choices=tuple(TYPED), help="time limit per move (default: none)")
    parser.add_argument("--no-help", action="store_true", help="turn off hint and eval for both players")
    add_setup(parser, seed=False)


def run(arguments: argparse.Namespace) -> int:
    with usage():
        setup = given_setup(arguments, arguments.game)
        server = Address.parse(arguments.server)
    you = {"kind": "person", "name": arguments.name or read_settings().name or None}
    other = {"kind": "open"}
    seat = choose_side(arguments.first, Random())
    wanted = {
        "game": arguments.game.slug,
        "setup": setup,
        "first": you if seat is Seat.FIRST else other,
        "second": other if seat is Seat.FIRST else you,
        "hints": not arguments.no_help,
        "listed": arguments.listed,
    }
    if arguments.clock:  # only then, so that older servers are asked for nothing they do not know
        wanted["clock"] = TYPED[arguments.clock]
    try:
        created = request(server, "POST", "/matches", wanted, attempts=1, key=new_key())
    except Unreachable as error:
        start = "Start one with `ninefold serve`, or name another with --server."
        raise NinefoldError(f"{error} {start}") from None
    console = console_for(arguments)
    console.recite(f"Send this link: {created['link']}")
    if server.local:
        console.say("(This link works only on this machine.)")
    console.say("")
    return play_online(console, Link(server, created["match"], created["held"][0]["token"]))
