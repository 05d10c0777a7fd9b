"""The endpoints for studying: reviews, hints, and the exact value of any position."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from ninefold.analysis import evaluate
from ninefold.client import wire
from ninefold.core.cast import Cast
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.core.view import as_data
from ninefold.games import load
from ninefold.match import Match
from ninefold.show.hints import say_hint, say_reasons
from ninefold.show.moves import cast_of
from ninefold.show.values import verdict
from ninefold.store.sql.database import Room
from ninefold.study.data import evaluation_data, position_data, review_data, value_data
from ninefold.study.hints import find_hint
from ninefold.study.reviews import review_match
from ninefold.web import shared
from ninefold.web.actions import changes, tokens
from ninefold.web.computing import answer_in_worker, compute
from ninefold.web.requests import server_of, token_of
from ninefold.web.responses import JsonResponse


async def read_review(request: Request) -> Response:
    room = await server_of(request).room(request.path_params["id"])
    if not room.match.over:
        raise changes.Stale("The match is not over yet.")
    return await answer_in_worker(request, _make_review, room.match, key=room.version)


def _make_review(_: Request, match: Match) -> Response:
    return JsonResponse(review_data(review_match(match)))


async def read_hint(request: Request) -> Response:
    room, seat = await _check_advice(request)
    shared.refuse_hint(room, seat)
    found = await compute(request, _describe_hint, room.match.open_state, seat, cast_of(room.match, seat))
    await shared.publish_hint(server_of(request), room, seat)
    return JsonResponse(found)


def _describe_hint(state: State[Any], seat: Seat, cast: Cast) -> wire.HintInfo:
    found = find_hint(state, seat)
    reason, text = say_reasons(state, found, cast), say_hint(state, found, cast)
    return wire.HintInfo(move=str(found.move), reason=reason, text=text)


async def read_evaluation(request: Request) -> Response:
    room, seat = await _check_advice(request)
    value = (await compute(request, evaluate, room.match.open_state)).value
    text = verdict(value, cast_of(room.match, seat))
    return JsonResponse(wire.EvaluationInfo(**value_data(value), text=text))


async def _check_advice(request: Request) -> tuple[Room, Seat]:
    """The match and the caller's seat. Spectators get no advice: it could give away a secret."""
    room = await server_of(request).room(request.path_params["id"])
    seat = tokens.require_seat(room, token_of(request))
    shared.refuse_advice(room)
    return room, seat


async def evaluate_position(request: Request) -> Response:
    """The exact evaluation of any position. It never changes, so it may be cached."""
    return await answer_in_worker(request, _make_evaluation, key=())


def _make_evaluation(request: Request) -> Response:
    given = dict(request.query_params)
    game = load(given.pop("game", ""))
    moves = shared.split_moves(given.pop("moves", ""))
    setup: dict[str, int | str] = dict(given)
    states, played = game.replay(game.set_up(setup), moves)
    state = states[-1]
    found = evaluate(state)
    view = as_data(state.view((*state.movers, Seat.FIRST)[0]))
    data = {**position_data(state, [one.move for one in played]), **evaluation_data(found), "view": view}
    return JsonResponse(data, headers={"Cache-Control": "public, max-age=86400, immutable"})
