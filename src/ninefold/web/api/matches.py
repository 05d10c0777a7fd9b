"""The endpoints for matches: creating, joining, playing."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache, partial

from starlette.requests import Request
from starlette.responses import Response

from ninefold.client import wire
from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.games import editions_of, every_game
from ninefold.store.sql.database import Room, Transaction
from ninefold.web import shared
from ninefold.web.actions import changes, matches, offers, play, tokens
from ninefold.web.api.serializers import seat_name, serialize_match
from ninefold.web.computing import answer_in_worker
from ninefold.web.requests import idempotency_key, match_link, read_json, server_of, token_of
from ninefold.web.responses import JsonResponse, problem

LONG = 100  # moves of a match that takes long to write; only endless games have more


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
        editions=[
            wire.EditionInfo(one.slug, one.title, one.summary, one.rules) for one in editions_of(game)[1:]
        ],
    )


async def new_match(request: Request) -> Response:
    server = server_of(request)
    wanted = await read_json(request, wire.NewMatch)
    room, tickets = await shared.create_match(request, wanted, key=idempotency_key(request))
    held = [_held_seat(request, ticket) for ticket in tickets]
    created = wire.Created(match=room.id, link=match_link(request, room.id), held=held)
    location = f"{server.root_path}/api/v1/matches/{room.id}"
    return JsonResponse(created, 201, headers={"Location": location})


def _held_seat(request: Request, ticket: tokens.Ticket) -> wire.HeldSeat:
    return wire.HeldSeat(
        match=ticket.match_id,
        seat=seat_name(ticket.seat),
        token=ticket.token,
        link=match_link(request, ticket.match_id, ticket.token),
    )


async def list_open(request: Request) -> Response:
    found = []
    for room, seat in await shared.find_open(server_of(request)):
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


async def _read(request: Request, make: Callable[[Request, Room, Seat | None], Response]) -> Response:
    """What is made of a match for its reader, aside if the match is long."""
    room = await server_of(request).room(request.path_params["id"])
    viewer = tokens.find_seat(room, token_of(request))
    if room.match.ply > LONG:
        return await answer_in_worker(request, make, room, viewer, key=(room.version, viewer))
    return make(request, room, viewer)


async def read_match(request: Request) -> Response:
    return await _read(request, _make_match)


def _make_match(_: Request, room: Room, viewer: Seat | None) -> Response:
    return JsonResponse(serialize_match(room, viewer))


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
    server, id = server_of(request), request.path_params["id"]
    room, events = await shared.claim(server, id, token_of(request))
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
    return await _run_once(request, lambda tx: offers.takeback(tx, id, token, action, ply), wanted)


async def stop(request: Request) -> Response:
    wanted = await read_json(request, wire.OfferRequest)
    id, token = request.path_params["id"], token_of(request)
    agreed = await shared.find_agreement(request, wanted.action)
    return await _run_once(request, lambda tx: offers.stop(tx, id, token, wanted.action, agreed), wanted)


async def rematch(request: Request) -> Response:
    wanted = await read_json(request, wire.OfferRequest)
    id, token = request.path_params["id"], token_of(request)
    return await _run_once(request, lambda tx: offers.rematch(tx, id, token, wanted.action), wanted)


async def _run_once(
    request: Request, work: Callable[[Transaction], Room], wanted: object = None
) -> Response:
    """Do what is wanted to a match, once per idempotency key, and answer with its new version."""
    server = server_of(request)
    id, token, key = request.path_params["id"], token_of(request), idempotency_key(request)
    asked = request.scope["path"], wanted
    room, events = await server.run(lambda tx: tokens.run_once(tx, id, token, key, work, asked))
    await server.wake_computers(room)
    done = wire.Done(version=room.version, next=room.next)
    return JsonResponse(done, after=partial(server.publish, events))


async def read_record(request: Request) -> Response:
    return await _read(request, _make_record)


def _make_record(_: Request, room: Room, viewer: Seat | None) -> Response:
    content = room.match.record(viewer).to_json()
    name = f"ninefold-{room.match.game.slug}-{room.id}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type="application/json", headers=headers)
