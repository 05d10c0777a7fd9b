"""What is read from a request, and the addresses that go back."""

from __future__ import annotations

from typing import TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request

from ninefold.web.process import Server

T = TypeVar("T")
SHORTEST_KEY, LONGEST_KEY = 22, 100  # characters of an idempotency key; 22 can hold 128 bits
LARGEST = 10**9  # number that a client may write
LONGEST_HOST = 300  # characters; a name may have 253


def server_of(request: Request) -> Server:
    found = request.app.state.server
    assert isinstance(found, Server)
    return found


def client_of(request: Request) -> str:
    """The address that a request comes from."""
    return request.client.host if request.client else ""


def token_of(request: Request) -> str | None:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() or None if kind.lower() == "bearer" else None


def key_of(request: Request) -> str | None:
    """The key by which a request that is sent again is known; None if the client sends none."""
    key = request.headers.get("idempotency-key")
    if key is None:
        return None
    if not (SHORTEST_KEY <= len(key) <= LONGEST_KEY and key.isascii() and key.isprintable()):
        raise HTTPException(
            400,
            f"An Idempotency-Key has {SHORTEST_KEY} to {LONGEST_KEY} characters, drawn at random:"
            " whoever knows it knows the tokens that are given for it.",
        )
    return key


async def content_of(request: Request) -> bytes:
    limit = server_of(request).limits.body
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if limit and len(content) > limit:
            raise HTTPException(413, "The request is too large.")
    return bytes(content)


async def body_of(request: Request, kind: type[T]) -> T:
    return msgspec.json.decode(await content_of(request) or b"{}", type=kind)


def link(request: Request, match_id: str, token: str | None = None) -> str:
    """The address of a match, or of a seat in it: the part after # never leaves a browser."""
    return whole(request, f"{server_of(request).root_path}/m/{match_id}") + (f"#{token}" if token else "")


def is_local(request: Request) -> bool:
    """Whether the address that this came by means nothing on any other machine."""
    return request.url.hostname in ("localhost", "127.0.0.1", "::1")


def number_in(text: str, most: int = LARGEST) -> int | None:
    """A whole number from 0 that a client wrote, in plain digits; None for anything else."""
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most))):
        return None
    return int(text) if int(text) <= most else None


def whole(request: Request, path: str) -> str:
    """An address on this server as others can open it."""
    try:
        netloc = request.url.netloc
    except ValueError:
        netloc = ""
    if not 0 < len(netloc) < LONGEST_HOST:
        raise HTTPException(400, "The Host header is not an address.")
    return f"{request.url.scheme}://{netloc}{path}"
