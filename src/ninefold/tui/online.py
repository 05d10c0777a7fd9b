"""A match on a server, played from a seat or watched."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TypeVar

from ninefold.client import Link
from ninefold.client.events import Connection, Events, News
from ninefold.client.seat import GONE, RESTORED, RemoteSeat
from ninefold.client.wire import MatchInfo
from ninefold.core.errors import NinefoldError
from ninefold.core.move import Move
from ninefold.core.seat import SEATS, Seat
from ninefold.match import Match, Series
from ninefold.match.events import Joined, SeatEvent
from ninefold.match.kinds import Action, Offer, SeatKind, Status
from ninefold.show.moves import capitalize
from ninefold.show.offers import STAYS, say_event, say_invitation, say_offer
from ninefold.show.scene import Scene, scene_of
from ninefold.show.status import Presence, say_note, say_open_seat, say_sending
from ninefold.show.values import Bar, bar_of
from ninefold.store.files import OnlineMatches, Seats
from ninefold.study.data import value_from_data
from ninefold.tui.background import run_aside
from ninefold.tui.sitting import Sitting

T = TypeVar("T")
COPY = "(l: copy it)"
ANSWERS = "(a: accept, d: decline)"


class OnlineSitting(Sitting):
    """A match on a server. Without a token in its link it is watched.

    Everything is read again from the server when something has happened there, so a lost connection
    loses nothing.
    """

    def __init__(self, remote: RemoteSeat, info: MatchInfo, match: Match, invitation: str) -> None:
        self.match = match
        self.you = Seat.named(info.you)
        self.link = invitation or remote.address
        self._remote = remote
        self._info = info
        self._trouble = ""  # what is wrong with the connection
        self._told = ""  # what the other player has done beside the moves
        self._left = False  # nobody sits here any more
        self._gone = False  # the server has the match no more
        self._sending = False  # whether a move is on its way
        self._stale = False
        self._reading: asyncio.Task[None] | None = None
        loop = asyncio.get_running_loop()

        def pass_on(act: Callable[[T], None]) -> Callable[[T], bool]:
            """Have something done here that another thread has heard of."""

            def call(news: T) -> bool:
                with suppress(RuntimeError):  # the program has ended
                    loop.call_soon_threadsafe(act, news)
                return True

            return call

        remote.notify = pass_on(self._note)
        self._events = Events(remote.link, info.version, pass_on(self._hear))

    @classmethod
    async def open(cls, link: Link, invitation: str = "") -> OnlineSitting:
        """Sit down at a match, however long it takes until the server is there. Raises NinefoldError.

        `invitation` is the link to send, if the server has named one.
        """
        remote = RemoteSeat(link)
        info, match = await run_aside(lambda: _read(remote))
        if link.token is not None:
            with suppress(OSError):  # then this machine does not know the way back
                Seats().add(remote.address, link.token)
        return cls(remote, info, match, invitation)

    # What is known of it

    @property
    def waiting(self) -> bool:
        return self._info.status is Status.WAITING

    @property
    def mover(self) -> Seat | None:
        idle = self.over or self.waiting or self._sending or self._gone
        return None if idle or self.you not in self.match.state.movers else self.you

    @property
    def advised(self) -> bool:
        return self.you is not None and not self.waiting and super().advised

    def scene(self) -> Scene:
        match, offered = self.match, () if self.mover is None else None
        return scene_of(match.states, match.played, self.viewer, self.cast, offered)

    def status(self) -> str:
        if self.waiting:
            return say_open_seat(seated=self.you is not None)
        return say_sending() if self._sending else super().status()

    @property
    def notice(self) -> str:
        """What is asked and told beside the moves, and what is wrong with the connection."""
        said = [self._trouble, self._told]
        if self.waiting and self.you is not None:
            said += [say_invitation(self.link, local=self._remote.link.server.local), COPY]
        if not self.over:
            said += self._say_offers()
        return " ".join(filter(None, said))

    def _say_offers(self) -> list[str]:
        said = [
            say_offer(offer, seat, self.cast)
            for offer, name in self._info.offers.items()
            if (seat := Seat.named(name)) is not None
        ]
        return [*said, ANSWERS] if self._offered else said

    @property
    def _offered(self) -> Offer | None:
        """What the other player offers now."""
        return None if self.you is None or self._info.next else self._info.offered(self.you.other)

    def notes(self) -> dict[Seat, str]:
        notes = super().notes()
        for seat in SEATS:
            info, presence = self._info.player(seat), None
            if info.kind == SeatKind.PERSON and seat is not self.you and not (self.over or self.waiting):
                presence = Presence.AWAY if str(seat) in self._info.away else Presence.HERE
            left = self._time_left() if seat in self.match.state.movers and not self.over else None
            if said := say_note(presence, info.hints, left):
                notes[seat] = said
        return notes

    @property
    def ticking(self) -> bool:
        return not self.over and self._info.deadline is not None

    def _time_left(self) -> int | None:
        """Seconds for the move that is awaited. The clocks of two machines may differ a little."""
        if self._info.deadline is None:
            return None
        left = datetime.fromisoformat(self._info.deadline) - datetime.now(UTC)
        return min(max(0, round(left.total_seconds())), self._info.clock or 0)

    @property
    def score(self) -> Series | None:
        first, second = (self._info.player(seat).wins for seat in self.cast.players)
        before = first + second - (self.match.outcome is not None)
        return Series(1, (first, second)) if before > 0 else None

    def afterwards(self) -> str:
        said = [self._trouble, self._told, *(self._say_offers() if not self._info.next else [])]
        asked = super().afterwards() if self.you is not None else ""
        return " ".join(filter(None, said)) or asked

    @property
    def followed(self) -> bool:
        return self.you is not None and self._info.next is not None

    def allows(self, action: str) -> bool:
        seated = self.you is not None and not self._gone
        match action:
            case "follow":
                return seated or self._info.next is not None
            case "answer":
                return seated and self._offered is not None
            case "claim":
                theirs = self.you not in self.match.state.movers and bool(self._info.away)
                return seated and not self.over and not self.waiting and theirs and not self.ticking
            case "abort":
                return seated and not self.over and not self.match.played
            case "copy_link":
                return True
        return False

    # What happens there

    def _note(self, message: str) -> None:
        self._trouble = "" if message == RESTORED else capitalize(message)
        self._told = capitalize(message) if message == RESTORED else ""
        self.changed()

    def _hear(self, news: News) -> None:
        match news:
            case Connection.LOST:
                self._remote.report_lost()
            case Connection.RESTORED:
                self._remote.report_restored()
            case Connection.GONE:
                self._gone, self._trouble = True, GONE
                self.changed()
            case event:
                self._told = ""
                if isinstance(event, SeatEvent) and event.seat is not self.you:
                    name = event.name if isinstance(event, Joined) else self.cast.name(event.seat)
                    self._told = say_event(event, name)
                self._read_soon()

    def _read_soon(self) -> asyncio.Task[None]:
        """Read the match again: once, for everything that has happened by then."""
        self._stale = True
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(self._read_again())
        return self._reading

    async def _read_again(self) -> None:
        while self._stale:
            self._stale = False
            try:
                self._info, self.match = await run_aside(lambda: _read(self._remote))
            except NinefoldError as error:
                self._trouble = str(error)
        self.changed()

    # What is done from here

    async def _act(self, act: Callable[[], object]) -> None:
        """Do something there, and see what has come of it, done or refused."""
        self._told = ""
        try:
            await run_aside(act)
        except NinefoldError:
            self._read_soon()
            raise
        finally:
            self._sending = False
        await asyncio.shield(self._read_soon())

    async def play(self, seat: Seat, move: Move) -> None:
        self._sending, ply = True, self.match.ply
        if self._trouble:
            self.changed()
        await self._act(lambda: self._remote.play(str(move), ply))

    async def undo(self, seat: Seat) -> None:
        await self._act(lambda: self._remote.offer(Offer.TAKEBACK))

    async def stop(self, seat: Seat) -> None:
        await self._act(lambda: self._remote.offer(Offer.STOP))

    async def resign(self, seat: Seat) -> None:
        await self._act(self._remote.resign)

    async def answer(self, *, agree: bool) -> None:
        offer = self._offered
        if offer is not None:
            action = Action.ACCEPT if agree else Action.DECLINE
            await self._act(lambda: self._remote.offer(offer, action))

    async def claim(self) -> None:
        await self._act(self._remote.claim)

    async def abort(self) -> None:
        await run_aside(self._remote.abort)
        self._gone = True

    async def hint(self, seat: Seat) -> tuple[Move, str]:
        found = await run_aside(self._remote.hint)
        return self.match.game.parse(found.move), found.text

    async def bar(self) -> Bar:
        return bar_of(value_from_data(asdict(await run_aside(self._remote.evaluation))), self.cast)

    async def follow(self) -> Sitting | None:
        following = self._info.next
        if following is None:
            following = (await run_aside(lambda: self._remote.offer(Offer.REMATCH))).next
        if following is None:
            await asyncio.shield(self._read_soon())
            return None
        sitting = await OnlineSitting.open(self._remote.link_to(following))
        self._close()
        return sitting

    @property
    def line_mode(self) -> list[str]:
        word = "watch" if self.you is None else "join"
        return [] if self.over or self._gone else [word, self._remote.address]

    def leave(self) -> str:
        if self.over and self.you is not None and not self._info.next and not self._left:
            threading.Thread(target=self._remote.decline_rematch, daemon=True).start()
        self._close()
        return "" if self.over or self._gone or self.you is None else STAYS

    def _close(self) -> None:
        self._left = True
        self.changed = lambda: None
        self._remote.close()
        self._events.close()


def _read(remote: RemoteSeat) -> tuple[MatchInfo, Match]:
    """The match as it is now on the server; a copy of one's own is kept here, to find and to go over."""
    info, match = remote.info(), remote.read_match()
    seat = Seat.named(info.you)
    if match.played and seat is not None:
        with suppress(OSError):  # it is only a copy
            OnlineMatches().save(remote.link.match, remote.address, seat, match.record(seat))
    return info, match
