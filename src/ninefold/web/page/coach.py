"""The coach: a move that gives something away is not made until its player says so."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from ninefold.core.errors import NinefoldError
from ninefold.core.seat import Seat
from ninefold.show.coach import draw_warning, warn_of_move
from ninefold.show.moves import cast_of
from ninefold.store.sql.database import Room
from ninefold.web.computing import compute
from ninefold.web.page.cookies import held_tokens
from ninefold.web.page.rendering import render_page
from ninefold.web.page.table import LinkedTable


async def warn(request: Request, room: Room, seat: Seat, text: str) -> Response | None:
    """A page with what a move of this browser allows; None if there is nothing to say."""
    match, cast = room.match, cast_of(room.match, seat)
    if seat not in held_tokens(request).seats(room):
        return None
    try:
        move = match.game.parse(text)
        match.state.play(move, seat)
    except NinefoldError:
        return None  # the match says why
    warned = await compute(request, warn_of_move, match, seat, move, cast)
    if warned is None:
        return None
    return render_page(
        request,
        "coach.html",
        room=room,
        game=match.game,
        seat=seat,
        move=move,
        said=warned.said,
        shown=len(warned.path) > 1,
        secret=not warned.path,
        table=LinkedTable(draw_warning(match, warned, seat, cast)),
        kept="?eval=1" if request.query_params.get("eval") == "1" else "",
    )
