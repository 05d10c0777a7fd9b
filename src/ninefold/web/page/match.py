"""The page of a match: what its viewer sees, and what they can do."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from ninefold.analysis import NoValues, Value, evaluate
from ninefold.core.cast import Cast
from ninefold.core.move import Move
from ninefold.match.kinds import Status
from ninefold.match.sitting import Deed, Sitting
from ninefold.show.hints import say_hint
from ninefold.show.moves import cast_of
from ninefold.show.scene import scene_at
from ninefold.store.sql.database import Room
from ninefold.study.hints import find_hint
from ninefold.web.actions import changes
from ninefold.web.actions.sitting import sitting_of
from ninefold.web.computing import compute
from ninefold.web.page.cookies import held_tokens, name_of, own_token, remember
from ninefold.web.page.halves import Half
from ninefold.web.page.match_html import Around, render_scene
from ninefold.web.page.rendering import FOREVER, compress, respond, site_of
from ninefold.web.requests import is_local, match_link, server_of
from ninefold.web.streams import open_stream

LISTED = 60  # the most moves that the page lists: only endless games have more


async def show(request: Request) -> Response:
    room = await server_of(request).room(request.path_params["id"])
    return await render_match(request, room)


async def render_match(
    request: Request, room: Room, refusal: str = "", status: int = 200, half: Half | None = None
) -> Response:
    """The page of a match for this browser, perhaps with the reason why something was refused.

    `half` is what was chosen of a move, where a button has to decide which move it is.
    """
    server = server_of(request)
    sitting = sitting_of(room, held_tokens(request).seats(room), request.query_params.get("ready"))
    cast, hint, value = cast_of(room.match, sitting.you), None, None
    try:
        hint, value = await _find_hint(request, room, sitting, cast), await _evaluate(request, sitting)
    except NoValues as error:
        refusal = str(error)
    scene = scene_at(sitting, cast, hint=hint, value=value, listed=LISTED)
    around = Around(
        id=room.id,
        version=room.version,
        ply=room.match.ply,
        seats=sitting.seats,
        actor=sitting.actor,
        covered=sitting.covered,
        alone=sitting.shared and sitting.viewer is not None and room.match.state.secret,
        deadline=changes.deadline_text(room),
        next=room.next,
        watching=server.spectators.count(room.id),
        link=match_link(request, room.id),
        local=is_local(request),
        name=name_of(request),
        refusal=refusal,
        half=half or {},
    )
    response = respond(request, render_scene(site_of(request), scene, around), status)
    if room.status is Status.WAITING and not sitting.seats:
        remember(request, response, own_token(request))  # so that taking the seat can be retried
    return response


async def _find_hint(
    request: Request, room: Room, sitting: Sitting, cast: Cast
) -> tuple[Move, str] | None:
    """The hint, if the URL names this ply: the URL stays the same when the match moves on.

    Anybody can make such a URL. So where an opponent is told of hints, a form has to have asked for it.
    """
    seat, state, ply = sitting.mover, room.match.open_state, room.match.ply
    wanted = request.query_params.get("hint") == str(ply)
    if not wanted or seat is None or not sitting.allows(Deed.HINT):
        return None
    if ply not in room.hinted[seat] and changes.needs_consent(room, seat.other):
        return None
    found = await compute(request, find_hint, state, seat)
    return found.move, say_hint(state, found, cast)


async def _evaluate(request: Request, sitting: Sitting) -> Value | None:
    """Who is winning, if the URL asks for it."""
    if request.query_params.get("eval") != "1" or not sitting.allows(Deed.EVAL):
        return None
    return (await compute(request, evaluate, sitting.match.open_state)).value


async def qr_code(request: Request) -> Response:
    """The match's link as a QR code."""
    import segno  # slow to import, and rarely needed

    room = await server_of(request).room(request.path_params["id"])
    drawn = segno.make(match_link(request, room.id), error="m").svg_inline(
        scale=4, border=2, light="#fff"
    )
    return compress(
        request,
        drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1).encode(),
        "image/svg+xml",
        headers={"Cache-Control": FOREVER},
    )


async def events(request: Request) -> Response:
    room = await server_of(request).room(request.path_params["id"])
    return open_stream(request, room, held_tokens(request).seats(room), spectators=True)
