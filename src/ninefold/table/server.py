"""A match on a server, played from a seat or watched."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from queue import SimpleQueue

from ninefold.analysis import Value
from ninefold.client import Link
from ninefold.client.events import Connection, Events, News
from ninefold.client.seat import GONE, RESTORED, RemoteSeat
from ninefold.client.wire import MatchInfo
from ninefold.core.errors import NinefoldError
from ninefold.core.move import Move
from ninefold.core.seat import SEATS, Seat
from ninefold.match import Match, Series
from ninefold.match.events import Joined, SeatEvent
from ninefold.match.kinds import Action, Offer, Presence, SeatKind, Status
from ninefold.match.sitting import Sitting
from ninefold.players import PERSON
from ninefold.show.moves import capitalize
from ninefold.show.offers import STAYS, say_event, say_invitation
from ninefold.show.status import say_hints
from ninefold.store.files.matches import OnlineMatches, Seats
from ninefold.study.data import value_from_data
from ninefold.table.table import Table


class ServerTable(Table):
    """A match on a server. Without a token in its link it is watched.

    Everything is read again from the server when something has happened there, so a lost connection
    loses nothing. Opening one waits until the server is there. Raises NinefoldError.

    `invitation` is the link to send, if the server has named one. `report` is called when the connection
    is lost, and when it is back. `listen` is called with everything that happens, once the match has been
    read again; what it returns True for is done with, and the rest can be taken from `heard`.
    """

    def __init__(
        self,
        link: Link,
        invitation: str = "",
        report: Callable[[str], object] = lambda _: None,
        listen: Callable[[News], bool] = lambda _: True,
    ) -> None:
        self._report, self._listen = report, listen
        self.heard: SimpleQueue[News] = SimpleQueue()
        self.remote = RemoteSeat(link, self._note)
        self.link = invitation or self.remote.address
        self.remembered = True  # whether the seat is saved on this machine
        self._lock = threading.Lock()
        self._trouble = ""  # what is wrong with the connection
        self._told = ""  # what the other player has done beside the moves
        self._left = False  # nobody sits here anymore
        self.gone = False  # the server has the match no more
        self._sending = False  # whether a move is on its way
        self._read()
        if link.token is not None:
            try:
                Seats().add(self.remote.address, link.token)
            except OSError:
                self.remembered = False
        self._events: Events | None = None  # until its thread has been started
        self._events = Events(link, self.info.version, self._hear)

    def _read(self) -> None:
        """Read the match. A copy of one's own is kept on this machine, to find and to go over."""
        with self._lock:
            self.info, self.match = info, match = self.remote.read_match()
        seat = Seat.named(info.you)
        if match.played and seat is not None:
            with suppress(OSError):  # it is only a copy
                remote = self.remote
                OnlineMatches().save(self.kept_as, remote.address, seat, match.record(seat))

    # What is known

    @property
    def kept_as(self) -> str:
        return self.remote.link.match

    @property
    def sitting(self) -> Sitting:
        return sitting_from(self.info, self.match, sending=self._sending, gone=self.gone)

    @property
    def between_people(self) -> bool:
        return all(player.kind == PERSON for player in self.match.players)

    @property
    def ticking(self) -> bool:
        return not self.over and (self.info.deadline or self.info.claim) is not None

    # What is drawn and said

    @property
    def notice(self) -> str:
        """What the other player has done beside the moves, and what is wrong with the connection."""
        said = [self._trouble, self._told]
        if self.sitting.waiting and self.you is not None:
            said.append(say_invitation(self.link, local=self.remote.link.server.local))
        unplayed = self.you is not None and not self.match.played and not self.over
        if unplayed and self.between_people and not any(said):
            said.append(say_hints(self.match.hints))
        return " ".join(filter(None, said))

    @property
    def line_mode(self) -> list[str]:
        word = "watch" if self.you is None else "join"
        return [] if self.over or self.gone else [word, self.remote.address]

    # What happens there

    def _note(self, message: str) -> None:
        self._trouble = "" if message == RESTORED else capitalize(message)
        self._told = capitalize(message) if message == RESTORED else ""
        self._report(message)
        self.news()

    def _hear(self, news: News) -> bool:
        """Take in what has happened. Called in the thread that reads the events."""
        match news:
            case Connection.LOST:
                with suppress(NinefoldError):  # nobody sits here anymore
                    self.remote.report_lost()
            case Connection.RESTORED:
                self.remote.report_restored()
            case Connection.GONE:
                self.gone, self._trouble = True, GONE
                self.news()
            case event:
                self._told = ""
                if isinstance(event, SeatEvent) and event.seat is not self.you:
                    name = event.name if isinstance(event, Joined) else self.cast.name(event.seat)
                    self._told = say_event(event, name)
                if self._events is None or self._events.last > self.info.version:  # not yet read
                    self._read_again()
                self.news()
        if not self._listen(news):
            self.heard.put(news)
        return True

    def _read_again(self) -> None:
        try:
            self._read()
        except NinefoldError as error:
            self._trouble = str(error)

    # What is done

    def _act(self, act: Callable[[], object]) -> None:
        """Do something there, and see what has come of it, done or refused."""
        self._told = ""
        try:
            act()
        finally:
            self._sending = False
            self._read_again()

    def play(self, seat: Seat, move: Move, ply: int | None = None) -> None:
        self._sending, seen = True, self.match.ply if ply is None else ply
        if self._trouble:
            self.news()
        self._act(lambda: self.remote.play(str(move), seen))

    def act(self, offer: Offer, action: Action = Action.OFFER) -> None:
        """Offer something to the other player, or answer that offer of theirs."""
        self._act(lambda: self.remote.offer(offer, action))

    def undo(self, seat: Seat) -> None:
        self.act(Offer.TAKEBACK)

    def stop(self, seat: Seat) -> None:
        self.act(Offer.STOP)

    def resign(self, seat: Seat) -> None:
        self._act(self.remote.resign)

    def answer(self, *, agree: bool) -> None:
        offer, action = self.sitting.offered, Action.ACCEPT if agree else Action.DECLINE
        if offer is not None:
            self.act(offer, action)

    def claim(self) -> None:
        self._act(self.remote.claim)

    def abort(self) -> None:
        self.remote.abort()
        self.gone = True

    def hint(self, seat: Seat) -> tuple[Move, str]:
        found = self.remote.hint()
        return self.match.game.parse(found.move), found.text

    def value(self) -> Value:
        return value_from_data(asdict(self.remote.evaluation()))

    def follow(self) -> ServerTable | None:
        following = self.info.next or self.remote.offer(Offer.REMATCH).next
        if following is None:
            self._read_again()
            return None
        table = ServerTable(self.remote.link_to(following), "", self._report, self._listen)
        self._close()
        return table

    def leave(self) -> str:
        if self.over and self.you is not None and not self.info.next and not self._left:
            threading.Thread(target=self.remote.decline_rematch, daemon=True).start()
        self._close()
        return "" if self.over or self.gone or self.you is None else STAYS

    def _close(self) -> None:
        self._left = True
        self.news = lambda: None
        self.remote.close()
        if self._events is not None:
            self._events.close()


