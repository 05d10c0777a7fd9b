"""The application: what stands around every request, and what runs beside them."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import signal
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import FrameType
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Lifespan, Message, Receive, Scope, Send

from ninefold import __version__
from ninefold.analysis import prepare_together
from ninefold.store.outage import Unavailable
from ninefold.web import addresses
from ninefold.web.answers import described, problem
from ninefold.web.clocks import Clock, keep_time
from ninefold.web.page import rendering
from ninefold.web.process import Server, end_with, listen, nudge, publish, tidy
from ninefold.web.requests import client_of, server_of

log = logging.getLogger("ninefold.web")

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Ninefold-Version": __version__,
}
OLDEST = (0, 1)  # the versions of our clients that this server understands


RETRY_AFTER = "2"  # seconds after which to try again what is not possible now
UNLIMITED = {"/healthz", "/readyz", "/metrics"}  # whoever looks after the server may ask at any rate


class App:
    """Every request, from the rate of its client to its line in the log."""

    def __init__(self, server: Server, lifespan: Lifespan[Starlette]) -> None:
        self._server = server
        self._starlette = Starlette(lifespan=lifespan)
        self._starlette.state.server = server
        self._router = addresses.make_router()
        routes = (route for route in self._router.routes if isinstance(route, Route))
        self._patterns: dict[Any, str] = {route.endpoint: route.path for route in routes}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._starlette(scope, receive, send)
            return
        began = time.perf_counter()
        status = 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                present = {name for name, _ in message["headers"]}
                message["headers"] += [pair for pair in _RAW_HEADERS if pair[0] not in present]
            await send(message)

        scope["app"] = self._starlette
        try:
            try:
                self._admit(Request(scope))
                await self._router(scope, receive, sending)
            except ClientDisconnect:
                raise
            except Exception as error:
                if status:  # the answer has begun
                    raise
                request = Request(scope, receive)
                await failed(request, error)(scope, receive, sending)
        except (ClientDisconnect, OSError):
            status = status or 499  # the client has gone
        finally:
            seconds = time.perf_counter() - began
            self._server.stats.request(scope["method"], status)
            if log.isEnabledFor(logging.INFO):
                line = {
                    "method": scope["method"],
                    # nothing made up by a client
                    "path": self._patterns.get(scope.get("endpoint"), "other"),
                    "status": status,
                    "ms": round(1000 * seconds, 1),
                }
                log.info("%s", json.dumps(line))

    def _admit(self, request: Request) -> None:
        """Refuse a client that asks too often, or is too old."""
        free = request.scope["path"] in UNLIMITED
        wait = 0.0 if free else self._server.buckets.wait(client_of(request))
        if wait:
            headers = {"Retry-After": str(int(wait) + 1)}
            raise HTTPException(429, f"Try again in {wait:.1f} seconds.", headers)
        _check_version(request.headers.get("ninefold-version"))


def _check_version(told: str | None) -> None:
    """Refuse, in words, a client that says it is too old to understand this server."""
    found = re.match(r"(\d{1,6})\.(\d{1,6})", told or "")
    if found is not None and (int(found[1]), int(found[2])) < OLDEST:
        raise HTTPException(
            426, f"This server runs Ninefold {__version__} and you have {found[0]}: please update yours."
        )


_RAW_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]


def failed(request: Request, error: Exception) -> Response:
    """What went wrong: as a page where a page was asked for, else as a problem."""
    status, title, detail = described(error)
    if request.url.path.startswith("/api/") or "text/html" not in request.headers.get("accept", ""):
        answer = problem(status, title, detail)
    else:
        answer = rendering.failed(request, status, title, detail)
    if isinstance(error, Unavailable):
        server_of(request).note_outage(error)
    if status == 503:
        answer.headers["Retry-After"] = RETRY_AFTER
    if isinstance(error, HTTPException):
        answer.headers.update(error.headers or {})
    return answer


def _end_streams_on_signals(server: Server) -> None:
    """Streams never end by themselves, and a server that stops waits for what is open."""
    if threading.current_thread() is not threading.main_thread():
        return  # in a test, say: whoever runs the loop has the signals
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)

        def heard(received: int, frame: FrameType | None, before: Any = before) -> None:
            loop.call_soon_threadsafe(server.presence.close)
            loop.call_soon_threadsafe(server.hub.close)
            if callable(before):
                before(received, frame)

        signal.signal(number, heard)


def make_app(server: Server) -> ASGIApp:
    prepare_together()

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await server.computers.start()
        chores = [tidy(server), keep_time(server, Clock())]
        if server.parent is not None:
            chores += [end_with(server.parent), publish(server)]
        if server.database.shared:
            chores += [listen(server), nudge(server)]
        tasks = [asyncio.create_task(chore) for chore in chores]
        _end_streams_on_signals(server)
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            server.presence.close()
            server.hub.close()
            await server.computers.stop()
            await server.finish_telling()
            await asyncio.to_thread(server.database.close)

    return App(server, lifespan)
