"""The ASGI application: what happens around every request, and the background tasks."""

from __future__ import annotations

import asyncio
import logging
import signal
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import lru_cache
from types import FrameType
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Lifespan, Message, Receive, Scope, Send

from ninefold import __version__
from ninefold.store.sql.outage import Unavailable
from ninefold.web import routes
from ninefold.web.background import (
    clean_up,
    count_matches,
    expire_writes,
    poll_events,
    receive_notifications,
)
from ninefold.web.clocks import TrustedClock, end_overdue_games
from ninefold.web.page import rendering
from ninefold.web.requests import client_of, cycle_of, server_of
from ninefold.web.responses import NotifyingResponse, describe_error, problem
from ninefold.web.server import Server

log = logging.getLogger("ninefold.web")

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Ninefold-Version": __version__,
}
RETRY_AFTER = "2"  # seconds, for a request that is not possible now
UNLIMITED = {"/healthz", "/readyz", "/metrics"}  # not rate limited: operators ask for these


class App:
    """Handles every request, from its client's rate limit to its line in the log."""

    def __init__(self, server: Server, lifespan: Lifespan[Starlette]) -> None:
        self._server = server
        self._starlette = Starlette(lifespan=lifespan)
        self._routes = routes.RouteTable(routes.ROUTES + routes.PAGES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._starlette(scope, receive, send)
            return
        began = time.perf_counter()
        status, pattern = 0, routes.OTHER
        scope["ninefold"], scope["root"] = self._server, self._server.root_path
        request = Request(scope, receive)

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = message["headers"]
                missing, _ = _missing(tuple([name for name, _ in headers]))
                message["headers"] = headers + missing
            await send(message)

        async def respond(response: Response) -> None:
            nonlocal status
            cycle = cycle_of(request)
            whole = type(response).__call__ is Response.__call__ and scope["method"] != "HEAD"
            if whole and cycle is not None and not cycle.paused:
                headers = response.raw_headers
                _, missing = _missing(tuple([name for name, _ in headers]))
                cycle.respond(response.status_code, headers, missing, bytes(response.body))
                status = response.status_code
            else:
                await response(scope, receive, send_with_headers)

        try:
            try:
                self._admit(request)
                found = self._routes.find(scope["method"], scope["path"])
                pattern, endpoint, scope["path_params"] = found
                response = await endpoint(request)
                try:
                    await respond(response)
                finally:
                    if isinstance(response, NotifyingResponse) and response.after is not None:
                        await response.after()
            except ClientDisconnect:
                raise
            except Exception as error:
                if status:  # the response has begun
                    raise
                await respond(respond_to_error(request, error))
        except (ClientDisconnect, OSError):
            status = status or 499  # the client has disconnected
        finally:
            seconds = time.perf_counter() - began
            self._server.metrics.count_request(scope["method"], status)
            if log.isEnabledFor(logging.INFO):
                line = {
                    "method": scope["method"],
                    # the route's pattern: a path may hold anything, even a match's id
                    "path": pattern,
                    "status": status,
                    "ms": round(1000 * seconds, 1),
                }
                log.info("%(method)s %(path)s: %(status)s in %(ms)s ms", line)

    def _admit(self, request: Request) -> None:
        """Refuse a client that sends too many requests."""
        free = request.scope["path"] in UNLIMITED
        wait = 0.0 if free else self._server.rate_limiter.admit(client_of(request))
        if wait:
            headers = {"Retry-After": str(int(wait) + 1)}
            raise HTTPException(429, f"Try again in {wait:.1f} seconds.", headers)


@lru_cache(maxsize=128)
def _missing(names: tuple[bytes, ...]) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """The headers that every response has, without those that a response has already; also as lines."""
    pairs = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
    missing = [pair for pair in pairs if pair[0] not in names]
    return missing, b"".join([b"%b: %b\r\n" % pair for pair in missing])


def respond_to_error(request: Request, error: Exception) -> Response:
    """Say what went wrong: as a page to a browser, else as problem details."""
    status, title, detail = describe_error(error)
    if request.url.path.startswith("/api/") or "text/html" not in request.headers.get("accept", ""):
        answer = problem(status, title, detail)
    else:
        answer = rendering.render_problem(request, status, title, detail)
    if isinstance(error, Unavailable):
        server_of(request).log_outage(error)
    if status == 503:
        answer.headers["Retry-After"] = RETRY_AFTER
    if isinstance(error, HTTPException):
        answer.headers.update(error.headers or {})
    return answer


def _end_streams_on_signals(server: Server) -> None:
    """End the streams on a signal: uvicorn waits for open responses, and a stream does not end itself."""
    if threading.current_thread() is not threading.main_thread():
        return  # only the main thread may handle signals; in tests this is another one
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)

        def handle(received: int, frame: FrameType | None, before: Any = before) -> None:
            loop.call_soon_threadsafe(server.presence.close)
            loop.call_soon_threadsafe(server.hub.close)
            if callable(before):
                before(received, frame)

        signal.signal(number, handle)


def make_app(server: Server) -> ASGIApp:
    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await server.computers.start()
        clock = TrustedClock()
        background = [
            clean_up(server, clock),
            count_matches(server),
            end_overdue_games(server, clock),
            expire_writes(server),
        ]
        if server.database.shared:
            background += [receive_notifications(server), poll_events(server)]
        tasks = [asyncio.create_task(one) for one in background]
        _end_streams_on_signals(server)
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            server.presence.close()
            server.hub.close()
            await server.computers.stop()
            await asyncio.to_thread(server.jobs.stop)
            await server.finish_notifying()
            await asyncio.to_thread(server.database.close)

    return App(server, lifespan)
