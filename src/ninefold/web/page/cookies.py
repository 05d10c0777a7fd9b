"""The cookies of a browser: the tokens of its seats, and the name of whoever uses it.

A browser has one token of its own, in a cookie that scripts cannot read, for every seat that it takes. A
seat that was taken elsewhere, such as in a terminal, has another token. It comes here by the seat's link
and gets a cookie of its own.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote

from starlette.requests import Request
from starlette.responses import Response

from ninefold.core.seat import SEATS, Seat
from ninefold.store.sql.database import Room
from ninefold.web.actions import tokens
from ninefold.web.requests import server_of

TOKEN = "ninefold"
OTHERS = "ninefold-seat-"  # followed by the beginning of the token's hash
NAME = "ninefold-name"
MOST = 20  # tokens that we read
MAX_AGE = 400 * 86400  # seconds; browsers allow no more


@dataclass(frozen=True, slots=True)
class HeldTokens:
    """The tokens that a browser holds."""

    by_hash: Mapping[str, str]

    def seats(self, room: Room) -> tuple[Seat, ...]:
        """The seats that this browser holds in a match; both if two people share it."""
        return tuple(seat for seat in SEATS if room.hashes[seat] in self.by_hash)

    def token(self, room: Room, seat: Seat) -> str | None:
        """The token that holds the seat; None if it is not this browser's."""
        return self.by_hash.get(room.hashes[seat] or "")


def held_tokens(request: Request) -> HeldTokens:
    cookies = request.cookies
    found = [cookies[TOKEN]] if cookies.get(TOKEN) else []
    found += [value for name, value in cookies.items() if name.startswith(OTHERS)]
    return HeldTokens({tokens.token_hash(token): token for token in found[:MOST]})


def own_token(request: Request) -> str:
    """The browser's own token: a new one if it has none yet, for `remember` to set."""
    return request.cookies.get(TOKEN) or secrets.token_urlsafe(tokens.TOKEN_BYTES)


def remember(request: Request, response: Response, token: str, name: str | None = None) -> None:
    """Set the browser's own token, and the player's name if one is given."""
    set_cookie(request, response, TOKEN, token)
    if name:
        set_cookie(request, response, NAME, quote(name))


def adopt(request: Request, response: Response, token: str) -> None:
    """Add the token of a seat that was taken elsewhere. The oldest ones make room for it."""
    held = [name for name in request.cookies if name.startswith(OTHERS)]
    for name in held[: max(0, len(held) - MOST + 2)]:
        response.delete_cookie(name, path=server_of(request).root_path or "/")
    set_cookie(request, response, OTHERS + tokens.token_hash(token)[:12], token)


def name_of(request: Request) -> str:
    """The name that was last entered in this browser."""
    return unquote(request.cookies.get(NAME, ""))


def set_cookie(request: Request, response: Response, name: str, value: str) -> None:
    response.set_cookie(
        name,
        value,
        max_age=MAX_AGE,
        path=server_of(request).root_path or "/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="lax",
    )
