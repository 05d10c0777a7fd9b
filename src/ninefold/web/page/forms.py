"""The forms of a match's page. The script sends the same forms, so everything works without it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ninefold.core.errors import NinefoldError
from ninefold.core.seat import Seat
from ninefold.match.kinds import Action
from ninefold.match.record import clean_name
from ninefold.show.choosing import moves_at
from ninefold.store.sql.database import NoSuchMatch, Room, SavedEvent, Transaction
from ninefold.study.hints import find_hint
from ninefold.web import shared
from ninefold.web.actions import changes, matches, offers, play, tokens
from ninefold.web.computing import compute
from ninefold.web.page.coach import warn
from ninefold.web.page.cookies import adopt, held_tokens, own_token, remember
from ninefold.web.page.match import render_match
from ninefold.web.requests import OUT_OF_DATE, parse_number, read_form, server_of
from ninefold.web.responses import NotifyingResponse

# Both take the match's id, the token and the seat.
Act = Callable[[Transaction, str, str, Seat], Room]
AsyncAct = Callable[[str, str, Seat], Awaitable[tuple[Room, list[SavedEvent]]]]


async def move(request: Request) -> Response:
    form = await read_form(request)
    ply = parse_number(form.get("ply", ""))
    text = form.get("move", "")
    room, seat = await server_of(request).room(request.path_params["id"]), Seat.named(form.get("seat"))
    if not text and seat in held_tokens(request).seats(room):
        number, spot = form.get("number", ""), form.get("spot", "")
        try:  # before the transaction, which other writes wait for
            found = moves_at(room.match.state, seat, number, spot)
        except NinefoldError as error:
            return await _refuse(request, error)
        if len(found) > 1:
            return await render_match(request, room, half={"number": number, "cell": spot})
        text = str(found[0])
    if room.match.coach and seat is not None and "sure" not in form and ply == room.match.ply:
        warning = await warn(request, room, seat, text)
        if warning is not None:
            return warning

    def submit(tx: Transaction, id: str, token: str, seat: Seat) -> Room:
        return play.move(tx, id, token, text, -1 if ply is None else ply, seat)[0]

    return await _run(request, form, submit)


async def hint(request: Request) -> Response:
    """Give a hint: the other player learns of it, and the match's page shows it until the next move."""
    server, form = server_of(request), await read_form(request)
    room, seat = await server.room(request.path_params["id"]), Seat.named(form.get("seat"))
    if seat is None or seat not in held_tokens(request).seats(room):
        return await render_match(request, room, "You do not hold this seat.", 403)
    try:
        shared.refuse_hint(room, seat)
        await compute(request, find_hint, room.match.open_state, seat)
    except NinefoldError as error:
        return await _refuse(request, error)
    await shared.publish_hint(server, room, seat)
    asked: dict[str, Any] = {"hint": room.match.ply}
    if request.query_params.get("eval") == "1":
        asked["eval"] = 1
    if tokens.is_shared(room) and room.match.state.secret:
        asked["ready"] = str(seat)
    return RedirectResponse(f"{server.root_path}/m/{room.id}?{urlencode(asked)}", 303)


async def resign(request: Request) -> Response:
    return await _run(request, await read_form(request), play.resign)


async def abort(request: Request) -> Response:
    """Remove the match, and go back to the home page."""
    server, form = server_of(request), await read_form(request)
    answer = await _run(request, form, lambda tx, id, token, _: matches.abort(tx, id, token))
    if isinstance(answer, Redirect):
        return Redirect(
            f"{server.root_path}/", partial(server.publish_removal, request.path_params["id"])
        )
    return answer


async def forget(request: Request) -> Response:
    """Take a finished match off this browser's list, and go back to the list."""
    form = await read_form(request)
    answer = await _run(request, form, lambda tx, id, token, _: matches.forget(tx, id, token))
    if isinstance(answer, Redirect):
        answer.headers["location"] = f"{server_of(request).root_path}/games?show=finished"
    return answer


