"""Talking to a server: links and requests. `wire` has the messages."""

from __future__ import annotations

import json
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from itertools import count
from typing import TYPE_CHECKING, TypeVar, cast
from urllib.parse import urlsplit

from ninefold import __version__
from ninefold.client import wire
from ninefold.core.errors import NinefoldError, quote
from ninefold.core.seat import Seat
from ninefold.match import Match, Record
from ninefold.match.kinds import Status
from ninefold.match.record import RecordError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")
TIMEOUT = 30.0  # seconds for an answer; an event stream sends something more often than that
PAUSES = (0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)  # seconds between retries
RETRIES = 5  # at most, of a request that arrived but whose answer was lost
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
    """Where a server is: its scheme, its host and port, and the path it is served under."""

    scheme: str
    host: str
    root: str

    @staticmethod
    def parse(text: str) -> Address:
        """Read an address such as `http://host:8909/path` or `host:8909`. Raises NinefoldError."""
        parts = urlsplit(text if "//" in text else f"http://{text}")
        try:
            port = parts.port
        except ValueError:
            port = -1
        if parts.scheme not in ("http", "https") or not parts.hostname or port == -1:
            raise NinefoldError(f"{quote(text, 100)} is not a server address.")
        return Address(parts.scheme, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"))

    @property
    def local(self) -> bool:
        """Whether only this machine can reach the server by this address."""
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
        """Read `http://host/m/ID`, with or without `/review` or `#TOKEN`. Raises NinefoldError."""
        before, _, token = text.strip().partition("#")
        server = Address.parse(before)
        found = _LINK.fullmatch(server.root)
        if found is None:
            raise NinefoldError(f"{quote(text, 100)} is not a match link.")
        return Link(Address(server.scheme, server.host, found["root"]), found["match"], token or None)

    @property
    def without_token(self) -> Link:
        return replace(self, token=None)

    def __str__(self) -> str:
        address = f"{self.server.scheme}://{self.server.host}{self.server.root}/m/{self.match}"
        return f"{address}#{self.token}" if self.token else address


def new_key() -> str:
    """An idempotency key: a request that is sent again with it has no further effect."""
    return secrets.token_urlsafe(16)


def request(
    answer: type[T],
    server: Address,
    method: str,
    path: str,
    body: DataclassInstance | None = None,
    token: str | None = None,
    on_failure: Callable[[str], None] | None = None,
    attempts: int | None = None,
    key: str | None = None,
) -> T:
    """Send a request and return the answer, of this type. Raises RemoteError if the server refuses.

    Raises RecordError if it should be a Record and is not, Unreachable if it is not understood.

    While the server cannot be reached or is not available, the request is retried: without end, or for
    this many `attempts`, after which Unreachable is raised. Each failure is reported to `on_failure`.
    With an idempotency `key`, a request whose answer was lost is retried even after the last attempt.
    """
    headers = {"Accept": "application/json"}
    content = None
    if body is not None:
        content = json.dumps(asdict(body))
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
            answered = response.read()
        except (OSError, HTTPException):
            if last and not (sent and key and attempt < RETRIES):
                break
            message = LOST
        else:
            if last or response.status not in (429, 502, 503, 504):
                return _read_answer(answer, response, answered)
            message = UNAVAILABLE
        finally:
            connection.close()
        if on_failure is not None:
            on_failure(message)
        time.sleep(pause_after(attempt))
    raise Unreachable(f"The server at {server.host} does not answer.")


def pause_after(attempt: int) -> float:
    """Seconds to wait after an attempt, counted from 0."""
    return PAUSES[min(attempt, len(PAUSES) - 1)]


def _read_answer(answer: type[T], response: HTTPResponse, content: bytes) -> T:
    try:
        data = json.loads(content)
    except ValueError:
        raise Unreachable("That address is not a Ninefold server.") from None
    if response.status >= 400:
        detail = data.get("detail") if isinstance(data, dict) else None
        said = str(detail or "The server refused.")
        if response.status in (400, 404, 405):
            said += _compare_versions(response.getheader("Ninefold-Version"))
        raise RemoteError(response.status, said)
    if answer is Record:
        return cast(T, Record.from_json(content.decode()))
    try:
        return wire.read(answer, data)
    except ValueError:
        raise Unreachable(NOT_UNDERSTOOD) from None


def _compare_versions(theirs: str | None) -> str:
    """A sentence about the server's version, if it is another one and may be why a request failed."""
    if theirs is None or theirs == __version__:
        return ""
    return f" (The server runs Ninefold {theirs[:20]}, and this is {__version__}.)"


def fetch_info(link: Link) -> wire.MatchInfo:
    """Fetch what the link's holder may know of a match. Tried once."""
    path = f"/matches/{link.match}"
    return request(wire.MatchInfo, link.server, "GET", path, token=link.token, attempts=1)


def fetch_match(link: Link) -> tuple[Match, Seat | None]:
    """Fetch a match as the link's holder may see it, and the holder's seat, if the link has a token."""
    info = fetch_info(link)
    path = f"/matches/{link.match}/record"
    try:
        record = request(Record, link.server, "GET", path, token=link.token, attempts=1)
        return Match.of(record), Seat.named(info.you)
    except RecordError:
        if info.status is not Status.OVER:
            raise NinefoldError("Parts of this match are secret until it is over.") from None
        raise Unreachable(NOT_UNDERSTOOD) from None
