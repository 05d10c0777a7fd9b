"""The HTTP API: reads requests, asks the service, writes answers. It holds no rules of any game."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import lru_cache, partial
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sa
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ninefold import __version__
from ninefold.analysis import evaluate
from ninefold.analysis.advice import advise, verdict
from ninefold.analysis.data import evaluation_data, position_data, review_data, value_data
from ninefold.core.errors import NinefoldError
from ninefold.core.seat import SEATS, Seat
from ninefold.core.view import as_data
from ninefold.games import every_game, load
from ninefold.match.telling import cast_of, ending, reviewed
from ninefold.store import sql
from ninefold.store.sql import Database, Event, NoSuchMatch, Room, Transaction
from ninefold.web import messages as m
from ninefold.web import service
from ninefold.web.computers import Computers
from ninefold.web.hub import Hub
from ninefold.web.limits import Buckets, Limits
from ninefold.web.openapi import document
from ninefold.web.stats import Stats

T = TypeVar("T")
log = logging.getLogger("ninefold.web")

API = "/api/v1"
HEARTBEAT = 15.0  # seconds between signs of life on a stream
SEND_TIMEOUT = 20.0  # seconds that a reader may take for an event
LISTED = 100  # open matches in the list
LONGEST = 500  # moves of a position to look into

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
}

encode = msgspec.json.encode


class Server:
    """Everything that a process of the server holds."""

    def __init__(self, database: Database, limits: Limits, root_path: str = "") -> None:
        self.database = database
        self.limits = limits
        self.root_path = root_path.rstrip("/")
        self.stats = Stats()
        self.hub = Hub(self._events_after)
        self.buckets = Buckets(limits.rate, limits.burst)
        self.computers = Computers(database, self.tell)
        self.streams: dict[str, int] = {}
        self.ready = False

    async def run(self, work: Callable[[Transaction], T]) -> tuple[T, list[Event]]:
        return await asyncio.wrap_future(self.database.run(work))

    async def read(self, work: Callable[[sa.Connection], T]) -> T:
        return await asyncio.wrap_future(self.database.read(work))

    async def room(self, id: str) -> Room:
        known = self.database.known(id)
        if known is None:
            known = await self.read(partial(self.database.current, id))
        return known

    async def _events_after(self, id: str, number: int) -> list[Event]:
        return await self.read(partial(self.database.events_after, id, number))

    async def tell(self, news: list[Event]) -> None:
        """Everybody who listens hears of it, in this process and in the others."""
        self.hub.publish(news)
        if self.database.shared and news:
            ids = {event.match_id for event in news}
            await self.read(partial(_notify, ids))

    def touched(self, room: Room) -> None:
        """A match has changed: if a computer has to move, have it think."""
        if room.due:
            self.computers.think(room)


def _notify(ids: set[str], connection: sa.Connection) -> None:
    for id in ids:
        connection.execute(sa.text("SELECT pg_notify('ninefold', :id)"), {"id": id})
    connection.commit()


# Answers


class Answer(Response):
    """JSON, and what is to be told to others once it has been sent."""

    media_type = "application/json"

    def __init__(
        self,
        content: Any,
        status: int = 200,
        *,
        after: Callable[[], Awaitable[None]] | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(encode(content), status, headers=headers)
        self._after = after

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            if self._after is not None:
                await self._after()


def problem(status: int, title: str, detail: str, **more: Any) -> Response:
    content = encode(m.Problem(title=title, status=status, detail=detail, **more))
    return Response(content, status, media_type="application/problem+json")


def _failed(request: Request, error: Exception) -> Response:
    match error:
        case NoSuchMatch():
            return problem(404, "No such match", str(error))
        case service.Forbidden():
            return problem(403, "Not your seat", str(error))
        case service.Stale():
            return problem(409, "The match has moved on", str(error))
        case NinefoldError():
            return problem(422, "Not possible", str(error))
        case HTTPException():
            return problem(error.status_code, error.detail, error.detail)
        case msgspec.ValidationError() | msgspec.DecodeError():
            return problem(400, "Not understood", f"The request is not as it should be: {error}.")
    log.error("unexpected", exc_info=error)
    return problem(500, "Something went wrong", "The server failed to answer. It has been noted.")


# What is read from a request


def server_of(request: Request) -> Server:
    found = request.app.state.server
    assert isinstance(found, Server)
    return found


def token_of(request: Request) -> str | None:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() or None if kind.lower() == "bearer" else None


async def body_of(request: Request, kind: type[T]) -> T:
    limit = server_of(request).limits.body
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > limit:
            raise HTTPException(413, "The request is too large.")
    return msgspec.json.decode(bytes(content) or b"{}", type=kind)


def link(request: Request, match_id: str, token: str | None = None) -> str:
    """The address of a match, or of a seat in it: the part after # never leaves a browser."""
    base = f"{request.url.scheme}://{request.url.netloc}{server_of(request).root_path}"
    return f"{base}/m/{match_id}" + (f"#{token}" if token else "")


