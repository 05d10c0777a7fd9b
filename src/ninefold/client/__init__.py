"""A server from the terminal's side: requests, and events that survive a lost connection."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from queue import SimpleQueue
from typing import Any
from urllib.parse import urlsplit

from ninefold.core.errors import NinefoldError, quoted

TIMEOUT = 30.0  # seconds for an answer; a stream shows a sign of life more often than that
PAUSES = (0.2, 0.5, 1.0, 2.0, 3.0)  # seconds between attempts to reach a server that does not answer
ATTEMPTS = 40
_LINK = re.compile(r"(?P<root>.*)/m/(?P<match>[A-Za-z0-9_-]+)/?")


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
            raise NinefoldError(f"{quoted(text, 100)} is not the address of a server.")
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
        """From `http://host/m/ID` or `http://host/m/ID#TOKEN`. Raises NinefoldError."""
        before, _, token = text.strip().partition("#")
        server = Address.parse(before)
        found = _LINK.fullmatch(server.root)
        if found is None:
            raise NinefoldError(f"{quoted(text, 100)} is not the link of a match.")
        return Link(Address(server.scheme, server.host, found["root"]), found["match"], token or None)

    def __str__(self) -> str:
        address = f"{self.server.scheme}://{self.server.host}{self.server.root}/m/{self.match}"
        return f"{address}#{self.token}" if self.token else address


def request(
    server: Address,
    method: str,
    path: str,
    body: object = None,
    token: str | None = None,
    trouble: Callable[[], None] | None = None,
    attempts: int = ATTEMPTS,
) -> Any:
    """The server's answer. Raises RemoteError if it refuses, Unreachable if it stays silent.

    Tries again while the server cannot be reached, and tells `trouble` of it, so what must not happen
    twice has one attempt. One attempt is also for the first word to a server, which may not be there.
    """
    headers = {"Accept": "application/json"}
    content = None
    if body is not None:
        content = json.dumps(body)
        headers["Content-Type"] = "application/json"
    if token:
        headers["Authorization"] = f"Bearer {token}"
    for attempt in range(attempts):
        last = attempt == attempts - 1
        connection = server.connect()
        try:
            connection.request(method, f"{server.root}/api/v1{path}", content, headers)
            response = connection.getresponse()
            answer = response.read()
        except (OSError, HTTPException):
            if not last:
                if trouble is not None:
                    trouble()
                time.sleep(PAUSES[min(attempt, len(PAUSES) - 1)])
            continue
        finally:
            connection.close()
        if response.status in (429, 502, 503, 504) and not last:
            time.sleep(PAUSES[min(attempt, len(PAUSES) - 1)])
            continue
        return _read(response, answer)
    raise Unreachable(f"The server at {server.host} does not answer.")


def _read(response: HTTPResponse, answer: bytes) -> Any:
    try:
        data = json.loads(answer)
    except ValueError:
        raise Unreachable("What answers there is not a Ninefold server.") from None
    if response.status >= 400:
        detail = data.get("detail") if isinstance(data, dict) else None
        raise RemoteError(response.status, str(detail or "The server refused."))
    return data


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
        threading.Thread(target=self._run, daemon=True).start()

    def close(self) -> None:
        """Listen no more: the stream ends with its next sign of life."""
        self._closed = True

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
            if not lost:
                self._tell({"kind": "lost"})
            lost = True
            time.sleep(PAUSES[min(attempt, len(PAUSES) - 1)])
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
