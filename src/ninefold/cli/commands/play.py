"""`ninefold play GAME`: play at this terminal: a game, a series, rematches."""

from __future__ import annotations

import argparse

from ninefold.cli.arguments import (
    add_game,
    add_setup,
    add_voice,
    argument_type,
    make_rng,
    number_type,
    read_setup,
    usage_errors,
)
from ninefold.cli.console import console_for
from ninefold.cli.pairing import Pairing
from ninefold.core.game import Game
from ninefold.core.outcome import LIMIT
from ninefold.match.record import clean_name
from ninefold.match.seating import SIDES, fill_names, refuse_coach
from ninefold.players import PERSON, kind
from ninefold.store.files.settings import read_settings

BEST_OF = range(1, 100, 2)  # how many games a series may have

EPILOG = """\
players:
  person           somebody at this terminal (the default)
  random           any legal move
  greedy           the move that gains the most right away
  level:1 .. 9     makes mistakes, fewer at each higher level
  sight:1 .. 9     sees the wins and losses of the next 2 to 18 moves, and nothing else
  perfect          never gives away a won position
  program:COMMAND  any program (see docs/players.md); program@60:COMMAND has 60 seconds for a move
  chat:MODEL       a language model (see docs/models.md)

examples:
  ninefold play shadow --target 15 --name1 Alice --name2 Bob
  ninefold play pattern --p2 level:5 --coach
  ninefold play battle --grid 792415863
  ninefold play conquest --size 4 --first random --p1 perfect
  ninefold play cross --seed 7 --best-of 3

At any prompt: ? help, h hint, e eval, u undo, b board, r rules, q quit, resign, and stop in a game
that could go on forever. Every move is saved; `ninefold resume` continues an unfinished game.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    add_game(parser)
    for player in (1, 2):
        parser.add_argument(
            f"--p{player}",
            metavar="PLAYER",
            type=argument_type(kind),
            default=PERSON,
            help=f"who plays as Player {player} (default: person)",
        )
        parser.add_argument(
            f"--name{player}",
            metavar="NAME",
            type=argument_type(clean_name),
            help=f"Player {player}'s name",
        )
    parser.add_argument("--first", choices=SIDES, default="1", help="who starts (default: Player 1)")
    parser.add_argument(
        "--best-of",
        metavar="N",
        type=number_type(BEST_OF, "an odd number"),
        help="play a series of up to N games (an odd number); the players take turns starting",
    )
    parser.add_argument(
        "--no-help",
        action="store_true",
        help="turn off hint and eval for this match, also when it is resumed",
    )
    parser.add_argument(
        "--coach",
        action="store_true",
        help="against the computer: stop at a move that gives something away, so that you can change it",
    )
    parser.add_argument(
        "--limit",
        metavar="N",
        type=number_type(range(1, 1_000_000)),
        default=LIMIT,
        help=f"stop after N moves, without a winner, if no person plays ({LIMIT})",
    )
    add_voice(parser)
    add_setup(parser)


def run(arguments: argparse.Namespace) -> int:
    game: Game = arguments.game
    kinds = (arguments.p1, arguments.p2)
    names = (arguments.name1, arguments.name2)
    with usage_errors():
        setup = read_setup(arguments, game)
        fill_names(names, kinds)  # refuses two equal names here, where that is wrong usage
        if arguments.coach:
            refuse_coach(kinds)
    if (name := read_settings().name) and kinds.count(PERSON) == 1:
        person = kinds.index(PERSON)
        names = (names[0] or name, names[1]) if person == 0 else (names[0], names[1] or name)
    return Pairing(
        console=console_for(arguments),
        game=game,
        setup=setup,
        rng=make_rng(arguments),
        kinds=kinds,
        names=names,
        first=arguments.first,
        best_of=arguments.best_of,
        hints=not arguments.no_help,
        coach=arguments.coach,
        limit=arguments.limit,
    ).start()
