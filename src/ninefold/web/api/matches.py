"""The endpoints for matches: creating, joining, playing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ninefold.client import wire
from ninefold.core.game import Game
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.games import every_game
from ninefold.match.kinds import Action, SeatKind, Status
from ninefold.store.sql import queries
from ninefold.store.sql.database import Room, Transaction
from ninefold.web.actions import changes, matches, offers, play, tokens
from ninefold.web.api.serializers import seat_name, serialize_match
from ninefold.web.requests import client_of, idempotency_key, match_link, read_json, server_of, token_of
from ninefold.web.responses import JsonResponse, problem
from ninefold.web.server import Server

LISTED = 100  # the most matches with an open seat that are listed


async def list_games(request: Request) -> Response:
    return JsonResponse(_game_infos(), headers={"Cache-Control": "public, max-age=3600"})


@lru_cache(maxsize=1)
def _game_infos() -> list[wire.GameInfo]:
    return [_describe_game(game) for game in every_game()]


def _describe_game(game: Game) -> wire.GameInfo:
    settings = [wire.SettingInfo(one.name, one.allowed, one.default) for one in game.options]
    return wire.GameInfo(
        game=game.slug,
        title=game.title,
        summary=game.summary,
        settings=settings,
        moves=len(game.moves),
        endless=game.endless,
        rules=game.rules,
    )


async def new_match(request: Request) -> Response:
    server = server_of(request)
    wanted = await read_json(request, wire.NewMatch)
    room, tickets = await create_match(request, wanted, key=idempotency_key(request))
    held = [_held_seat(request, ticket) for ticket in tickets]
    created = wire.Created(match=room.id, link=match_link(request, room.id), held=held)
    location = f"{server.root_path}/api/v1/matches/{room.id}"
    return JsonResponse(created, 201, headers={"Location": location})


async def create_match(
    request: Request, wanted: wire.NewMatch, token: str | None = None, key: str | None = None
) -> tuple[Room, list[tokens.Ticket]]:
    """Create a match. Raises an HTTPException if there are too many."""
    server = server_of(request)
    limits = server.limits
    maker = tokens.hash_address(client_of(request))
    if limits.matches and await server.read(queries.count_unfinished) >= limits.matches:
        raise HTTPException(503, "There are too many matches here now. Try again later.")
    if (
        limits.matches_per_client
        and await server.read(partial(queries.count_unfinished, maker=maker)) >= limits.matches_per_client
    ):
        raise HTTPException(
            429, "You have too many unfinished matches here. Finish or leave some, or try again later."
        )
    create = partial(matches.create, wanted=wanted, token=token, maker=maker, key=key)
    (room, tickets), _ = await server.run(create)
    server.metrics.count("matches_created")
    server.wake_computer(room)
    return room, tickets


def _held_seat(request: Request, ticket: tokens.Ticket) -> wire.HeldSeat:
    return wire.HeldSeat(
        match=ticket.match_id,
        seat=seat_name(ticket.seat),
        token=ticket.token,
        link=match_link(request, ticket.match_id, ticket.token),
    )


async def list_open(request: Request) -> Response:
    found = []
    for room, seat in await find_open(server_of(request)):
        game, opponent = room.match.game, room.match.player(seat.other).name
        found.append(
            wire.OpenMatch(
                match=room.id,
                game=game.slug,
                title=game.title,
                seat=seat_name(seat),
                opponent=opponent,
                link=match_link(request, room.id),
                hints=room.hints,
            )
        )
    return JsonResponse(found)


async def find_open(server: Server) -> list[tuple[Room, Seat]]:
    """The listed matches with an open seat, each with that seat."""
    rooms = await server.find(LISTED, queries.OPEN_TO_ALL)
    return [(room, seat) for room in rooms for seat in SEATS if room.kinds[seat] == SeatKind.OPEN]


async def read_match(request: Request) -> Response:
    room = await server_of(request).room(request.path_params["id"])
    return JsonResponse(serialize_match(room, tokens.find_seat(room, token_of(request))))


async def join(request: Request) -> Response:
    server = server_of(request)
    wanted = await read_json(request, wire.JoinRequest)
    id, key = request.path_params["id"], idempotency_key(request)
    (room, ticket), events = await server.run(lambda tx: matches.join(tx, id, wanted.name, key=key))
    server.wake_computer(room)
    return JsonResponse(_held_seat(request, ticket), 201, after=partial(server.publish, events))


async def submit_move(request: Request) -> Response:
    server = server_of(request)
    wanted = await read_json(request, wire.MoveRequest)
    id, token = request.path_params["id"], token_of(request)
    began = time.perf_counter()
    try:
        (room, seat, text), events = await server.run(
            lambda tx: play.move(tx, id, token, wanted.move, wanted.ply)
        )
    except changes.Stale as error:
        room = await server.room(id)
        info = serialize_match(room, tokens.find_seat(room, token))
        return problem(409, "The match has moved on", str(error), match=info)
    server.metrics.observe_move(time.perf_counter() - began)
    server.wake_computer(room)
    accepted = wire.Accepted(seat=seat_name(seat), move=text, ply=room.match.ply, version=room.version)
    return JsonResponse(accepted, after=partial(server.publish, events))


async def resign(request: Request) -> Response:
    id, token = request.path_params["id"], token_of(request)
    return await _run_once(request, lambda tx: play.resign(tx, id, token))


async def claim(request: Request) -> Response:
    server, id, token = server_of(request), request.path_params["id"], token_of(request)
    room = await server.room(id)
    other = tokens.require_seat(room, token).other
    if server.presence.is_here(id, other):
        raise changes.Stale(f"{room.match.player(other).name} is here.")
    room, events = await server.run(lambda tx: play.claim(tx, id, token))
    if room.status is not Status.OVER:
        await server.publish(events)
        raise changes.Stale("Your opponent may be away. If so, you can claim the game in 10 minutes.")
    return JsonResponse(wire.Done(version=room.version), after=partial(server.publish, events))


async def abort(request: Request) -> Response:
    server = server_of(request)
    id, token = request.path_params["id"], token_of(request)
    room, _ = await server.run(lambda tx: matches.abort(tx, id, token))
    return JsonResponse(wire.Done(version=room.version), after=partial(server.publish_removal, id))


async def takeback(request: Request) -> Response:
    wanted = await read_json(request, wire.TakebackRequest)
    id, token = request.path_params["id"], token_of(request)
    action, ply = wanted.action, wanted.ply
    return await _run_once(request, lambda tx: offers.takeback(tx, id, token, action, ply))


async def stop(request: Request) -> Response:
    wanted = await read_json(request, wire.OfferRequest)
    id, token = request.path_params["id"], token_of(request)
    agreed = await find_agreement(request, wanted.action)
    return await _run_once(request, lambda tx: offers.stop(tx, id, token, wanted.action, agreed))


async def find_agreement(request: Request, action: Action) -> State[Any] | None:
    """The position in which a computer agrees to stop; None if it has no offer, or does not agree."""
    if action is not Action.OFFER:
        return None
    room = await server_of(request).room(request.path_params["id"])
    return await asyncio.to_thread(offers.where_computer_agrees, room)


async def rematch(request: Request) -> Response:
    wanted = await read_json(request, wire.OfferRequest)
    id, token = request.path_params["id"], token_of(request)
    return await _run_once(request, lambda tx: offers.rematch(tx, id, token, wanted.action))


async def _run_once(request: Request, work: Callable[[Transaction], Room]) -> Response:
    """Do something to a match, once per idempotency key, and answer with its new version."""
    server = server_of(request)
    id, token, key = request.path_params["id"], token_of(request), idempotency_key(request)
    room, events = await server.run(lambda tx: tokens.run_once(tx, id, token, key, work))
    await server.wake_computers(room)
    done = wire.Done(version=room.version, next=room.next)
    return JsonResponse(done, after=partial(server.publish, events))


async def read_record(request: Request) -> Response:
    room = await server_of(request).room(request.path_params["id"])
    viewer = tokens.find_seat(room, token_of(request))
    content = room.match.record(viewer).to_json()
    name = f"ninefold-{room.match.game.slug}-{room.id}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type="application/json", headers=headers)
