"""What can be done at a match on the page. Each is a form; a page with a script sends the same forms."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ninefold.core.errors import NinefoldError
from ninefold.core.seat import Seat
from ninefold.match.record import clean_name
from ninefold.show.choosing import move_of
from ninefold.store.database import NoSuchMatch, Room, Transaction
from ninefold.web.actions import changes, matches, play, proposals, tokens
from ninefold.web.answers import Telling
from ninefold.web.page.seats import adopt, form_of, key_of, keys_of, remember
from ninefold.web.page.table import shown
from ninefold.web.playing import find_agreement
from ninefold.web.requests import number_in, server_of

Act = Callable[[Transaction, str, str, Seat], Room]  # the match's id, and the seat with its token


async def move(request: Request) -> Response:
    form = await form_of(request)
    ply = number_in(form.get("ply", ""))
    text = form.get("move", "")
    room, seat = await server_of(request).room(request.path_params["id"]), Seat.named(form.get("seat"))
    if not text and seat in keys_of(request).holds(room):
        try:  # here and not in the transaction, where everybody waits
            text = move_of(room.match.state, seat, form.get("number", ""), form.get("spot", ""))
        except NinefoldError as error:
            return await _refused(request, error)

    def moved(tx: Transaction, id: str, token: str, seat: Seat) -> Room:
        return play.move(tx, id, token, text, -1 if ply is None else ply, seat)[0]

    return await _act(request, form, moved)


async def resign(request: Request) -> Response:
    return await _act(request, await form_of(request), play.resign)


async def abort(request: Request) -> Response:
    """Remove the match, and go back to the home page."""
    server, form = server_of(request), await form_of(request)
    answer = await _act(request, form, lambda tx, id, token, _: matches.abort(tx, id, token))
    if isinstance(answer, Back):
        return Back(f"{server.root_path}/", partial(server.tell_gone, request.path_params["id"]))
    return answer


async def forget(request: Request) -> Response:
    """Take a finished match off the list of this browser, and go back there."""
    form = await form_of(request)
    answer = await _act(request, form, lambda tx, id, token, _: matches.forget(tx, id, token))
    if isinstance(answer, Back):
        answer.headers["location"] = f"{server_of(request).root_path}/games?show=finished"
    return answer


async def claim(request: Request) -> Response:
    server, form = server_of(request), await form_of(request)
    room, seat = await server.room(request.path_params["id"]), Seat.named(form.get("seat"))
    if seat is not None and server.presence.here(room.id, seat.other):
        return await shown(request, room, f"{room.match.player(seat.other).name} is here.", 409)
    return await _act(request, form, lambda tx, id, token, _: play.claim(tx, id, token))


async def takeback(request: Request) -> Response:
    form = await form_of(request)
    action, ply = form.get("action", ""), number_in(form.get("ply", ""))
    return await _act(
        request, form, lambda tx, id, token, _: proposals.takeback(tx, id, token, action, ply)
    )


async def stop(request: Request) -> Response:
    form = await form_of(request)
    action = form.get("action", "")
    agreed = await find_agreement(request, action)
    return await _act(
        request, form, lambda tx, id, token, _: proposals.stop(tx, id, token, action, agreed)
    )


async def rematch(request: Request) -> Response:
    form = await form_of(request)
    action = form.get("action", "")
    return await _act(request, form, lambda tx, id, token, _: proposals.rematch(tx, id, token, action))


async def _act(request: Request, form: dict[str, str], act: Act) -> Response:
    """Do it for the seat that the form names, and go back to the page of the match."""
    server = server_of(request)
    room = await server.room(request.path_params["id"])
    seat = Seat.named(form.get("seat"))
    token = None if seat is None else keys_of(request).token(room, seat)
    if seat is None or token is None:
        return await shown(request, room, "You do not hold this seat.", 403)
    try:
        changed, news = await server.run(lambda tx: act(tx, room.id, token, seat))
    except NinefoldError as error:
        return await _refused(request, error)
    await server.go_on(changed)
    return Back(_address(request, changed), partial(server.tell, news))


async def _refused(request: Request, error: NinefoldError) -> Response:
    """The page of the match as it is now, with the reason."""
    if isinstance(error, NoSuchMatch):
        raise error
    room = await server_of(request).room(request.path_params["id"])
    return await shown(request, room, str(error), 409 if isinstance(error, changes.Stale) else 422)


def _address(request: Request, room: Room) -> str:
    """Where to go on: in the match, or in the one that follows it."""
    kept = "?eval=1" if request.query_params.get("eval") == "1" else ""
    return f"{server_of(request).root_path}/m/{room.next or room.id}{kept}"


class Back(Telling, RedirectResponse):
    """To a page, with what is to be told to others."""

    def __init__(self, address: str, after: Callable[[], Awaitable[None]]) -> None:
        super().__init__(address, 303)
        self.after = after


async def join(request: Request) -> Response:
    form = await form_of(request)
    server, id = server_of(request), request.path_params["id"]
    key, name = key_of(request), form.get("name", "").strip() or None
    try:
        (joined, _), news = await server.run(lambda tx: matches.join(tx, id, name, key))
    except NinefoldError as error:
        return await _refused(request, error)
    server.touched(joined)
    response = Back(_address(request, joined), partial(server.tell, news))
    remember(request, response, key, None if name is None else clean_name(name))
    return response


async def hold(request: Request) -> Response:
    """Take a seat over to this browser, by the token that was after # in its link."""
    form = await form_of(request)
    room = await server_of(request).room(request.path_params["id"])
    token = form.get("token", "")
    try:
        tokens.find_seat(room, token)
    except tokens.Forbidden as error:
        return await shown(request, room, str(error), 403)
    response = RedirectResponse(_address(request, room), 303)
    adopt(request, response, token)
    return response


ACTS = (join, hold, move, resign, abort, forget, claim, takeback, stop, rematch)


async def go_back(request: Request) -> Response:
    """To the match: whoever reloads the answer to a form means the page that the form was on."""
    return RedirectResponse(f"{server_of(request).root_path}/m/{request.path_params['id']}", 303)
