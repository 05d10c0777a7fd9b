"""Live events over HTTP, as server-sent events."""

from __future__ import annotations

import asyncio
import logging

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ninefold.core.seat import Seat
from ninefold.store.database import Event, Room
from ninefold.web.actions import tokens
from ninefold.web.hub import BEAT, PASSING, Events
from ninefold.web.process import Server
from ninefold.web.requests import client_of, number_in, server_of, token_of

log = logging.getLogger("ninefold.web")

AWAY = '"away"'  # stands in an event that says so
HEARTBEAT = 15.0  # seconds between signs of life on a stream
SEND_TIMEOUT = 20.0  # seconds that a reader may take for an event


async def stream(request: Request) -> Response:
    room = await server_of(request).room(request.path_params["id"])
    seat = tokens.find_seat(room, token_of(request))  # a wrong token is refused here too
    return listening(request, room, () if seat is None else (seat,))


def listening(request: Request, room: Room, seats: tuple[Seat, ...], *, told: bool = False) -> Response:
    """A stream of the match's events, and if it is to be told, of how many spectators there are.

    `seats` are those that whoever listens holds.
    """
    server = server_of(request)
    after = request.headers.get("last-event-id") or request.query_params.get("after", "0")
    last = number_in(after)
    if last is None:
        raise HTTPException(400, "The number of the last event must be a whole number.")
    client = client_of(request)
    limits = server.limits
    if limits.streams and server.hub.count >= limits.streams:
        raise HTTPException(503, "There are too many streams here now. Try again later.")
    if limits.streams_each and server.streams.get(client, 0) >= limits.streams_each:
        raise HTTPException(429, "You have too many streams open.")
    return Stream(server, room, last, client, seats, told)


class Stream(Response):
    """Server-sent events with signs of life; a reader that takes too long is cut off.

    sse-starlette does the same for about 10% more CPU per move and 28 kB more memory per stream, which
    is more than twice as much (`benchmarks/plumbing.py`).
    """

    media_type = "text/event-stream"

    def __init__(
        self,
        server: Server,
        room: Room,
        after: int,
        client: str,
        seats: tuple[Seat, ...],
        told: bool,
    ) -> None:
        super().__init__()
        del self.headers["content-length"]
        self._server = server
        self._match_id = room.id
        self._away = room.away
        self._after = after
        self._client = client
        self._seats = seats
        self._told = told

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        open_streams = self._server.streams
        open_streams[self._client] = open_streams.get(self._client, 0) + 1
        queue: Events = asyncio.Queue()
        watch = Watch(queue)
        leaving = asyncio.create_task(_leave(receive, queue))
        counted = False
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            if scope["method"] == "HEAD":
                await send({"type": "http.response.body", "body": b""})
                return
            await watch.sent(send, b"retry: 1000\n\n")
            self._come()
            counted = True
            if self._told:
                await watch.sent(send, _watching(str(self._server.watchers.count(self._match_id))))
            async for event in self._server.hub.follow(self._match_id, self._after, queue):
                if event is BEAT:
                    await watch.sent(send, b": \n\n")
                elif event.number == PASSING:
                    if self._told:
                        await watch.sent(send, _watching(event.data))
                else:
                    if self._seats and AWAY in event.data:
                        self._correct(event)
                    await watch.sent(send, f"id: {event.number}\ndata: {event.data}\n\n".encode())
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except asyncio.CancelledError:
            if not watch.late:
                raise
            log.info("a slow reader was cut off")
        finally:
            watch.stop()
            leaving.cancel()
            open_streams[self._client] -= 1
            if not open_streams[self._client]:
                del open_streams[self._client]
            if counted:
                self._go()

    def _come(self) -> None:
        if not self._seats:
            self._server.watched(self._match_id, 1)
        for seat in self._seats:
            self._server.presence.arrive(self._match_id, seat, away=self._away[seat] is not None)

    def _go(self) -> None:
        if not self._seats:
            self._server.watched(self._match_id, -1)
        for seat in self._seats:
            self._server.presence.leave(self._match_id, seat)

    def _correct(self, event: Event) -> None:
        """Another process takes us for away, where we had a stream before."""
        told = msgspec.json.decode(event.data)
        for seat in self._seats:
            if told["kind"] == "away" and told["seat"] == str(seat):
                self._server.presence.note(self._match_id, seat, here=True)


def _watching(count: str) -> bytes:
    return f"event: watching\ndata: {count}\n\n".encode()


async def _leave(receive: Receive, queue: Events) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    queue.put_nowait(None)


class Watch:
    """Looks at a stream now and then, instead of setting a clock for each event."""

    def __init__(self, queue: Events) -> None:
        self._queue = queue
        self._task = asyncio.current_task()
        self._loop = asyncio.get_running_loop()
        self._since = 0.0  # when the sending began that is not yet done
        self._idle = False
        self._timer = self._loop.call_later(HEARTBEAT / 2, self._look)
        self.late = False

    async def sent(self, send: Send, piece: bytes) -> None:
        self._idle = False
        self._since = self._loop.time()
        await send({"type": "http.response.body", "body": piece, "more_body": True})
        self._since = 0.0

    def _look(self) -> None:
        if self._since and self._loop.time() - self._since > SEND_TIMEOUT:
            self.late = True
            assert self._task is not None
            self._task.cancel()
            return
        if self._idle and not self._since:
            self._queue.put_nowait(BEAT)
        self._idle = True
        self._timer = self._loop.call_later(HEARTBEAT / 2, self._look)

    def stop(self) -> None:
        self._timer.cancel()
