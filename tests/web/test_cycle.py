"""Responses are written past uvicorn's `send`, and are what it would have written."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import Response
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from ninefold.store.sql.database import Database
from ninefold.web.app import App, make_app
from ninefold.web.limits import Limits
from ninefold.web.protocol import Cycle, Protocol
from ninefold.web.server import Server
from tests.web.support import PATIENCE, sqlite_url

REQUESTS = [
    b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
    b"HEAD /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET /healthz HTTP/1.0\r\nHost: a\r\n\r\n",
    b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    b"GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n",
    b"DELETE /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET /rules HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n",
    b"GET /rules/ HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET /api/v1/games HTTP/1.1\r\nHost: a\r\n\r\n",
    b"POST /api/v1/matches HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n{{}}",
    b"POST /api/v1/matches HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}",
    b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n",  # in one packet
]


class Transport(asyncio.Transport):
    """A connection on which nothing arrives by itself."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 1), "sockname": ("127.0.0.1", 2)})
        self.sent = b""
        self.closed = False

    def write(self, data: Any) -> None:
        assert not self.closed
        self.sent += data

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...


def answer(
    folder: Path, kind: type[HttpToolsProtocol], change: Callable[[App], None] = lambda _: None
) -> Callable[[bytes], Coroutine[None, None, tuple[bytes, bool]]]:
    """A server in this process: a request in, and what was sent and whether the connection is closed."""
    database = Database(sqlite_url(folder))
    database.open()
    app: Any = make_app(Server(database, Limits()))
    change(app)
    config = uvicorn.Config(app, http=kind, ws="none", log_config=None, server_header=False)
    config.load()

    async def ask(request: bytes) -> tuple[bytes, bool]:
        state, transport = ServerState(), Transport()
        protocol = kind(config, state, {})
        protocol.connection_made(transport)
        protocol.data_received(request)
        while state.tasks:
            await asyncio.wait_for(asyncio.gather(*state.tasks), PATIENCE)
            await asyncio.sleep(0)
        protocol.connection_lost(None)
        return transport.sent, transport.closed

    return ask


@pytest.mark.parametrize("request_", REQUESTS, ids=range(len(REQUESTS)))
def test_a_response_is_the_same_as_through_uvicorns_own_send(tmp_path: Path, request_: bytes) -> None:
    async def ask() -> list[tuple[list[bytes], bytes, bool]]:
        found = []
        for kind in (Protocol, HttpToolsProtocol):
            sent, closed = await answer(tmp_path, kind)(request_)
            head, _, body = sent.partition(b"\r\n\r\n")
            found.append((head.split(b"\r\n"), body, closed))
        return found

    ours, theirs = asyncio.run(ask())
    assert ours[0][0] == theirs[0][0] != b""
    assert [sorted(ours[0]), *ours[1:]] == [sorted(theirs[0]), *theirs[1:]]


def test_an_exchange_leaves_nothing_to_garbage_collection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cycles: list[weakref.ref[Cycle]] = []
    respond = Cycle.respond

    def note(cycle: Cycle, *given: Any) -> None:
        cycles.append(weakref.ref(cycle))
        respond(cycle, *given)

    monkeypatch.setattr(Cycle, "respond", note)
    gc.collect()
    gc.disable()
    try:
        asyncio.run(answer(tmp_path, Protocol)(REQUESTS[-1]))
        assert [one() for one in cycles] == [None, None]
    finally:
        gc.enable()


def test_a_header_with_a_line_break_is_never_sent(tmp_path: Path) -> None:
    async def inject(_: Request) -> Response:
        return Response(headers={"X-Test": "a\r\nSet-Cookie: b"})

    def change(app: App) -> None:
        app._routes.find = lambda *_: ("/", inject, {})  # type: ignore[method-assign]

    sent, _ = asyncio.run(answer(tmp_path, Protocol, change)(REQUESTS[0]))
    assert sent.startswith(b"HTTP/1.1 500 ")
    assert b"Set-Cookie" not in sent
