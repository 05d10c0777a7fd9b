"""HTTP parsing with limits on the size of a request's head and on the time it takes to arrive."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from ninefold.client.wire import Problem
from ninefold.web.messages import encode_problem

LINE = 8_192  # bytes of a URL
HEAD = 32_768  # bytes of a request before its body
FIELDS = 100  # headers of a request
FRAMING = 8  # bytes that chunked encoding may add to each byte of a body
LINGER = 2.0  # seconds to keep the connection after a refusal, so that the client gets to read it

REFUSALS = {
    400: "This is not an HTTP request.",
    408: "The request took too long to arrive.",
    414: f"The address has more than {LINE} bytes.",
    431: f"The headers have more than {HEAD} bytes, or there are more than {FIELDS} of them.",
}


class _TooLarge(Exception):
    """Stops the parser. The status says what was too large."""


class Cycle(RequestResponseCycle):
    """uvicorn's exchange of a request and its response, with ways past its `send` for what is sent often.

    There, a response takes two calls, each header is checked by itself, and a stream needs a task to wait
    for its events (`benchmarks/plumbing.py`).
    """

    def respond(
        self, status: int, headers: Sequence[tuple[bytes, bytes]], more: bytes, body: bytes
    ) -> None:
        """Send a whole response. `more` are headers as lines."""
        if self.disconnected:
            return
        pairs = (*self.default_headers, *headers)
        head = b"".join([b"%b: %b\r\n" % pair for pair in pairs])
        if head.count(b"\n") != len(pairs):
            raise ValueError("a header has more than one line")
        if not self.keep_alive:
            more += b"connection: close\r\n"
        self.response_started = self.response_complete = True
        self.transport.write(b"%b%b%b\r\n%b" % (STATUS_LINE[status], head, more, body))
        self.message_event.set()
        if not self.keep_alive:
            self.transport.close()
        self.on_response()

    def take_body(self) -> bytes | None:
        """The whole body of the request if all of it has arrived, else None. It can be taken once."""
        if self.more_body or self.disconnected or self.waiting_for_100_continue:
            return None
        body, self.body = self.body, bytearray()
        return bytes(body)

    def push(self, piece: bytes) -> None:
        """Send a piece of a response that has begun and has no length."""
        if not self.disconnected:
            self.transport.write(b"%x\r\n%b\r\n" % (len(piece), piece))

    @property
    def paused(self) -> bool:
        """Whether the client should get no more until it has read some of what was sent."""
        return self.flow.write_paused

    async def drain(self) -> None:
        """Wait until the client takes more, or has gone."""
        await self.flow.drain()

    def wake(self) -> None:
        """Have `receive` return, even if nothing has arrived."""
        self.message_event.set()

    def abort(self) -> None:
        """Close the connection at once."""
        self.transport.abort()


class Protocol(HttpToolsProtocol):
    """uvicorn's HTTP protocol, with limits on a request's head and on the seconds it may take to arrive.

    0 seconds means no limit. uvicorn has no such limits of its own.
    """

    def __init__(self, *given: Any, seconds: float = 0, **more: Any) -> None:
        super().__init__(*given, **more)
        self._seconds = seconds
        self._arriving: asyncio.TimerHandle | None = None
        self._status = 400  # of a refusal, if there is one
        self._refused = False
        self._begin()

    def _begin(self) -> None:
        self._asked = False  # whether a request has begun to arrive
        self._answering = False  # whether its head has arrived, so that a response may begin
        self._complete = False  # whether all of it has arrived
        self._received = self._body = 0  # bytes of this request

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_more()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        if self._complete:
            self._begin()
        self._received += len(data)
        super().data_received(data)
        if self._complete or self._refused:
            return
        if self._received > HEAD + (1 + FRAMING) * self._body:
            self._refuse(414 if self._asked and len(self.url) > LINE else 431)
        else:
            self._await_more()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        cycle.__class__ = Cycle
        super()._start_asgi_task(cycle, app)

    # Callbacks of the parser

    def on_message_begin(self) -> None:
        if self._complete:  # the next request came in the same packet
            self._begin()
        self._asked = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._check(len(self.url) <= LINE, 414)
        size = sum([len(name) + len(value) for name, value in self.headers])
        self._check(size <= HEAD and len(self.headers) <= FIELDS, 431)
        self._answering = True
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._body += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._complete = True
        self._stop_waiting()
        super().on_message_complete()

    def _check(self, fits: bool, status: int) -> None:
        if not fits:
            self._status = status
            raise _TooLarge(status)

    # Waiting and refusing

    def _await_more(self) -> None:
        if self._seconds and self._arriving is None:
            self._arriving = self.loop.call_later(self._seconds, self._refuse, 408)

    def _stop_waiting(self) -> None:
        if self._arriving is not None:
            self._arriving.cancel()
            self._arriving = None

    def send_400_response(self, msg: str) -> None:
        self._refuse(self._status)

    def _refuse(self, status: int) -> None:
        """Close the connection; say why first, unless a response has begun or no request has."""
        self._refused = True
        self._stop_waiting()
        cycle = self.cycle  # until the head has arrived, that of the request before
        busy = cycle is not None and (
            cycle.response_started if self._answering else not cycle.response_complete
        )
        if busy or (status == 408 and not self._asked):
            self.transport.close()
            return
        if self._answering:  # the endpoint may be waiting for the rest of the body
            cycle.disconnected = True
            cycle.message_event.set()
        title = HTTPStatus(status).phrase
        content = encode_problem(Problem(title, status, REFUSALS[status]))
        self.transport.write(
            STATUS_LINE[status]
            + b"content-type: application/problem+json\r\nconnection: close\r\n"
            + f"content-length: {len(content)}\r\n\r\n".encode()
            + content
        )
        self.transport.write_eof()
        self.loop.call_later(LINGER, self.transport.abort)
