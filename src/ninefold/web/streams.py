"""Live events over HTTP, as server-sent events."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Send

from ninefold.web import service
from ninefold.web.requests import server_of, token_of
from ninefold.web.server import Server

log = logging.getLogger("ninefold.web")

HEARTBEAT = 15.0  # seconds between signs of life on a stream
SEND_TIMEOUT = 20.0  # seconds that a reader may take for an event


async def stream(request: Request) -> Response:
    server = server_of(request)
    room = await server.room(request.path_params["id"])
    service.holder(room, token_of(request))  # a wrong token is refused here too
    after = request.headers.get("last-event-id") or request.query_params.get("after", "0")
    if not (after.isascii() and after.isdigit() and len(after) < 10):
        raise HTTPException(400, "The number of the last event must be a whole number.")
    client = request.client.host if request.client else ""
    limits = server.limits
    if limits.streams and server.hub.count >= limits.streams:
        raise HTTPException(503, "There are too many streams here now. Try again later.")
    if limits.streams_each and server.streams.get(client, 0) >= limits.streams_each:
        raise HTTPException(429, "You have too many streams open.")
    return Stream(_events(server, room.id, int(after), client))


async def _events(server: Server, id: str, after: int, client: str) -> AsyncIterator[bytes]:
    server.streams[client] = server.streams.get(client, 0) + 1
    try:
        yield b"retry: 1000\n\n"
        async for event in server.hub.follow(id, after):
            yield f"id: {event.number}\ndata: {event.data}\n\n".encode()
    finally:
        server.streams[client] -= 1
        if not server.streams[client]:
            del server.streams[client]


class Stream(StreamingResponse):
    """Server-sent events with signs of life; a reader that takes too long is cut off."""

    media_type = "text/event-stream"

    async def stream_response(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        pieces = aiter(self.body_iterator)
        waiting: asyncio.Task[Any] | None = None
        try:
            while True:
                waiting = waiting or asyncio.ensure_future(anext(pieces))
                done, _ = await asyncio.wait({waiting}, timeout=HEARTBEAT)
                piece: Any = b": \n\n"
                if done:
                    try:
                        piece = waiting.result()
                    except StopAsyncIteration:
                        break
                    waiting = None
                async with asyncio.timeout(SEND_TIMEOUT):
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except TimeoutError:
            log.info("a slow reader was cut off")
        finally:
            if waiting is not None:
                waiting.cancel()
                await asyncio.wait({waiting})
            await pieces.aclose()  # type: ignore[attr-defined]