async def claim(request: Request) -> Response:
    server = server_of(request)
    return await _answer(
        request, await read_form(request), lambda id, token, _: shared.claim(server, id, token)
    )


async def takeback(request: Request) -> Response:
    form = await read_form(request)
    action, ply = _read_action(form), parse_number(form.get("ply", ""))
    return await _run(request, form, lambda tx, id, token, _: offers.takeback(tx, id, token, action, ply))


async def stop(request: Request) -> Response:
    form = await read_form(request)
    action = _read_action(form)
    agreed = await shared.find_agreement(request, action)
    return await _run(request, form, lambda tx, id, token, _: offers.stop(tx, id, token, action, agreed))


async def rematch(request: Request) -> Response:
    form = await read_form(request)
    action = _read_action(form)
    return await _run(request, form, lambda tx, id, token, _: offers.rematch(tx, id, token, action))


def _read_action(form: dict[str, str]) -> Action:
    try:
        return Action(form.get("action", ""))
    except ValueError:
        raise HTTPException(400, OUT_OF_DATE) from None


async def _run(request: Request, form: dict[str, str], act: Act) -> Response:
    """Act for the seat that the form names, in one transaction, and go back to the match's page."""
    server = server_of(request)
    return await _answer(
        request, form, lambda id, token, seat: server.run(lambda tx: act(tx, id, token, seat))
    )


async def _answer(request: Request, form: dict[str, str], act: AsyncAct) -> Response:
    server = server_of(request)
    room = await server.room(request.path_params["id"])
    seat = Seat.named(form.get("seat"))
    token = None if seat is None else held_tokens(request).token(room, seat)
    if seat is None or token is None:
        return await render_match(request, room, "You do not hold this seat.", 403)
    try:
        changed, events = await act(room.id, token, seat)
    except NinefoldError as error:
        return await _refuse(request, error)
    await server.wake_computers(changed)
    return Redirect(_next_url(request, changed), partial(server.publish, events))


async def _refuse(request: Request, error: NinefoldError) -> Response:
    """Show the match as it is now, with the reason for a refusal."""
    if isinstance(error, NoSuchMatch):
        raise error
    room = await server_of(request).room(request.path_params["id"])
    return await render_match(request, room, str(error), 409 if isinstance(error, changes.Stale) else 422)


def _next_url(request: Request, room: Room) -> str:
    """Where to continue: in the match, or in its rematch."""
    kept = "?eval=1" if request.query_params.get("eval") == "1" else ""
    return f"{server_of(request).root_path}/m/{room.next or room.id}{kept}"


class Redirect(NotifyingResponse, RedirectResponse):
    """A redirect to a page, after which others are notified."""

    def __init__(self, address: str, after: Callable[[], Awaitable[None]]) -> None:
        super().__init__(address, 303)
        self.after = after


async def join(request: Request) -> Response:
    form = await read_form(request)
    server, id = server_of(request), request.path_params["id"]
    token, name = own_token(request), form.get("name", "").strip() or None
    try:
        (joined, _), events = await server.run(lambda tx: matches.join(tx, id, name, token))
    except NinefoldError as error:
        return await _refuse(request, error)
    server.wake_computer(joined)
    response = Redirect(_next_url(request, joined), partial(server.publish, events))
    remember(request, response, token, None if name is None else clean_name(name))
    return response


async def hold(request: Request) -> Response:
    """Let this browser hold a seat that was taken elsewhere, with the token from the seat's link."""
    form = await read_form(request)
    room = await server_of(request).room(request.path_params["id"])
    token = form.get("token", "")
    try:
        tokens.find_seat(room, token)
    except tokens.Forbidden as error:
        return await render_match(request, room, str(error), 403)
    response = RedirectResponse(_next_url(request, room), 303)
    adopt(request, response, token)
    return response


FORMS = (join, hold, move, hint, resign, abort, forget, claim, takeback, stop, rematch)


async def go_back(request: Request) -> Response:
    """Redirect to the match. A browser that reloads a form's answer gets here, and wants the match."""
    return RedirectResponse(f"{server_of(request).root_path}/m/{request.path_params['id']}", 303)
