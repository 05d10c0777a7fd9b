"""The application: which address does what, and what stands around every request."""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from types import FrameType
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ninefold.core.errors import NinefoldError
from ninefold.web import operating, playing, streams, studying
from ninefold.web.answers import described, problem
from ninefold.web.page import acts, explorer, lobby, reading, rendering, review, table
from ninefold.web.server import Server, listen, nudge, tidy

log = logging.getLogger("ninefold.web")

API = "/api/v1"

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
}

Endpoint = Callable[[Request], Awaitable[Response]]

ROUTES: list[tuple[str, str, Endpoint]] = [
    ("GET", f"{API}/games", playing.list_games),
    ("POST", f"{API}/matches", playing.new_match),
    ("GET", f"{API}/matches", playing.list_open),
    ("GET", f"{API}/matches/{{id}}", playing.read_match),
    ("POST", f"{API}/matches/{{id}}/join", playing.join),
    ("POST", f"{API}/matches/{{id}}/moves", playing.submit),
    ("POST", f"{API}/matches/{{id}}/resign", playing.resign),
    ("POST", f"{API}/matches/{{id}}/takeback", playing.takeback),
    ("POST", f"{API}/matches/{{id}}/rematch", playing.rematch),
    ("GET", f"{API}/matches/{{id}}/record", playing.record),
    ("GET", f"{API}/matches/{{id}}/review", studying.review),
    ("GET", f"{API}/matches/{{id}}/hint", studying.hint),
    ("GET", f"{API}/matches/{{id}}/evaluation", studying.evaluation),
    ("GET", f"{API}/matches/{{id}}/events", streams.stream),
    ("GET", f"{API}/evaluation", studying.explore),
    ("GET", "/healthz", operating.healthy),
    ("GET", "/readyz", operating.ready),
    ("GET", "/metrics", operating.metrics),
    ("GET", "/openapi.json", operating.openapi),
]

PAGES: list[tuple[str, str, Endpoint]] = [
    ("GET", "/", lobby.home),
    ("GET", "/demo/{game}/{step:int}", lobby.demo),
    ("GET", "/new/{game}", lobby.settings),
    ("POST", "/new", lobby.create),
    ("GET", "/m/{id}", table.show),
    ("POST", "/m/{id}/join", acts.join),
    ("POST", "/m/{id}/hold", acts.hold),
    ("POST", "/m/{id}/move", acts.move),
    ("POST", "/m/{id}/resign", acts.resign),
    ("POST", "/m/{id}/takeback", acts.takeback),
    ("POST", "/m/{id}/rematch", acts.rematch),
    ("GET", "/m/{id}/events", table.events),
    ("GET", "/m/{id}/code.svg", table.code),
    ("GET", "/m/{id}/review", review.show),
    ("GET", "/explore", explorer.games),
    ("GET", "/explore/{game}", explorer.show),
    ("GET", "/rules", reading.rules_list),
    ("GET", "/rules/{game}", reading.rules),
    ("GET", "/about", reading.about),
    ("GET", "/static/{version}/{name}", rendering.static),
]


class Guard:
    """Around every request: rates, sizes, headers, a log line, and answers to what went wrong."""

    def __init__(self, app: ASGIApp, server: Server) -> None:
        self._app = app
        self._server = server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
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

        client = scope["client"][0] if scope.get("client") else ""
        wait = self._server.buckets.wait(client)
        try:
            if wait:
                response = problem(429, "Too many requests", f"Try again in {wait:.1f} seconds.")
                response.headers["Retry-After"] = str(int(wait) + 1)
                await response(scope, receive, sending)
            else:
                await self._app(scope, receive, sending)
        except (ClientDisconnect, OSError):
            status = status or 499  # the client has gone
        finally:
            seconds = time.perf_counter() - began
            self._server.stats.request(scope["method"], status)
            if log.isEnabledFor(logging.INFO):
                line = {
                    "method": scope["method"],
                    "path": _shown(scope["path"]),
                    "status": status,
                    "ms": round(1000 * seconds, 1),
                }
                log.info("%s", json.dumps(line))


_RAW_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]


def _shown(path: str) -> str:
    """A path for the log: its pattern, so that nothing a client made up gets there."""
    parts = path.split("/")
    for known, pattern in _PATTERNS.get(len(parts), ()):
        if all(wanted in (part, None) for wanted, part in zip(pattern, parts, strict=True)):
            return known
    return "other"


_KNOWN = list(dict.fromkeys(path for _, path, _ in ROUTES + PAGES))
_PATTERNS: dict[int, list[tuple[str, list[str | None]]]] = {}
for _path in _KNOWN:
    _parts = [None if part.startswith("{") else part for part in _path.split("/")]
    _PATTERNS.setdefault(len(_parts), []).append((_path, _parts))


async def failed(request: Request, error: Exception) -> Response:
    """What went wrong: as a page where a page was asked for, else as a problem."""
    status, title, detail = described(error)
    if request.url.path.startswith("/api/") or "text/html" not in request.headers.get("accept", ""):
        answer = problem(status, title, detail)
    else:
        answer = rendering.failed(request, status, title, detail)
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
            loop.call_soon_threadsafe(server.hub.close)
            if callable(before):
                before(received, frame)

        signal.signal(number, heard)


def _methods(path: str) -> list[str]:
    return [method for method, known, _ in ROUTES + PAGES if known == path]


def _by_method(path: str) -> Endpoint:
    """One endpoint an address, so that a wrong method is told all the right ones."""
    endpoints = {method: endpoint for method, known, endpoint in ROUTES + PAGES if known == path}

    async def dispatched(request: Request) -> Response:
        return await endpoints["GET" if request.method == "HEAD" else request.method](request)

    return dispatched


def make_app(server: Server) -> ASGIApp:
    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await server.computers.start()
        chores = [tidy(server)]
        if server.database.shared:
            chores += [listen(server), nudge(server)]
        tasks = [asyncio.create_task(chore) for chore in chores]
        _end_streams_on_signals(server)
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            server.hub.close()
            await server.computers.stop()
            await asyncio.to_thread(server.database.close)

    routes = [Route(path, _by_method(path), methods=_methods(path)) for path in _KNOWN]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={Exception: failed})
    for kind in (NinefoldError, HTTPException, msgspec.DecodeError, UnicodeDecodeError):
        app.add_exception_handler(kind, failed)
    app.state.server = server
    return Guard(app, server)
