"""Reading a request: who sent it, its body or form, and links back to this server."""

from __future__ import annotations

from typing import TypeVar
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from ninefold.web import messages
from ninefold.web.limits import network_of
from ninefold.web.protocol import Cycle
from ninefold.web.server import Server

T = TypeVar("T")
SHORTEST_KEY, LONGEST_KEY = 22, 100  # characters of an idempotency key; 22 can hold 128 bits
LARGEST = 10**9  # the largest number that a client may send
OUT_OF_DATE = "That form is out of date. Reload the page."
THEME = "ninefold-theme"  # the cookie that chooses one of THEMES over what the system prefers
THEMES = ("light", "dark")
LONGEST_HOST = 300  # characters; a host name may have 253


def server_of(request: Request) -> Server:
    found: Server = request.scope["ninefold"]
    return found


def cycle_of(request: Request) -> Cycle | None:
    """The exchange that a request is part of; None if another server than ours passes it on."""
    # Not in the scope: the two would refer to each other, and wait for garbage collection
    found = getattr(request.receive, "__self__", None)
    return found if isinstance(found, Cycle) else None


def theme_of(request: Request) -> str:
    """The theme that was chosen in this browser; empty for what the system prefers."""
    theme = request.cookies.get(THEME, "")
    return theme if theme in THEMES else ""


def root_of(request: Request) -> str:
    """The path that the server is under; links begin with it. Also known in a worker process."""
    found = request.scope["root"]
    assert isinstance(found, str)
    return found


def client_of(request: Request) -> str:
    """Whom a request comes from: an IPv4 address, or the /64 network of an IPv6 address."""
    client = request.scope.get("client")
    return network_of(client[0]) if client else ""


def token_of(request: Request) -> str | None:
    for name, value in request.scope["headers"]:  # Starlette's `headers` take longer
        if name == b"authorization":
            kind, _, token = value.decode("latin-1").partition(" ")
            return token.strip() or None if kind.lower() == "bearer" else None
    return None


def idempotency_key(request: Request) -> str | None:
    """The key that marks a retry of the same request; None if the client sends none."""
    key = request.headers.get("idempotency-key")
    if key is None:
        return None
    if not (SHORTEST_KEY <= len(key) <= LONGEST_KEY and key.isascii() and key.isprintable()):
        raise HTTPException(
            400,
            f"An Idempotency-Key needs {SHORTEST_KEY} to {LONGEST_KEY} random characters:"
            " whoever knows it knows the tokens that are derived from it.",
        )
    return key


async def read_body(request: Request) -> bytes:
    """The body of a request. Raises an HTTPException if it is too large."""
    limit = server_of(request).limits.body
    cycle = cycle_of(request)
    arrived = None if cycle is None else cycle.take_body()
    content, more = bytearray(arrived or b""), arrived is None
    while more and not (limit and len(content) > limit):
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        content += message["body"]
        more = message["more_body"]
    if limit and len(content) > limit:
        raise HTTPException(413, "The request is too large.")
    return bytes(content)


async def read_json(request: Request, kind: type[T]) -> T:
    """The body of a request, as a message. An empty body is an empty object."""
    return messages.decode(await read_body(request) or b"{}", kind)


async def read_form(request: Request) -> dict[str, str]:
    """The fields of a form that one of our own pages sent."""
    if not _is_same_site(request):
        raise HTTPException(403, "This form was sent by another site.")
    content = await read_body(request)
    try:
        return dict(parse_qsl(content.decode(), keep_blank_values=True, max_num_fields=50))
    except ValueError:
        raise HTTPException(400, OUT_OF_DATE) from None


def _is_same_site(request: Request) -> bool:
    """Whether a page of this site sent the request. Browsers say so in one header or the other."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = request.headers.get("origin")
    return origin is None or origin.partition("://")[2] == request.headers.get("host")


def match_link(request: Request, match_id: str, token: str | None = None) -> str:
    """The link to a match, or with a token to a seat. Browsers never send the part after #."""
    return absolute_url(request, f"{root_of(request)}/m/{match_id}") + (f"#{token}" if token else "")


def is_local(request: Request) -> bool:
    """Whether the host name in the request means this machine, so that links work nowhere else."""
    return request.url.hostname in ("localhost", "127.0.0.1", "::1")


def parse_number(text: str, most: int = LARGEST) -> int | None:
    """A whole number from 0 to `most` in plain digits; None for anything else."""
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most))):
        return None
    return int(text) if int(text) <= most else None


def absolute_url(request: Request, path: str) -> str:
    """A path on this server as a URL that others can open."""
    try:
        netloc = request.url.netloc
    except ValueError:
        netloc = ""
    if not 0 < len(netloc) < LONGEST_HOST:
        raise HTTPException(400, "The Host header is not a valid host.")
    return f"{request.url.scheme}://{netloc}{path}"
