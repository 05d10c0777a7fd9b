"""A player of this machine in a seat of a match on a server: a computer, a program or a model."""

from __future__ import annotations

from random import Random

from ninefold.cli.console import Console
from ninefold.client import Link, Unreachable
from ninefold.client.events import Connection
from ninefold.client.seat import GONE
from ninefold.core.errors import NinefoldError
from ninefold.match.kinds import Offer
from ninefold.match.sitting import Deed
from ninefold.players import Chooser, PlayerFailed, agrees_to_stop, seat_player
from ninefold.show.endings import describe_ending
from ninefold.show.moves import say_news
from ninefold.table.server import ServerTable


def play_for(console: Console, link: Link, kind: str) -> int:
    """Let a player of this kind play the seat to the end. The exit status.

    A player that fails resigns. It refuses takebacks, and agrees to stop where nobody can force a win.
    """
    player = seat_player(kind, Random())
    if player is None:
        raise NinefoldError("A person needs no --player: leave it out to play yourself.")
    table = ServerTable(link, "", lambda said: console.notify(f"ninefold: {said}"), lambda _: False)
    try:
        told = 0
        while True:
            told = _tell(console, table, told)
            if table.over:
                break
            if table.mover is not None:
                _move(console, table, player)
            elif table.heard.get() is Connection.GONE:
                raise Unreachable(GONE)
            if table.allows(Deed.ANSWER):
                _answer(table)
        console.say("", *describe_ending(table.match, table.cast).lines)
    finally:
        player.close()
        table.leave()
    return 0


def _tell(console: Console, table: ServerTable, told: int) -> int:
    """Say what was played since the last time. Returns how many moves have been told of."""
    match = table.match
    for number in range(told + 1, len(match.played) + 1):
        console.say(say_news(match, number, table.you, table.cast))
    return len(match.played)


def _move(console: Console, table: ServerTable, player: Chooser) -> None:
    match, seat = table.match, table.mover
    assert seat is not None
    try:
        move = player.choose(match.open_state, seat, lambda: match.record(seat).to_data())
    except PlayerFailed as error:
        console.say(f"{error} The seat resigns.")
        table.resign(seat)
        return
    try:
        table.play(seat, move, match.ply)
    except NinefoldError as error:  # something else happened first, such as a takeback
        console.say(str(error))


def _answer(table: ServerTable) -> None:
    """Answer what the other player offers."""
    table.answer(agree=table.sitting.offered is Offer.STOP and agrees_to_stop(table.match.open_state))
