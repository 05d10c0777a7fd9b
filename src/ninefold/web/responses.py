"""HTTP responses: JSON, and errors as problem details (RFC 9457)."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.responses import Response

from ninefold.client import wire
from ninefold.core.errors import NinefoldError
from ninefold.store.sql.database import NoSuchMatch, Unreadable
from ninefold.store.sql.outage import Unavailable
from ninefold.web.actions import changes, tokens
from ninefold.web.messages import encode_problem

log = logging.getLogger("ninefold.web")
encode = msgspec.json.encode


class NotifyingResponse(Response):
    """A response after which others are notified, even if the client has disconnected."""

    after: Callable[[], Awaitable[None]] | None = None


class JsonResponse(NotifyingResponse):
    """JSON. `after` notifies others once it has been sent."""

    media_type = "application/json"

    def __init__(
        self,
        content: Any,
        status: int = 200,
        *,
        after: Callable[[], Awaitable[None]] | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(encode(content), status, headers=headers)
        self.after = after


def problem(status: int, title: str, detail: str, **more: Any) -> Response:
    """An error as problem details."""
    content = encode_problem(wire.Problem(title, status, detail, **more))
    return Response(content, status, media_type="application/problem+json")


def describe_error(error: Exception) -> tuple[int, str, str]:
    """What went wrong, without internals: a status, a title and a sentence."""
    match error:
        case NoSuchMatch():
            return 404, "No such match", str(error)
        case Unreadable():
            return 500, "Damaged", str(error)
        case Unavailable():
            return 503, "Not available", "The server cannot reach its database. Try again in a moment."
        case tokens.Forbidden():
            return 403, "Not your seat", str(error)
        case changes.Stale():
            return 409, "The match has moved on", str(error)
        case NinefoldError():
            return 422, "Not possible", str(error)
        case HTTPException():
            return error.status_code, HTTPStatus(error.status_code).phrase, error.detail
        case msgspec.ValidationError() | msgspec.DecodeError() | UnicodeDecodeError():
            return 400, "Not understood", f"The request is malformed: {error}."
    log.error("unexpected", exc_info=error)
    return 500, "Something went wrong", "The server could not answer. The error has been logged."