# A match as somebody may see it


def match_info(room: Room, viewer: Seat | None) -> m.MatchInfo:
    match = room.match
    record = match.record(viewer)
    first, second = (m.SeatInfo(kind=room.kinds[seat], name=match.player(seat).name) for seat in SEATS)
    return m.MatchInfo(
        match=room.id,
        game=match.game.slug,
        title=match.game.title,
        status=room.status,  # type: ignore[arg-type]
        you=_name(viewer),
        version=room.version,
        ply=match.ply,
        setup=dict(record.setup),
        first=first,
        second=second,
        started=match.started,
        moves=[m.MoveInfo(seat=_seat(one.seat), move=one.move, at=one.at) for one in record.moves],
        view=as_data(match.state.view(viewer)),
        outcome=_outcome(room),
        hints=room.hints,
        takeback=room.asked.get("takeback"),
        rematch=room.asked.get("rematch"),
        next=room.asked.get("next"),
    )


def _seat(seat: Seat) -> m.SeatName:
    return "second" if seat else "first"


def _name(seat: Seat | None) -> m.SeatName | None:
    return None if seat is None else _seat(seat)


def _outcome(room: Room) -> m.OutcomeInfo | None:
    outcome = room.match.outcome
    if outcome is None:
        return None
    text = ending(room.match, cast_of(room.match))
    return m.OutcomeInfo(winner=_seat(outcome.winner), reason=str(outcome.reason), text=text)


# The endpoints


async def list_games(request: Request) -> Response:
    return Answer(_games(), headers={"Cache-Control": "public, max-age=3600"})


@lru_cache(maxsize=1)
def _games() -> list[m.GameInfo]:
    return [
        m.GameInfo(
            game=game.slug,
            title=game.title,
            summary=game.summary,
            options=[m.OptionInfo(o.name, o.allowed, o.default) for o in game.options],
            moves=len(game.moves),
            rules=game.rules,
        )
        for game in every_game()
    ]


async def new_match(request: Request) -> Response:
    server = server_of(request)
    wanted = await body_of(request, m.NewMatch)
    limit = server.limits.matches
    if limit and await server.read(_unfinished) >= limit:
        raise HTTPException(503, "There are too many matches here now. Try again later.")
    (room, tickets), _ = await server.run(partial(_create, wanted=wanted))
    server.stats.count("matches_created")
    server.touched(room)
    held = [_held(request, ticket) for ticket in tickets]
    created = m.Created(match=room.id, link=link(request, room.id), held=held)
    return Answer(created, 201, headers={"Location": f"{server.root_path}{API}/matches/{room.id}"})


def _create(tx: Transaction, wanted: m.NewMatch) -> tuple[Room, list[service.Ticket]]:
    return service.create(tx, wanted)


def _held(request: Request, ticket: service.Ticket) -> m.Held:
    return m.Held(
        match=ticket.match_id,
        seat=_seat(ticket.seat),
        token=ticket.token,
        link=link(request, ticket.match_id, ticket.token),
    )


def _unfinished(connection: sa.Connection) -> int:
    count = sa.select(sa.func.count()).where(sql.matches.c.status != "over")
    return int(connection.execute(count).scalar_one())


async def list_open(request: Request) -> Response:
    def looked_up(connection: sa.Connection) -> list[Room]:
        wanted = sa.select(sql.matches.c.id).where(
            sql.matches.c.status == "waiting", sql.matches.c.listed
        )
        ids = connection.execute(wanted.order_by(sql.matches.c.touched.desc()).limit(LISTED)).scalars()
        return [server.database.current(id, connection) for id in ids.all()]

    server = server_of(request)
    found = []
    for room in await server.read(looked_up):
        seat = next((seat for seat in SEATS if room.kinds[seat] == service.OPEN), None)
        if seat is not None:
            game, opponent = room.match.game, room.match.player(seat.other).name
            found.append(
                m.OpenMatch(
                    match=room.id,
                    game=game.slug,
                    title=game.title,
                    seat=_seat(seat),
                    opponent=opponent,
                    link=link(request, room.id),
                )
            )
    return Answer(found)


async def read_match(request: Request) -> Response:
    room = await server_of(request).room(request.path_params["id"])
    return Answer(match_info(room, service.holder(room, token_of(request))))


