"""Answers over HTTP: JSON, and problems as RFC 9457 describes them."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ninefold.core.errors import NinefoldError
from ninefold.store.sql import NoSuchMatch
from ninefold.web import messages as m
from ninefold.web import service

log = logging.getLogger("ninefold.web")
encode = msgspec.json.encode


class Answer(Response):
    """JSON, and what is to be told to others once it has been sent."""

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
        self._after = after

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            if self._after is not None:
                await self._after()


def problem(status: int, title: str, detail: str, **more: Any) -> Response:
    content = encode(m.Problem(title=title, status=status, detail=detail, **more))
    return Response(content, status, media_type="application/problem+json")


async def failed(request: Request, error: Exception) -> Response:
    """The answer to whatever went wrong, without internals."""
    match error:
        case NoSuchMatch():
            return problem(404, "No such match", str(error))
        case service.Forbidden():
            return problem(403, "Not your seat", str(error))
        case service.Stale():
            return problem(409, "The match has moved on", str(error))
        case NinefoldError():
            return problem(422, "Not possible", str(error))
        case HTTPException():
            answer = problem(error.status_code, error.detail, error.detail)
            answer.headers.update(error.headers or {})
            return answer
        case msgspec.ValidationError() | msgspec.DecodeError() | UnicodeDecodeError():
            return problem(400, "Not understood", f"The request is not as it should be: {error}.")
    log.error("unexpected", exc_info=error)
    return problem(500, "Something went wrong", "The server failed to answer. It has been noted.")
