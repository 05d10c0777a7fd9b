"""Live events over HTTP, as server-sent events (SSE)."""

from __future__ import annotations

import asyncio
import logging

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
from ninefold.web.hub import EPHEMERAL, HEARTBEAT, EventQueue
from ninefold.web.requests import client_of, parse_number, server_of, token_of
from ninefold.web.server import Server

log = logging.getLogger("ninefold.web")

AWAY = f'"{EventKind.AWAY}"'  # is in the JSON of every event that says that a player is away
INTERVAL = 15.0  # seconds of silence after which a heartbeat is sent
SEND_TIMEOUT = 20.0  # seconds that a reader may take for an event


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
    return Stream(server, room, last, client, seats, spectators)


class Stream(Response):
    """Server-sent events with heartbeats. A reader that takes too long is disconnected.

    sse-starlette does the same for about 10% more CPU per move, and needs 28 kB more memory per stream,
    which more than doubles it (`benchmarks/plumbing.py`).
    """

    media_type = "text/event-stream"

    def __init__(
        self,
        server: Server,
        room: Room,
        after: int,
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
        self._client = client
        self._seats = seats
        self._spectators = spectators

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        open_streams = self._server.streams
        open_streams[self._client] = open_streams.get(self._client, 0) + 1
        queue: EventQueue = asyncio.Queue()
        watchdog = Watchdog(queue)
        disconnecting = asyncio.create_task(_end_on_disconnect(receive, queue))
        arrived = False
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            if scope["method"] == "HEAD":
                await send({"type": "http.response.body", "body": b""})
                return
            await watchdog.send(send, b"retry: 1000\n\n")
            self._arrive()
            arrived = True
            if self._spectators:
                await watchdog.send(send, _watching(str(self._server.spectators.count(self._match_id))))
            async for event in self._server.hub.follow(self._match_id, self._after, queue):
                if event is HEARTBEAT:
                    await watchdog.send(send, b": \n\n")
                elif event.number == EPHEMERAL:
                    if self._spectators:
                        await watchdog.send(send, _watching(event.data))
                else:
                    if self._seats and AWAY in event.data:
                        self._correct_presence(event)
                    await watchdog.send(send, f"id: {event.number}\ndata: {event.data}\n\n".encode())
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except asyncio.CancelledError:
            if not watchdog.late:
                raise
            log.info("disconnected a slow reader")
        finally:
            watchdog.stop()
            disconnecting.cancel()
            open_streams[self._client] -= 1
            if not open_streams[self._client]:
                del open_streams[self._client]
            if arrived:
                self._leave()

    def _arrive(self) -> None:
        if not self._seats:
            self._server.count_spectator(self._match_id, 1)
        for seat in self._seats:
            self._server.presence.arrive(self._match_id, seat, away=self._away[seat] is not None)

    def _leave(self) -> None:
        if not self._seats:
            self._server.count_spectator(self._match_id, -1)
        for seat in self._seats:
            self._server.presence.leave(self._match_id, seat)

    def _correct_presence(self, event: SavedEvent) -> None:
        """Correct another process, where the reader had a stream before, that says they are away."""
        _, happened = read_event(msgspec.json.decode(event.data))
        if isinstance(happened, Away) and happened.seat in self._seats:
            self._server.presence.note(self._match_id, happened.seat, here=True)


def _watching(count: str) -> bytes:
    return f"event: watching\ndata: {count}\n\n".encode()


async def _end_on_disconnect(receive: Receive, queue: EventQueue) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    queue.put_nowait(None)


class Watchdog:
    """Sends heartbeats and ends a stream whose reader is too slow. One timer serves all its events."""

    def __init__(self, queue: EventQueue) -> None:
        self._queue = queue
        self._task = asyncio.current_task()
        self._loop = asyncio.get_running_loop()
        self._since = 0.0  # when the current send began; 0 between sends
        self._idle = False
        self._timer = self._loop.call_later(INTERVAL / 2, self._check)
        self.late = False

    async def send(self, send: Send, piece: bytes) -> None:
        self._idle = False
        self._since = self._loop.time()
        await send({"type": "http.response.body", "body": piece, "more_body": True})
        self._since = 0.0

    def _check(self) -> None:
        if self._since and self._loop.time() - self._since > SEND_TIMEOUT:
            self.late = True
            assert self._task is not None
            self._task.cancel()
            return
        if self._idle and not self._since:
            self._queue.put_nowait(HEARTBEAT)
        self._idle = True
        self._timer = self._loop.call_later(INTERVAL / 2, self._check)

    def stop(self) -> None:
        self._timer.cancel()
