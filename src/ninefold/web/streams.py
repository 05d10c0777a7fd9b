"""Live events over HTTP, as server-sent events (SSE)."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ninefold.client.wire import read_event
from ninefold.core.seat import Seat
from ninefold.match.events import Away
from ninefold.match.kinds import EventKind
from ninefold.store.sql.database import Room, SavedEvent
from ninefold.web.actions import tokens
from ninefold.web.hub import EPHEMERAL
from ninefold.web.protocol import Cycle
from ninefold.web.requests import client_of, cycle_of, parse_number, server_of, token_of
from ninefold.web.server import Server

log = logging.getLogger("ninefold.web")

AWAY = f'"{EventKind.AWAY}"'  # is in the JSON of every event that says that a player is away
INTERVAL = 15.0  # seconds of silence after which a heartbeat is sent
SEND_TIMEOUT = 20.0  # seconds that a reader may take nothing


async def stream(request: Request) -> Response:
    room = await server_of(request).room(request.path_params["id"])
    seat = tokens.find_seat(room, token_of(request))
    return open_stream(request, room, () if seat is None else (seat,))


def open_stream(
    request: Request, room: Room, seats: tuple[Seat, ...], *, spectators: bool = False
) -> Response:
    """Stream a match's events; with `spectators`, also how many spectators there are.

    `seats` are those that the reader holds.
    """
    server = server_of(request)
    after = request.headers.get("last-event-id") or request.query_params.get("after", "0")
    last = parse_number(after)
    if last is None:
        raise HTTPException(400, "The number of the last event must be a whole number.")
    client = client_of(request)
    limits = server.limits
    if limits.streams and server.hub.count >= limits.streams:
        raise HTTPException(503, "There are too many open streams here now. Try again later.")
    if limits.streams_each and server.streams.get(client, 0) >= limits.streams_each:
        raise HTTPException(429, "You have too many streams open.")
    cycle = cycle_of(request)
    if cycle is None:
        raise RuntimeError("streams need the server's own protocol")
    return Stream(server, room, last, cycle, client, seats, spectators)


class Stream(Response):
    """Server-sent events with heartbeats. A reader that takes too long is disconnected.

    The hub writes to it. sse-starlette has a task and a queue for each stream, which takes more CPU per
    move and more memory (`benchmarks/plumbing.py`).
    """

    media_type = "text/event-stream"

    def __init__(
        self,
        server: Server,
        room: Room,
        after: int,
        cycle: Cycle,
        client: str,
        seats: tuple[Seat, ...],
        spectators: bool,
    ) -> None:
        super().__init__()
        del self.headers["content-length"]
        self._server = server
        self._match_id = room.id
        self._away = room.away
        self._after = after
        self._cycle = cycle
        self._client = client
        self._seats = seats
        self._spectators = spectators
        self._ended = False
        self._idle = False  # whether nothing has been sent since the last check
        self._stuck = 0.0  # since when the reader has taken nothing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        if scope["method"] != "HEAD":
            with self._counted():
                self._cycle.push(b"retry: 1000\n\n")
                if self._spectators:
                    self._cycle.push(_watching(str(self._server.spectators.count(self._match_id))))
                async with self._server.hub.follow(self._match_id, self._after, self):
                    while not self._ended and (await receive())["type"] != "http.disconnect":
                        pass
        await send({"type": "http.response.body", "body": b""})

    @contextmanager
    def _counted(self) -> Iterator[None]:
        """Count the stream among its client's and the match's while it is open, and check on it."""
        server, streams = self._server, self._server.streams
        streams[self._client] = streams.get(self._client, 0) + 1
        if not self._seats:
            server.count_spectator(self._match_id, 1)
        for seat in self._seats:
            server.presence.arrive(self._match_id, seat, away=self._away[seat] is not None)
        self._check_later()
        try:
            yield
        finally:
            self._timer.cancel()
            streams[self._client] -= 1
            if not streams[self._client]:
                del streams[self._client]
            if not self._seats:
                server.count_spectator(self._match_id, -1)
            for seat in self._seats:
                server.presence.leave(self._match_id, seat)

    # What the hub needs of a reader

    @property
    def paused(self) -> bool:
        return self._cycle.paused

    async def drain(self) -> None:
        await self._cycle.drain()

    def write(self, event: SavedEvent) -> None:
        self._idle = False
        if event.number == EPHEMERAL:
            if self._spectators:
                self._cycle.push(_watching(event.data))
            return
        if self._seats and AWAY in event.data:
            self._correct_presence(event)
        self._cycle.push(f"id: {event.number}\ndata: {event.data}\n\n".encode())

    def end(self) -> None:
        self._ended = True
        self._cycle.wake()

    def _correct_presence(self, event: SavedEvent) -> None:
        """Correct another process, where the reader had a stream before, that says they are away."""
        _, happened = read_event(msgspec.json.decode(event.data))
        if isinstance(happened, Away) and happened.seat in self._seats:
            self._server.presence.note(self._match_id, happened.seat, here=True)

    # Heartbeats and slow readers

    def _check_later(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(INTERVAL / 2, self._check)

    def _check(self) -> None:
        """Send a heartbeat after a silence, and disconnect a reader that takes too long."""
        now = time.monotonic()
        if not self.paused:
            self._stuck = 0.0
            if self._idle:
                self._cycle.push(b": \n\n")
            self._idle = True
        elif not self._stuck:
            self._stuck = now
        elif now - self._stuck > SEND_TIMEOUT:
            log.info("disconnected a slow reader")
            self._cycle.abort()
            return
        self._check_later()


def _watching(count: str) -> bytes:
    return f"event: watching\ndata: {count}\n\n".encode()
