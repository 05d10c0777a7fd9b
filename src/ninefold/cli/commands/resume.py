"""`ninefold resume [ID]`: continue an unfinished match."""

from __future__ import annotations

import argparse
from random import Random

from ninefold.cli.arguments import add_voice
from ninefold.cli.commands.join import rejoin
from ninefold.cli.console import Console, console_for
from ninefold.cli.pairing import Pairing
from ninefold.cli.picking import choose_match, unfinished_matches
from ninefold.core.words import pluralize
from ninefold.match.seating import lasting_settings, only_person
from ninefold.show.moves import cast_of
from ninefold.store.files.matches import Entry
from ninefold.table.file import FileTable

EPILOG = """\
examples:
  ninefold resume          choose from your unfinished matches, the last one first
  ninefold resume k7f2q    that one; the first letters of its id are enough
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("id", metavar="ID", nargs="?", help="which match (see ninefold history)")
    parser.add_argument("--no-help", action="store_true", help="turn off hint and eval from now on")
    add_voice(parser)


def run(arguments: argparse.Namespace) -> int:
    console = console_for(arguments)
    picked = choose_match(console, unfinished_matches()) if arguments.id is None else arguments.id
    return 0 if picked is None else continue_match(console, picked, hints=not arguments.no_help)


def continue_match(console: Console, picked: Entry | str, *, hints: bool = True) -> int:
    """Continue a match from the list, here or on its server, or the one with an id. The exit status."""
    if isinstance(picked, str):
        return resume(console, picked, hints=hints)
    return rejoin(console, picked.link) if picked.link else resume(console, picked.id, hints=hints)


def resume(console: Console, name: str, *, hints: bool = True) -> int:
    """Continue the match with this id. Returns the exit status.

    `hints=False` turns hints off; a match that was started without them stays that way.
    """
    table = FileTable.resume(name, hints=hints)
    match = table.match
    cast = cast_of(match, only_person(match))
    who, against = (cast.who(seat) for seat in cast.players)
    count = len(match.played)
    console.say(f"{match.game.title}: {who} against {against}, {pluralize(count, 'move')} so far.", "")
    first, second = match.players
    pairing = Pairing(
        console,
        match.game,
        setup=match.series.setup if match.series else lasting_settings(match),
        rng=Random(),
        kinds=(first.kind, second.kind),
        hints=match.hints,
        limit=match.limit,
    )
    return pairing.play_from(table, resumed=True)
