"""A server from the terminal's side: requests, and events that survive a lost connection."""

from __future__ import annotations

import json
import re
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from itertools import count
from queue import SimpleQueue
from typing import Any
from urllib.parse import urlsplit

from ninefold import __version__
from ninefold.core.errors import NinefoldError, quoted
from ninefold.core.seat import Seat
from ninefold.match import Match, Record
from ninefold.match.record import RecordError

TIMEOUT = 30.0  # seconds for an answer; a stream shows a sign of life more often than that
PAUSES = (0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)  # seconds between attempts to reach a server
AGAIN = 5  # times that a request is sent again whose answer was lost
LOST = "connection lost; trying again."
NOT_UNDERSTOOD = (
    "This version of Ninefold cannot read the server's matches. Update Ninefold here or on the server."
)
UNAVAILABLE = "the server is not available right now; trying again."
_LINK = re.compile(r"(?P<root>.*)/m/(?P<match>[A-Za-z0-9_-]+)(?:/review)?/?")


class RemoteError(NinefoldError):
    """The server refused, and says why."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status


class Unreachable(NinefoldError):
    """The server does not answer."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is: scheme, host with port, and the path it is under."""

    scheme: str
    host: str
    root: str

    @staticmethod
    def parse(text: str) -> Address:
        parts = urlsplit(text if "//" in text else f"http://{text}")
        try:
            port = parts.port
        except ValueError:
            port = -1
        if parts.scheme not in ("http", "https") or not parts.hostname or port == -1:
            raise NinefoldError(f"{quoted(text, 100)} is not a server address.")
        return Address(parts.scheme, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"))

    @property
    def local(self) -> bool:
        """Whether other machines mean something else by this address."""
        return urlsplit(f"//{self.host}").hostname in ("localhost", "127.0.0.1", "::1")

    def connect(self) -> HTTPConnection:
        kind = HTTPSConnection if self.scheme == "https" else HTTPConnection
        return kind(self.host, timeout=TIMEOUT)


@dataclass(frozen=True, slots=True)
class Link:
    """A match on a server, and the token of a seat if the link carries one."""

    server: Address
    match: str
    token: str | None

    @staticmethod
    def parse(text: str) -> Link:
        """From `http://host/m/ID`, with `/review` or `#TOKEN` after it or not. Raises NinefoldError."""
        before, _, token = text.strip().partition("#")
        server = Address.parse(before)
        found = _LINK.fullmatch(server.root)
        if found is None:
            raise NinefoldError(f"{quoted(text, 100)} is not a match link.")
        return Link(Address(server.scheme, server.host, found["root"]), found["match"], token or None)

    @property
    def without_token(self) -> Link:
        return replace(self, token=None)

    def __str__(self) -> str:
        address = f"{self.server.scheme}://{self.server.host}{self.server.root}/m/{self.match}"
        return f"{address}#{self.token}" if self.token else address


def new_key() -> str:
    """A key for a request that must not be done twice, however often it is sent."""
    return secrets.token_urlsafe(16)


def request(
    server: Address,
    method: str,
    path: str,
    body: object = None,
    token: str | None = None,
    trouble: Callable[[str], None] | None = None,
    attempts: int | None = None,
    key: str | None = None,
) -> Any:
    """The server's answer. Raises RemoteError if it refuses, Unreachable if it stays silent.

    Tries again while the server cannot be reached or is not available, and tells `trouble` of it. One
    attempt is for the first word to a server, which may not be there; with a `key`, by which the server
    knows a request that comes again, it is sent again all the same if only the answer was lost.
    """
    headers = {"Accept": "application/json", "Ninefold-Version": __version__}
    content = None
    if body is not None:
        content = json.dumps(body)
        headers["Content-Type"] = "application/json"
    if token:
        headers["Authorization"] = f"Bearer {token}"
    if key:
        headers["Idempotency-Key"] = key
    for attempt in count():
        last = attempts is not None and attempt + 1 >= attempts
        sent = False
        connection = server.connect()
        try:
            connection.request(method, f"{server.root}/api/v1{path}", content, headers)
            sent = True
            response = connection.getresponse()
            answer = response.read()
        except (OSError, HTTPException):
            if last and not (sent and key and attempt < AGAIN):
                break
            message = LOST
        else:
            if last or response.status not in (429, 502, 503, 504):
                return _read(response, answer)
            message = UNAVAILABLE
        finally:
            connection.close()
        if trouble is not None:
            trouble(message)
        time.sleep(pause(attempt))
    raise Unreachable(f"The server at {server.host} does not answer.")


def pause(attempt: int) -> float:
    """Seconds to wait after so many attempts before."""
    return PAUSES[min(attempt, len(PAUSES) - 1)]


def _read(response: HTTPResponse, answer: bytes) -> Any:
    try:
        data = json.loads(answer)
    except ValueError:
        raise Unreachable("That address is not a Ninefold server.") from None
    if response.status >= 400:
        detail = data.get("detail") if isinstance(data, dict) else None
        said = str(detail or "The server refused.")
        if response.status in (400, 404, 405):
            said += _difference(response.getheader("Ninefold-Version"))
        raise RemoteError(response.status, said)
    return data


def _difference(theirs: str | None) -> str:
    """A sentence about the server's version, where that may be why it does not understand."""
    if theirs == __version__:
        return ""
    runs = "an older Ninefold" if theirs is None else f"Ninefold {theirs[:20]}"
    return f" (The server runs {runs}, and this is {__version__}.)"


def fetch_match(link: Link) -> tuple[Match, Seat | None]:
    """A match on a server as the holder of the link may see it, and the seat that the link holds."""
    path = f"/matches/{link.match}"
    info = request(link.server, "GET", path, token=link.token, attempts=1)
    try:
        record = request(link.server, "GET", f"{path}/record", token=link.token, attempts=1)
        return Match.of(Record.from_json(json.dumps(record))), Seat.named(info["you"])
    except RecordError:
        if info["status"] != "over":
            raise NinefoldError("Parts of this match are secret until it is over.") from None
        raise Unreachable(NOT_UNDERSTOOD) from None


class _Gone(Exception):
    """The server has no such match, or no such seat."""


class Events:
    """The events of a match after a number, in a queue, until it is closed."""

    def __init__(
        self, link: Link, after: int, overheard: Callable[[dict[str, Any]], None] | None = None
    ) -> None:
        self._overheard = overheard  # told of each event in the thread that hears it
        self.queue: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self._link = link
        self._last = after
        self._closed = False
        self._socket: socket.socket | None = None
        threading.Thread(target=self._run, daemon=True).start()

    def close(self) -> None:
        """Listen no more, and let the server know."""
        self._closed = True
        if self._socket is not None:
            with suppress(OSError):  # it has ended already
                self._socket.shutdown(socket.SHUT_RDWR)

    def _run(self) -> None:
        attempt = 0
        lost = False
        while not self._closed:
            try:
                for event in self._stream():
                    if self._closed:
                        return
                    if lost:
                        self._tell({"kind": "restored"})
                    lost, attempt = False, 0
                    if event:
                        self._last = event["number"]
                        self._tell(event)
            except _Gone:
                self._tell({"kind": "gone"})
                return
            except (OSError, HTTPException, ValueError):
                pass
            if self._closed:
                return
            if not lost:
                self._tell({"kind": "lost"})
            lost = True
            time.sleep(pause(attempt))
            attempt += 1

    def _tell(self, event: dict[str, Any]) -> None:
        if self._overheard is not None:
            self._overheard(event)
        self.queue.put(event)

    def _stream(self) -> Iterator[dict[str, Any] | None]:
        """Each event, and None for each other sign of life."""
        server = self._link.server
        headers = {"Accept": "text/event-stream", "Last-Event-ID": str(self._last)}
        if self._link.token:
            headers["Authorization"] = f"Bearer {self._link.token}"
        connection = server.connect()
        try:
            path = f"{server.root}/api/v1/matches/{self._link.match}/events"
            connection.connect()
            self._socket = connection.sock  # the connection forgets it if the server is to close it
            connection.request("GET", path, headers=headers)
            response = connection.getresponse()
            if response.status in (403, 404):
                raise _Gone
            if response.status != 200:
                raise OSError(response.status)
            yield None
            while line := response.readline():
                if line.startswith(b"data: "):
                    yield json.loads(line[6:])
                else:
                    yield None
        finally:
            connection.close()