async def join(request: Request) -> Response:
    server = server_of(request)
    wanted = await body_of(request, m.JoinRequest)
    id = request.path_params["id"]
    (room, ticket), news = await server.run(lambda tx: service.join(tx, id, wanted.name))
    server.touched(room)
    return Answer(_held(request, ticket), 201, after=partial(server.tell, news))


async def submit(request: Request) -> Response:
    server = server_of(request)
    wanted = await body_of(request, m.MoveRequest)
    id, token = request.path_params["id"], token_of(request)
    began = time.perf_counter()
    try:
        (room, seat, text), news = await server.run(
            lambda tx: service.move(tx, id, token, wanted.move, wanted.ply)
        )
    except service.Stale as error:
        room = await server.room(id)
        info = match_info(room, service.holder(room, token))
        return problem(409, "The match has moved on", str(error), match=info)
    server.stats.move(time.perf_counter() - began)
    server.touched(room)
    accepted = m.Accepted(seat=_seat(seat), move=text, ply=room.match.ply, version=room.version)
    return Answer(accepted, after=partial(server.tell, news))


async def resign(request: Request) -> Response:
    id, token = request.path_params["id"], token_of(request)
    return await _done(request, lambda tx: service.resign(tx, id, token))


async def takeback(request: Request) -> Response:
    wanted = await body_of(request, m.AskRequest)
    id, token = request.path_params["id"], token_of(request)
    return await _done(request, lambda tx: service.takeback(tx, id, token, wanted.action))


async def rematch(request: Request) -> Response:
    wanted = await body_of(request, m.AskRequest)
    id, token = request.path_params["id"], token_of(request)
    return await _done(request, lambda tx: service.rematch(tx, id, token, wanted.action))


async def _done(request: Request, work: Callable[[Transaction], Room]) -> Response:
    server = server_of(request)
    room, news = await server.run(work)
    server.touched(room)
    following = room.asked.get("next")
    if following is not None:
        server.touched(await server.room(following))
    return Answer(m.Done(version=room.version, next=following), after=partial(server.tell, news))


async def record(request: Request) -> Response:
    room = await server_of(request).room(request.path_params["id"])
    viewer = service.holder(room, token_of(request))
    content = room.match.record(viewer).to_json()
    name = f"ninefold-{room.match.game.slug}-{room.id}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type="application/json", headers=headers)


async def review(request: Request) -> Response:
    room = await server_of(request).room(request.path_params["id"])
    if room.match.outcome is None:
        raise service.Stale("The match is not over yet.")
    return Answer(review_data(await asyncio.to_thread(reviewed, room.match)))


async def hint(request: Request) -> Response:
    room, seat = await _advised(request)
    if seat not in room.match.state.movers:
        raise service.Stale("It is not your turn.")
    advice = await asyncio.to_thread(advise, room.match.open_state, seat)
    return Answer(m.HintInfo(move=advice.move, reason=advice.reason))


async def evaluation(request: Request) -> Response:
    room, _ = await _advised(request)
    found = await asyncio.to_thread(evaluate, room.match.open_state)
    names = (room.match.player(Seat.FIRST).name, room.match.player(Seat.SECOND).name)
    return Answer(m.EvaluationInfo(**value_data(found.value), text=verdict(found.value, names)))


async def _advised(request: Request) -> tuple[Room, Seat]:
    """The match of somebody who may have advice. A spectator may not: it could tell the target."""
    room = await server_of(request).room(request.path_params["id"])
    seat = service.seat_of(room, token_of(request))
    if not room.hints:
        raise service.Forbidden("This match is played without hints.")
    if room.status != "playing":
        raise service.Stale("The match is not being played.")
    return room, seat


async def explore(request: Request) -> Response:
    """The exact evaluation of any position. It never changes, so it may be kept."""
    given = dict(request.query_params)
    game = load(given.pop("game", ""))
    moves = given.pop("moves", "").replace("+", " ").split()
    if len(moves) > LONGEST:
        raise NinefoldError(f"That is more than {LONGEST} moves.")
    setup: dict[str, int | str] = dict(given)
    state = game.sequence(game.set_up(setup), moves)
    found = await asyncio.to_thread(evaluate, state)
    view = as_data(state.view((*state.movers, Seat.FIRST)[0]))
    data = {**position_data(state, moves), **evaluation_data(found), "view": view}
    return Answer(data, headers={"Cache-Control": "public, max-age=86400, immutable"})


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


async def healthy(request: Request) -> Response:
    return Answer({"status": "ok", "version": __version__})


async def ready(request: Request) -> Response:
    server = server_of(request)
    try:
        await asyncio.wait_for(server.read(lambda c: c.execute(sa.text("SELECT 1")).scalar()), 5)
    except Exception:
        return problem(503, "Not ready", "The database does not answer.")
    return Answer({"status": "ready"})