def sitting_from(info: MatchInfo, match: Match, *, sending: bool = False, gone: bool = False) -> Sitting:
    """Who sits at a match on a server, as the server describes it."""
    you = Seat.named(info.you)
    seats = () if you is None else (you,)
    people = [seat for seat in SEATS if info.player(seat).kind == SeatKind.PERSON]
    playing = info.status is Status.PLAYING
    first, second = (info.player(player.seat).wins for player in match.players)
    series = Series(info.best_of, (first, second), stopped=info.unwon)
    return Sitting(
        match=match,
        seats=seats,
        free=tuple(seat for seat in SEATS if info.player(seat).kind == SeatKind.OPEN),
        sending=sending,
        gone=gone,
        cancels=info.cancels,
        following=info.next is not None,
        offers={offer: SEATS[name == str(Seat.SECOND)] for offer, name in info.offers.items()},
        presence={seat: _presence_of(info, seat) for seat in people if playing and seat not in seats},
        hinted=(info.first.hints, info.second.hints),
        left=_time_left(info),
        score=series.score(over=match.over),
    )


def _presence_of(info: MatchInfo, seat: Seat) -> Presence:
    if str(seat) not in info.away:
        return Presence.HERE
    late = info.claim is not None and _seconds_until(info.claim) <= 0
    return Presence.GONE if late and str(seat) in info.view.movers else Presence.AWAY


def _time_left(info: MatchInfo) -> int | None:
    """Seconds for the move that is awaited. The clocks of two machines may differ a little."""
    if info.deadline is None:
        return None
    return min(max(0, round(_seconds_until(info.deadline))), info.clock or 0)


def _seconds_until(time: str) -> float:
    return (datetime.fromisoformat(time) - datetime.now(UTC)).total_seconds()
