"""From a screen to a match on a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice

from ninefold.client import Address, Link, RemoteError, Unreachable, fetch_info
from ninefold.client.lobby import SERVER, list_open, name_seats, take_seat
from ninefold.core.errors import NinefoldError
from ninefold.core.seat import Seat
from ninefold.games import load
from ninefold.match.kinds import Status
from ninefold.show.moves import say_order
from ninefold.store.files.matches import Entry, Seats
from ninefold.store.files.settings import read_settings, save_settings
from ninefold.table.server import ServerTable
from ninefold.tui.background import run_aside
from ninefold.tui.screens.match import MatchScreen
from ninefold.tui.screens.screen import Leaf

ASKING = "Contacting the server..."
KEPT = 5  # seats taken last that are looked at
TO_START = "Start one with `ninefold serve`, or enter the address of another one."


async def sit_down_online(
    screen: Leaf, reach: Callable[[], tuple[Link, str]], *, stay: bool = False
) -> RemoteError | None:
    """Open the table of a match, or say on this screen why that failed.

    The table replaces the screen, unless the screen is to `stay` below it. `reach` talks to the server
    and returns the link of a seat, or of a match to watch, and the link to send if there is one. Returns
    the error if the server refuses.
    """
    if screen.busy:
        return None
    screen.busy = True
    screen.write("status", ASKING)
    try:
        table = await run_aside(lambda: ServerTable(*reach()))
    except NinefoldError as error:
        hint = f" {TO_START}" if isinstance(error, Unreachable) else ""
        screen.write("status", f"{error}{hint}")
        return error if isinstance(error, RemoteError) else None
    finally:
        screen.busy = False
    if screen.is_current:
        screen.write("status", "")
        shown = MatchScreen(table)
        screen.app.push_screen(shown) if stay else screen.app.switch_screen(shown)
    else:  # somebody has gone elsewhere meanwhile
        table.leave()
    return None


@dataclass(frozen=True, slots=True)
class Found:
    """A match to choose from a list."""

    title: str
    text: str
    link: Link  # with the token, if it is one's own


def find_matches(server: Address) -> list[Found]:
    """One's own unfinished matches on a server, and those that are open to everyone."""
    listed, own = list_open(server), []
    for link in islice((link for link in _kept_links() if link.server == server), KEPT):
        with suppress(RemoteError):  # it is there no more
            info = fetch_info(link)
            you = Seat.named(info.you)
            if you is not None and info.status is not Status.OVER:
                waiting = info.status is Status.WAITING
                doing = (
                    "waiting for someone to join" if waiting else f"against {info.player(you.other).name}"
                )
                own.append(Found(info.title, f"yours, {doing}", link))
    mine = {found.link.match for found in own}
    for one in listed:
        if one.match not in mine:
            seat = Seat.named(one.seat) or Seat.FIRST
            order, hints = say_order(load(one.game), seat), "hints for both" if one.hints else "no hints"
            text = f"against {one.opponent}, you {order}, {hints}"
            own.append(Found(one.title, text, Link(server, one.match, None)))
    return own


def _kept_links() -> Iterator[Link]:
    for kept in Seats().links():
        with suppress(NinefoldError):  # a damaged line
            yield Link.parse(kept)


def join_match(link: Link, name: str) -> Link:
    """The link to a seat: one's own, or the open one."""
    if link.token is not None:
        return watch_match(link)
    usual = read_settings().name
    tokens = Seats().tokens(str(link))
    return take_seat(link, tokens, None if name == usual else name or None, usual)[0]


def watch_match(link: Link) -> Link:
    """A match that is there: the link again. Raises NinefoldError."""
    fetch_info(link)
    return link


def return_to(entry: Entry) -> Link:
    """The link to one's seat in a match that was played from here. Raises NinefoldError."""
    link = Link.parse(entry.link)
    kept = [replace(link, token=token) for token in Seats().tokens(entry.link)]
    if len(kept) > 1 and entry.match is not None and entry.you is not None:
        kept = [name_seats(kept)[entry.match.player(entry.you).name]]
    if not kept:
        raise NinefoldError("Your seat in this match is no longer saved on this machine.")
    return watch_match(kept[0])


def usual_server() -> str:
    """The server that was played on last."""
    return read_settings().server or SERVER


def remember_server(address: str) -> None:
    settings = read_settings()
    if address and address != (settings.server or SERVER):
        with suppress(OSError):
            save_settings(replace(settings, server=address))