async def metrics(request: Request) -> Response:
    server = server_of(request)
    return Response(
        server.stats.text(streams=server.hub.count, thinking=server.computers.thinking),
        media_type="text/plain; version=0.0.4",
    )


async def openapi(request: Request) -> Response:
    return Response(document(server_of(request).root_path), media_type="application/json")


ROUTES: list[tuple[str, str, Callable[[Request], Awaitable[Response]]]] = [
    ("GET", f"{API}/games", list_games),
    ("POST", f"{API}/matches", new_match),
    ("GET", f"{API}/matches", list_open),
    ("GET", f"{API}/matches/{{id}}", read_match),
    ("POST", f"{API}/matches/{{id}}/join", join),
    ("POST", f"{API}/matches/{{id}}/moves", submit),
    ("POST", f"{API}/matches/{{id}}/resign", resign),
    ("POST", f"{API}/matches/{{id}}/takeback", takeback),
    ("POST", f"{API}/matches/{{id}}/rematch", rematch),
    ("GET", f"{API}/matches/{{id}}/record", record),
    ("GET", f"{API}/matches/{{id}}/review", review),
    ("GET", f"{API}/matches/{{id}}/hint", hint),
    ("GET", f"{API}/matches/{{id}}/evaluation", evaluation),
    ("GET", f"{API}/matches/{{id}}/events", stream),
    ("GET", f"{API}/evaluation", explore),
    ("GET", "/healthz", healthy),
    ("GET", "/readyz", ready),
    ("GET", "/metrics", metrics),
    ("GET", "/openapi.json", openapi),
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
            log.info(
                "%s", json.dumps({"method": scope["method"], "path": _shown(scope["path"]),
                                  "status": status, "ms": round(1000 * seconds, 1)})
            )  # fmt: skip


_RAW_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]


def _shown(path: str) -> str:
    """A path for the log: its pattern, so that nothing a client made up gets there."""
    parts = path.split("/")
    if parts[1:4] == ["api", "v1", "matches"] and len(parts) > 4:
        parts[4] = "{id}"
    shown = "/".join(parts)
    return shown if shown in _KNOWN else "other"


_KNOWN = {path for _, path, _ in ROUTES}


def make_app(server: Server) -> ASGIApp:
    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await server.computers.start()
        listening = asyncio.create_task(_listen(server)) if server.database.shared else None
        tidying = asyncio.create_task(_tidy(server))
        try:
            yield
        finally:
            for task in (listening, tidying):
                if task is not None:
                    task.cancel()
            server.hub.close()
            await server.computers.stop()
            await asyncio.to_thread(server.database.close)

    routes = [Route(path, endpoint, methods=[method]) for method, path, endpoint in ROUTES]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={Exception: _answer_failure})
    for kind in (NinefoldError, HTTPException, msgspec.ValidationError, msgspec.DecodeError):
        app.add_exception_handler(kind, _answer_failure)
    app.state.server = server
    return Guard(app, server)


async def _answer_failure(request: Request, error: Exception) -> Response:
    return _failed(request, error)


async def _listen(server: Server) -> None:
    """PostgreSQL tells which matches other processes have changed."""
    import psycopg

    address = server.database.url.set(drivername="postgresql").render_as_string(hide_password=False)
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(address, autocommit=True) as connection:
                await connection.execute("LISTEN ninefold")
                for id in server.hub.followed():
                    server.hub.nudge(id)  # what was missed while nobody listened
                async for notice in connection.notifies():
                    server.hub.nudge(notice.payload)
        except psycopg.Error:
            log.warning("lost the database; trying again")
            await asyncio.sleep(0.5)


async def _tidy(server: Server) -> None:
    """Now and then, remove what the limits say is too old."""
    while True:
        removed = await server.read(partial(_remove_old, limits=server.limits))
        if removed:
            log.info("%s", json.dumps({"tidied": len(removed)}))
            server.database.forget(removed)
        await asyncio.sleep(600)


def _remove_old(connection: sa.Connection, limits: Limits) -> list[str]:
    now = time.time()
    table = sql.matches.c
    old = sa.or_(
        sa.and_(table.status == "waiting", table.touched < now - limits.waiting_hours * 3600),
        sa.and_(table.status == "playing", table.touched < now - limits.idle_days * 86400),
        sa.and_(table.status == "over", table.touched < now - limits.kept_days * 86400),
    )
    ids = list(connection.execute(sa.select(table.id).where(old).limit(1000)).scalars())
    if ids:
        connection.execute(sa.delete(sql.matches).where(table.id.in_(ids)))
        connection.commit()
    return ids
