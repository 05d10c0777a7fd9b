"""The endpoints for playing: matches, seats, moves."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.games import every_game
from ninefold.store import queries
from ninefold.store.database import Room, Status, Transaction
from ninefold.web import messages as m
from ninefold.web.actions import changes, matches, play, proposals, tokens
from ninefold.web.answers import Answer, problem
from ninefold.web.info import match_info, seat_name
from ninefold.web.process import Server
from ninefold.web.requests import body_of, client_of, key_of, link, server_of, token_of

LISTED = 100  # open matches in the list


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
            endless=game.endless,
            rules=game.rules,
        )
        for game in every_game()
    ]


async def new_match(request: Request) -> Response:
    server = server_of(request)
    wanted = await body_of(request, m.NewMatch)
    room, tickets = await begin(request, wanted, key=key_of(request))
    held = [_held(request, ticket) for ticket in tickets]
    created = m.Created(match=room.id, link=link(request, room.id), held=held)
    return Answer(created, 201, headers={"Location": f"{server.root_path}/api/v1/matches/{room.id}"})


async def begin(
    request: Request, wanted: m.NewMatch, token: str | None = None, key: str | None = None
) -> tuple[Room, list[tokens.Ticket]]:
    """A new match, if there is room for one."""
    server = server_of(request)
    limits = server.limits
    maker = tokens.hash_address(client_of(request))
    if limits.matches and await server.read(queries.count_unfinished) >= limits.matches:
        raise HTTPException(503, "There are too many matches here now. Try again later.")
    if limits.share and await server.read(partial(queries.count_unfinished, maker=maker)) >= limits.share:
        raise HTTPException(
            429, "You have too many unfinished matches here. Finish or leave some, or try again later."
        )
    create = partial(matches.create, wanted=wanted, token=token, maker=maker, key=key)
    (room, tickets), _ = await server.run(create)
    server.stats.count("matches_created")
    server.touched(room)
    return room, tickets


def _held(request: Request, ticket: tokens.Ticket) -> m.Held:
    return m.Held(
        match=ticket.match_id,
        seat=seat_name(ticket.seat),
        token=ticket.token,
        link=link(request, ticket.match_id, ticket.token),
    )


async def list_open(request: Request) -> Response:
    found = []
    for room, seat in await open_rooms(server_of(request)):
        game, opponent = room.match.game, room.match.player(seat.other).name
        found.append(
            m.OpenMatch(
                match=room.id,
                game=game.slug,
                title=game.title,
                seat=seat_name(seat),
                opponent=opponent,
                link=link(request, room.id),
            )
        )
    return Answer(found)


async def open_rooms(server: Server) -> list[tuple[Room, Seat]]:
    """The listed matches with a free seat, and which it is."""
    rooms = await server.find(LISTED, queries.OPEN_TO_ALL)
    return [(room, seat) for room in rooms for seat in SEATS if room.kinds[seat] == changes.OPEN]


async def read_match(request: Request) -> Response:
    room = await server_of(request).room(request.path_params["id"])
    return Answer(match_info(room, tokens.find_seat(room, token_of(request))))


async def join(request: Request) -> Response:
    server = server_of(request)
    wanted = await body_of(request, m.JoinRequest)
    id, key = request.path_params["id"], key_of(request)
    (room, ticket), news = await server.run(lambda tx: matches.join(tx, id, wanted.name, key=key))
    server.touched(room)
    return Answer(_held(request, ticket), 201, after=partial(server.tell, news))


async def submit(request: Request) -> Response:
    server = server_of(request)
    wanted = await body_of(request, m.MoveRequest)
    id, token = request.path_params["id"], token_of(request)
    began = time.perf_counter()
    try:
        (room, seat, text), news = await server.run(
            lambda tx: play.move(tx, id, token, wanted.move, wanted.ply)
        )
    except changes.Stale as error:
        room = await server.room(id)
        info = match_info(room, tokens.find_seat(room, token))
        return problem(409, "The match has moved on", str(error), match=info)
    server.stats.move(time.perf_counter() - began)
    server.touched(room)
    accepted = m.Accepted(seat=seat_name(seat), move=text, ply=room.match.ply, version=room.version)
    return Answer(accepted, after=partial(server.tell, news))


async def resign(request: Request) -> Response:
    id, token = request.path_params["id"], token_of(request)
    return await _done(request, lambda tx: play.resign(tx, id, token))


async def claim(request: Request) -> Response:
    server, id, token = server_of(request), request.path_params["id"], token_of(request)
    room = await server.room(id)
    other = tokens.require_seat(room, token).other
    if server.presence.here(id, other):
        raise changes.Stale(f"{room.match.player(other).name} is here.")
    room, news = await server.run(lambda tx: play.claim(tx, id, token))
    if room.status is not Status.OVER:
        await server.tell(news)
        raise changes.Stale("Your opponent may be away. If so, you can claim the game in 10 minutes.")
    return Answer(m.Done(version=room.version), after=partial(server.tell, news))


async def abort(request: Request) -> Response:
    server = server_of(request)
    id, token = request.path_params["id"], token_of(request)
    room, _ = await server.run(lambda tx: matches.abort(tx, id, token))
    return Answer(m.Done(version=room.version), after=partial(server.tell_gone, id))


async def takeback(request: Request) -> Response:
    wanted = await body_of(request, m.TakebackRequest)
    id, token = request.path_params["id"], token_of(request)
    action, ply = wanted.action, wanted.ply
    return await _done(request, lambda tx: proposals.takeback(tx, id, token, action, ply))


async def stop(request: Request) -> Response:
    wanted = await body_of(request, m.AskRequest)
    id, token = request.path_params["id"], token_of(request)
    agreed = await find_agreement(request, wanted.action)
    return await _done(request, lambda tx: proposals.stop(tx, id, token, wanted.action, agreed))


async def find_agreement(request: Request, action: str) -> State[Any] | None:
    """The position in which a computer agrees to stop, if it is asked and does."""
    room = await server_of(request).room(request.path_params["id"])
    return await asyncio.to_thread(proposals.where_computer_agrees, room) if action == "ask" else None


async def rematch(request: Request) -> Response:
    wanted = await body_of(request, m.AskRequest)
    id, token = request.path_params["id"], token_of(request)
    return await _done(request, lambda tx: proposals.rematch(tx, id, token, wanted.action))


async def _done(request: Request, work: Callable[[Transaction], Room]) -> Response:
    server = server_of(request)
    id, token, key = request.path_params["id"], token_of(request), key_of(request)
    room, news = await server.run(lambda tx: tokens.run_once(tx, id, token, key, work))
    await server.go_on(room)
    done = m.Done(version=room.version, next=room.next)
    return Answer(done, after=partial(server.tell, news))


async def record(request: Request) -> Response:
    room = await server_of(request).room(request.path_params["id"])
    viewer = tokens.find_seat(room, token_of(request))
    content = room.match.record(viewer).to_json()
    name = f"ninefold-{room.match.game.slug}-{room.id}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type="application/json", headers=headers)
