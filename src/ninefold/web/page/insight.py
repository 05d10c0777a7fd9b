"""One sentence about a match that is over, for the card at its end."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ninefold.analysis import NoValues
from ninefold.core.seat import Seat
from ninefold.show.moves import cast_of
from ninefold.show.reviews import NOT_YET, say_insight
from ninefold.store.sql.database import Room
from ninefold.study.reviews import review_match
from ninefold.web.actions.sitting import sitting_of
from ninefold.web.computing import answer_in_worker
from ninefold.web.page.cookies import held_tokens
from ninefold.web.page.rendering import render_page
from ninefold.web.requests import server_of


async def show(request: Request) -> Response:
    room = await server_of(request).room(request.path_params["id"])
    if not room.match.over:
        raise HTTPException(409, NOT_YET)
    you = sitting_of(room, held_tokens(request).seats(room)).you
    try:
        return await answer_in_worker(request, _render, room, you, key=(room.version, you))
    except HTTPException:
        return render_page(request, "insight.html", said="")  # too much to do now: the page asks again


def _render(request: Request, room: Room, you: Seat | None) -> Response:
    try:
        said = say_insight(room.match, review_match(room.match), cast_of(room.match, you))
    except NoValues:
        said = ""
    return render_page(request, "insight.html", said=said)
