"""One seat of a match on a server, or a spectator's place."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, TypeVar

from ninefold.client import LOST, NOT_UNDERSTOOD, Link, RemoteError, Unreachable, new_key, request, wire
from ninefold.core.errors import NinefoldError
from ninefold.core.seat import Seat
from ninefold.games import load
from ninefold.match import Match, Played, Record
from ninefold.match.kinds import Action, Offer, Status
from ninefold.match.record import RecordError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")

GONE = "This match is no longer on the server."
RESTORED = "reconnected."


class RemoteSeat:
    """A match on a server for the holder of a link. Without a token, the match can only be read.

    Every request is retried until the server answers. `notify` is called once when the connection is
    lost, and once when it is back.
    """

    def __init__(self, link: Link, notify: Callable[[str], object] = lambda _: None) -> None:
        self.link = link
        self.notify = notify
        self._connected = True
        self._closed = False

    @property
    def address(self) -> str:
        """The match's link, without the seat's token."""
        return str(self.link.without_token)

    def close(self) -> None:
        """Stop retrying: a request that fails from now on raises Unreachable."""
        self._closed = True

    def report_lost(self, message: str = LOST) -> None:
        """Say that the connection is lost, unless that was said. Raises Unreachable once closed."""
        if self._closed:
            raise Unreachable(f"The server at {self.link.server.host} does not answer.")
        if self._connected:
            self._connected = False
            self.notify(message)

    def report_restored(self) -> None:
        """Say that the connection is back, if it was lost."""
        if not self._connected:
            self._connected = True
            self.notify(RESTORED)

    def info(self) -> wire.MatchInfo:
        """Read the match as the server describes it."""
        return self._request(wire.MatchInfo, "GET", "")

    def hint(self) -> wire.HintInfo:
        return self._request(wire.HintInfo, "GET", "/hint")

    def evaluation(self) -> wire.EvaluationInfo:
        return self._request(wire.EvaluationInfo, "GET", "/evaluation")

    def _post(self, answer: type[T], path: str, body: DataclassInstance | None = None) -> T:
        return self._request(answer, "POST", path, body, new_key())

    def _request(
        self,
        answer: type[T],
        method: str,
        path: str,
        body: DataclassInstance | None = None,
        key: str | None = None,
    ) -> T:
        address = f"/matches/{self.link.match}{path}"
        server, token = self.link.server, self.link.token
        found = request(answer, server, method, address, body, token, self.report_lost, key=key)
        self.report_restored()
        return found

    def read_match(self) -> tuple[wire.MatchInfo, Match]:
        """Read the match as the link's holder may know it. Raises Unreachable if it was removed."""
        while True:
            info = self.info()
            try:
                record = self._request(Record, "GET", "/record")
                known = [(one.move, one.at) for one in info.moves], info.status is Status.OVER
                moves = [(str(one.move), one.at) for one in record.moves]
                if known == (moves, record.result is not None):  # nothing happened in between
                    return info, imagine_match(record, *info.eyes)
            except RemoteError as error:
                raise Unreachable(GONE) if error.status == 404 else error from None
            except RecordError:
                raise Unreachable(NOT_UNDERSTOOD) from None

    def play(self, move: str, ply: int) -> wire.Accepted:
        return self._post(wire.Accepted, "/moves", wire.MoveRequest(move, ply))

    def offer(self, offer: Offer, action: Action = Action.OFFER) -> wire.Done:
        """Offer something to the opponent, or answer what they offer."""
        return self._post(wire.Done, f"/{offer}", wire.OfferRequest(action))

    def resign(self) -> wire.Done:
        return self._post(wire.Done, "/resign")

    def claim(self) -> wire.Done:
        """Win because the opponent has been away too long."""
        return self._post(wire.Done, "/claim")

    def abort(self) -> wire.Done:
        """Remove the match before its first move."""
        return self._post(wire.Done, "/abort")

    def decline_rematch(self) -> None:
        """Decline a rematch. Tried only once, and a failure is ignored: the player is leaving."""
        path, wanted = f"/matches/{self.link.match}/{Offer.REMATCH}", wire.OfferRequest(Action.DECLINE)
        with suppress(NinefoldError):
            request(wire.Done, self.link.server, "POST", path, wanted, self.link.token, attempts=1)

    def link_to(self, match: str) -> Link:
        """The link to the same seat in a rematch, where it has the same token."""
        return replace(self.link, match=match)


def imagine_match(record: Record, viewer: Seat | None, pending: Iterable[Seat]) -> Match:
    """Make a match from the record that a viewer may have, with secrets made up so that they fit.

    The viewer's view shows none of them, so it is the same as the real match's. `pending` are the seats
    whose secret choice has been made. Raises RecordError.
    """
    read = Match.of if viewer is not None else _make_up_settings
    if hidden := [seat for seat in pending if seat is not viewer]:
        state = read(replace(record, result=None)).state
        made_up = (Played(seat, state.moves(seat)[0], record.started) for seat in hidden)
        record = replace(record, moves=(*record.moves, *made_up))
    return read(record)


def _make_up_settings(record: Record) -> Match:
    hidden = [option for option in load(record.game).options if option.name not in record.setup]
    for values in product(*(option.values() for option in hidden)):
        made_up = {option.name: value for option, value in zip(hidden, values, strict=True)}
        try:
            match = Match.of(replace(record, setup={**record.setup, **made_up}))
        except RecordError:
            if not hidden:
                raise
            continue
        if match.over == (record.result is not None) or not hidden:
            return match
    raise RecordError("The record's moves fit no setup.")
