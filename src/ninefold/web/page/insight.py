"""What there is to say about a match that is over: a sentence, what mattered, and which level is next."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ninefold.analysis import NoValues
from ninefold.core.seat import Seat
from ninefold.match import Match
from ninefold.show.coach import say_moments
from ninefold.show.levels import say_suggestion
from ninefold.show.moves import cast_of
from ninefold.show.reviews import NOT_YET, say_insight
from ninefold.store.sql import queries
from ninefold.store.sql.database import Room
from ninefold.study.coach import find_moments
from ninefold.study.levels import level_of, suggest_level
from ninefold.study.reviews import review_match
from ninefold.web.actions.sitting import sitting_of
from ninefold.web.computing import answer_in_worker
from ninefold.web.page.cookies import held_tokens
from ninefold.web.page.rendering import render_page
from ninefold.web.requests import root_of, server_of

LATEST = 30  # matches among which those of the same game are looked for


async def show(request: Request) -> Response:
    room = await server_of(request).room(request.path_params["id"])
    if not room.match.over:
        raise HTTPException(409, NOT_YET)
    you = sitting_of(room, held_tokens(request).seats(room)).you
    latest = [] if you is None else await _find_latest(request, room)
    level, said = suggest_level(latest), " ".join(say_suggestion(latest))
    offered = None if level is None else (level[0], said)
    try:
        return await answer_in_worker(
            request, _render, room, you, offered, key=(room.version, you, offered)
        )
    except HTTPException:  # too much to do now: the page asks again
        return render_page(request, "insight.html", said="", moments=[], offered=None)


async def _find_latest(request: Request, room: Room) -> list[Match]:
    """This match, then those of the same game that this browser finished before it, the latest first."""
    if level_of(room.match) is None:
        return []
    own = queries.held_by([*held_tokens(request).by_hash], over=True)
    found = [
        one.match
        for one in await server_of(request).find(LATEST, own)
        if one.id != room.id and one.match.game.slug == room.match.game.slug
    ]
    earlier = [one for one in found if one.started <= room.match.started]
    return [room.match, *sorted(earlier, key=lambda one: one.started, reverse=True)]


def _render(request: Request, room: Room, you: Seat | None, offered: tuple[int, str] | None) -> Response:
    match, cast = room.match, cast_of(room.match, you)
    try:
        found = review_match(match)
    except NoValues:
        return render_page(request, "insight.html", said="", moments=[], offered=offered, game=match.game)
    moments = find_moments(found, you) if match.coach and you is not None else []
    title, *asked = say_moments(match, moments, cast) or [""]
    return render_page(
        request,
        "insight.html",
        said=say_insight(match, found, cast),
        title=title,
        moments=[(one.number, text) for one, text in zip(moments, asked, strict=True)],
        path=f"{root_of(request)}/m/{room.id}/review",
        offered=offered,
        game=match.game,
    )
