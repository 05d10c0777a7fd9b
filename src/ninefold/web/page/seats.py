"""Which seats a browser holds. It has one key, in a cookie that scripts cannot read.

The key is the token of every seat that this browser takes. A seat that was taken elsewhere, at a
terminal for instance, has a token of its own; it comes here by its link and gets a cookie beside the key.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, unquote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ninefold.core.seat import SEATS, Seat
from ninefold.store.database import Room
from ninefold.web.actions import tokens
from ninefold.web.requests import content_of, server_of

KEY = "ninefold"
OTHERS = "ninefold-seat-"  # and the beginning of the token's hash
NAME = "ninefold-name"
MOST = 20  # tokens of one browser that are looked at
KEPT = 400 * 86400  # seconds; browsers allow no more


@dataclass(frozen=True, slots=True)
class Keys:
    """What a browser can show."""

    tokens: Mapping[str, str]  # by their hashes

    def holds(self, room: Room) -> tuple[Seat, ...]:
        """The seats of a match that are this browser's; both if two people share it."""
        return tuple(seat for seat in SEATS if room.hashes[seat] in self.tokens)

    def token(self, room: Room, seat: Seat) -> str | None:
        """The token that holds the seat."""
        return self.tokens.get(room.hashes[seat] or "")


def keys_of(request: Request) -> Keys:
    cookies = request.cookies
    found = [cookies[KEY]] if cookies.get(KEY) else []
    found += [value for name, value in cookies.items() if name.startswith(OTHERS)]
    return Keys({tokens.token_hash(token): token for token in found[:MOST]})


def key_of(request: Request) -> str:
    """The browser's own key: a new one if it has none yet, for `remember` to give to it."""
    return request.cookies.get(KEY) or secrets.token_urlsafe(tokens.TOKEN_BYTES)


def remember(request: Request, response: Response, key: str, name: str | None = None) -> None:
    set_cookie(request, response, KEY, key)
    if name:
        set_cookie(request, response, NAME, quote(name))


def adopt(request: Request, response: Response, token: str) -> None:
    """Hold a seat by the token it was taken with elsewhere. The oldest make room for it."""
    held = [name for name in request.cookies if name.startswith(OTHERS)]
    for name in held[: max(0, len(held) - MOST + 2)]:
        response.delete_cookie(name, path=server_of(request).root_path or "/")
    set_cookie(request, response, OTHERS + tokens.token_hash(token)[:12], token)


def name_of(request: Request) -> str:
    """The name that somebody gave here before."""
    return unquote(request.cookies.get(NAME, ""))


def set_cookie(request: Request, response: Response, name: str, value: str) -> None:
    response.set_cookie(
        name,
        value,
        max_age=KEPT,
        path=server_of(request).root_path or "/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="lax",
    )


def _from_here(request: Request) -> bool:
    """Whether a page of this site sends it: browsers say so in one way or the other."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = request.headers.get("origin")
    return origin is None or origin.partition("://")[2] == request.headers.get("host")


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a form that one of our own pages sent."""
    if not _from_here(request):
        raise HTTPException(403, "This form was sent by another site.")
    content = await content_of(request)
    try:
        return dict(parse_qsl(content.decode(), keep_blank_values=True, max_num_fields=50))
    except ValueError:
        raise HTTPException(400, "That form is out of date. Reload the page.") from None
