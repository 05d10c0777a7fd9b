"""Getting a seat in a match on a server: a new match, a listed one, or one by its link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ninefold.client import Address, Link, RemoteError, fetch_info, new_key, request
from ninefold.client.wire import Created, HeldSeat, JoinRequest, NewMatch, OpenMatch, SeatRequest
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.match.kinds import Clock, SeatKind

SERVER = "http://127.0.0.1:8909"  # the default address of `ninefold serve`


class SeveralSeats(NinefoldError):
    """Both seats of a match were taken from this machine, and the name of one was not given."""

    def __init__(self, names: Sequence[str]) -> None:
        both = " and ".join(names)
        super().__init__(f"Both seats of this match were taken here. Whose is yours: {both}?")
        self.names = names


def host_match(
    server: Address,
    game: Game,
    setup: Mapping[str, int | str],
    seat: Seat,
    name: str | None,
    *,
    hints: bool = False,
    listed: bool = False,
    clock: Clock | None = None,
) -> tuple[Link, str]:
    """Start a match with an open seat. Returns the link to your own seat, and the link to send."""
    you, other = SeatRequest(name=name), SeatRequest(SeatKind.OPEN)
    first, second = (you, other) if seat is Seat.FIRST else (other, you)
    wanted = NewMatch(game.slug, dict(setup), first, second, hints, listed, clock)
    created = request(Created, server, "POST", "/matches", wanted, attempts=1, key=new_key())
    return Link(server, created.match, created.held[0].token), created.link


def list_open(server: Address) -> list[OpenMatch]:
    """List the matches on a server that anyone can join."""
    return request(list[OpenMatch], server, "GET", "/matches", attempts=1)


def take_seat(
    link: Link, tokens: Sequence[str], name: str | None, usual: str | None = None
) -> tuple[Link, bool]:
    """Take a seat, or return to one. Returns its link, and whether it was returned to without its name.

    `tokens` are those of the seats that were taken from this machine. A name that none of them has takes
    the open seat, so that two people can play at one machine. Without a name, the only earlier seat is
    returned to; if there is none, the open seat is taken under the `usual` name. Raises SeveralSeats, and
    RemoteError with status 409 if no seat is free.
    """
    earlier = [replace(link, token=token) for token in tokens]
    names = name_seats(earlier) if name is not None or len(earlier) > 1 else {}
    if name in names:
        return names[name], False
    if not earlier or name is not None:
        try:
            path, wanted = f"/matches/{link.match}/join", JoinRequest(name or usual or None)
            held = request(HeldSeat, link.server, "POST", path, wanted, attempts=1, key=new_key())
            return replace(link, token=held.token), False
        except RemoteError as error:
            if error.status != 409 or not earlier:
                raise
    if len(earlier) > 1:
        raise SeveralSeats(list(names))
    return earlier[0], True


def name_seats(links: Sequence[Link]) -> dict[str, Link]:
    """Links to seats, by the names of the players who hold them."""
    named = {}
    for link in links:
        info = fetch_info(link)
        seat = Seat.named(info.you)
        if seat is not None:
            named[info.player(seat).name] = link
    return named
