"""Which match is meant: by its name, or chosen from a list of the saved ones."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from ninefold.cli.console import Console, EndOfInput
from ninefold.cli.prompt import ask_line
from ninefold.client import Link, fetch_match
from ninefold.core.errors import NinefoldError
from ninefold.core.seat import Seat
from ninefold.match import Match
from ninefold.match.seating import only_person
from ninefold.show.endings import say_result
from ninefold.show.moves import say_players
from ninefold.show.reviews import NOT_YET
from ninefold.store.files.matches import Entry, Matches, OnlineMatches, Seats, all_entries, read_match

MOST_LISTED = 9
ALLOWED = "Type the number of a match, or just press Enter for the first."
NO_UNFINISHED = "There is no unfinished match. `ninefold play GAME` starts one."
NO_MATCHES = "There are no matches yet. `ninefold play GAME` starts one."


def add_match(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "match",
        metavar="MATCH",
        nargs="?",
        help="a match id, a file with a record, or a link to a match; without one, choose from a list",
    )


def find_match(name: str) -> tuple[Match, Seat | None]:
    """Find a match by a file's name, a link or an id. Returns the match and the user's seat in it.

    The seat is None if both players or neither of them played here.
    """
    match, you, _ = _find(name)
    return match, you


def find_to_review(name: str) -> tuple[Match, Seat | None]:
    """Like `find_match`. Raises NinefoldError for a match that is still being played on a server."""
    match, you, online = _find(name)
    if online and not match.over:
        raise NinefoldError(NOT_YET)
    return match, you


def _find(name: str) -> tuple[Match, Seat | None, bool]:
    """A match, the user's seat, and whether it is on a server."""
    if os.path.isfile(name):
        match = read_match(Path(name))
        return match, only_person(match), False
    if "://" in name:
        link = Link.parse(name)
        tokens = Seats().tokens(str(link))
        held = replace(link, token=tokens[0]) if tokens and not link.token else link
        return *fetch_match(held), True
    for entry in OnlineMatches().entries():
        if entry.id == name and entry.match is not None:
            return entry.match, entry.you, True
    match = read_match(Matches().find(name))
    return match, only_person(match), False


def unfinished_matches() -> list[Entry]:
    """The matches that can be continued, the last one first. Raises NinefoldError if there is none."""
    return _some([entry for entry in all_entries() if entry.unfinished], NO_UNFINISHED)


def readable_matches(*, over: bool = False) -> list[Entry]:
    """The matches that can be shown, the last one first. Raises NinefoldError if there is none."""
    found = [entry for entry in all_entries() if entry.match is not None]
    if over:
        return _some(
            [one for one in found if one.match and one.match.over], "There is no finished match yet."
        )
    return _some(found, NO_MATCHES)


def _some(entries: list[Entry], otherwise: str) -> list[Entry]:
    if not entries:
        raise NinefoldError(otherwise)
    return entries


def choose_match(console: Console, entries: Sequence[Entry]) -> Entry | str | None:
    """Ask which match at a terminal, if there are several; else it is the last one. None to leave."""
    if not console.interactive or len(entries) == 1:
        return entries[0]
    try:
        picked = pick(console, entries, lambda prompt: ask_line(console, prompt).strip(), "q to leave")
    except EndOfInput:
        return None
    return None if picked in ("q", "quit", "exit") else picked


def choose_name(console: Console, named: str | None) -> str | None:
    """The match that was named, else the id of one that is chosen. None to leave."""
    picked = choose_match(console, readable_matches()) if named is None else named
    return picked.id if isinstance(picked, Entry) else picked


def pick(console: Console, entries: Sequence[Entry], ask: Callable[[str], str], more: str) -> Entry | str:
    """List matches and ask for one. Returns it, or what was typed instead of a number."""
    listed = entries[:MOST_LISTED]
    rows = []
    for number, entry in enumerate(listed, 1):
        assert entry.match is not None
        about = f"{say_players(entry.match)}: {say_result(entry.match)}"
        rows.append((f" {number}", entry.id, entry.match.game.title, about))
    console.say_columns(rows)
    by_number = {str(number): entry for number, entry in enumerate(listed, 1)}
    while (typed := ask(f"Which match (Enter for 1, {more}): ")).isdigit() and typed not in by_number:
        console.say(ALLOWED)
    return by_number.get(typed or "1", typed)
