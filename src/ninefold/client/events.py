"""The events of a match on a server, which survive a lost connection."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import Enum, auto
from http.client import HTTPException
from queue import SimpleQueue

from ninefold.client import Link, pause_after
from ninefold.client.wire import read_event
from ninefold.match.events import Event


class Connection(Enum):
    """What happens to the connection itself."""

    LOST = auto()
    RESTORED = auto()
    GONE = auto()  # the match is no longer there; nothing comes after this


News = Event | Connection


class _Gone(Exception):
    """The server has no such match, or no such seat."""


class Events:
    """A queue of the events of a match after the one numbered `after`, filled by a thread.

    When the connection is lost it is made again, and no event is missed. The queue also gets what happens
    to the connection. `on_news` is called with each of them, in that thread; what it returns True for is
    done with, and does not get into the queue.
    """

    def __init__(self, link: Link, after: int, on_news: Callable[[News], bool] = lambda _: False) -> None:
        self._on_news = on_news
        self.queue: SimpleQueue[News] = SimpleQueue()
        self._link = link
        self.last = after  # the number of the latest event
        self._closed = False
        self._socket: socket.socket | None = None
        threading.Thread(target=self._run, daemon=True).start()

    def close(self) -> None:
        """Close the connection. No more events come."""
        self._closed = True
        if self._socket is not None:
            with suppress(OSError):  # it is closed already
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
                        self._put(Connection.RESTORED)
                    lost, attempt = False, 0
                    if event is not None:
                        self._put(event)
            except _Gone:
                self._put(Connection.GONE)
                return
            except (OSError, HTTPException, ValueError):
                pass
            if self._closed:
                return
            if not lost:
                self._put(Connection.LOST)
            lost = True
            time.sleep(pause_after(attempt))
            attempt += 1

    def _put(self, news: News) -> None:
        if not self._on_news(news):
            self.queue.put(news)

    def _stream(self) -> Iterator[Event | None]:
        """Each event, and None for everything else that shows that the connection works."""
        server = self._link.server
        headers = {"Accept": "text/event-stream", "Last-Event-ID": str(self.last)}
        if self._link.token:
            headers["Authorization"] = f"Bearer {self._link.token}"
        connection = server.connect()
        try:
            path = f"{server.root}/api/v1/matches/{self._link.match}/events"
            connection.connect()
            self._socket = connection.sock  # the connection drops it if the server says it will close
            connection.request("GET", path, headers=headers)
            response = connection.getresponse()
            if response.status in (403, 404):
                raise _Gone
            if response.status != 200:
                raise OSError(response.status)
            yield None
            while line := response.readline():
                if line.startswith(b"data: "):
                    self.last, event = read_event(json.loads(line[6:]))
                    yield event
                else:
                    yield None
        finally:
            connection.close()
