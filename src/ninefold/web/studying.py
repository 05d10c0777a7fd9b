"""The endpoints for learning: review, hints, and the exact value of any position."""

from __future__ import annotations

import asyncio
from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from ninefold.analysis import evaluate
from ninefold.core.errors import NinefoldError
from ninefold.core.seat import Seat
from ninefold.core.view import as_data
from ninefold.games import load
from ninefold.show.hints import say_hint, say_reasons
from ninefold.show.moves import cast_of
from ninefold.show.values import verdict
from ninefold.store.database import Room, Status
from ninefold.study.data import evaluation_data, position_data, review_data, value_data
from ninefold.study.hints import find_hint
from ninefold.study.reviews import review_match
from ninefold.web import messages as m
from ninefold.web.actions import changes, play, tokens
from ninefold.web.answers import Answer
from ninefold.web.process import Server
from ninefold.web.requests import server_of, token_of

LONGEST = 500  # moves of a position to look into


async def review(request: Request) -> Response:
    room = await server_of(request).room(request.path_params["id"])
    if not room.match.over:
        raise changes.Stale("The match is not over yet.")
    return Answer(review_data(await asyncio.to_thread(review_match, room.match)))


async def hint(request: Request) -> Response:
    room, seat = await _advised(request)
    if seat not in room.match.state.movers:
        raise changes.Stale("It is not your turn.")
    state, cast = room.match.open_state, cast_of(room.match, seat)
    found = await asyncio.to_thread(find_hint, state, seat)
    await note_hint(server_of(request), room, seat)
    reason, text = say_reasons(state, found, cast), say_hint(state, found, cast)
    return Answer(m.HintInfo(move=found.move, reason=reason, text=text))


async def note_hint(server: Server, room: Room, seat: Seat) -> None:
    """Let the other player know that a hint was given."""
    _, news = await server.run(partial(play.note_hint, id=room.id, seat=seat))
    await server.tell(news)


async def evaluation(request: Request) -> Response:
    room, seat = await _advised(request)
    found = await asyncio.to_thread(evaluate, room.match.open_state)
    text = verdict(found.value, cast_of(room.match, seat))
    return Answer(m.EvaluationInfo(**value_data(found.value), text=text))


async def _advised(request: Request) -> tuple[Room, Seat]:
    """The match of somebody who may have advice. A spectator may not: it could tell the target."""
    room = await server_of(request).room(request.path_params["id"])
    seat = tokens.require_seat(room, token_of(request))
    if not room.hints:
        raise tokens.Forbidden("This match is played without hints.")
    if room.status is not Status.PLAYING:
        raise changes.Stale("The match is not being played.")
    return room, seat


async def explore(request: Request) -> Response:
    """The exact evaluation of any position. It never changes, so it may be kept."""
    given = dict(request.query_params)
    game = load(given.pop("game", ""))
    moves = moves_of(given.pop("moves", ""))
    setup: dict[str, int | str] = dict(given)
    state = game.sequence(game.set_up(setup), moves)
    found = await asyncio.to_thread(evaluate, state)
    view = as_data(state.view((*state.movers, Seat.FIRST)[0]))
    data = {**position_data(state, moves), **evaluation_data(found), "view": view}
    return Answer(data, headers={"Cache-Control": "public, max-age=86400, immutable"})


def moves_of(text: str) -> list[str]:
    """The moves that an address tells of. Raises NinefoldError if they are too many to look into."""
    moves = text.replace("+", " ").split()
    if len(moves) > LONGEST:
        raise NinefoldError(f"That is more than {LONGEST} moves.")
    return moves
