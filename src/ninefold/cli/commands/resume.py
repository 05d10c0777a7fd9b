"""`ninefold resume [ID]`: continue an unfinished match."""

from __future__ import annotations

import argparse
from random import Random

from ninefold.cli.console import Console, console_for
from ninefold.cli.pairing import Pairing
from ninefold.core.words import pluralize
from ninefold.match.seating import lasting_settings
from ninefold.show.moves import cast_of, only_person
from ninefold.store.files.matches import Matches, StoreError
from ninefold.table.file import FileTable

EPILOG = """\
examples:
  ninefold resume          the last unfinished match
  ninefold resume k7f2q    that one; the first letters of its id are enough
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("id", metavar="ID", nargs="?", help="which match (see ninefold history)")
    parser.add_argument("--no-help", action="store_true", help="turn off hint and eval from now on")


def run(arguments: argparse.Namespace) -> int:
    return resume(console_for(arguments), arguments.id, hints=not arguments.no_help)


def resume(console: Console, name: str | None, *, hints: bool = True) -> int:
    """Continue the match with this id, or the last unfinished one. Returns the exit status.

    `hints=False` turns hints off; a match that was started without them stays that way.
    """
    table = FileTable.resume(_last_unfinished() if name is None else name, hints=hints)
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


def _last_unfinished() -> str:
    for entry in Matches().entries():
        if entry.unfinished:
            return entry.id
    raise StoreError("There is no unfinished match. `ninefold play GAME` starts one.")
