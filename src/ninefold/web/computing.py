"""Answers that take long to work out: a worker process makes them, for the client of a request."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from ninefold.web.answers import Answer
from ninefold.web.requests import THEME, client_of, root_of, server_of, theme_of

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asked:
    """What an answer may depend on, besides the arguments of the function that makes it."""

    path: str
    parameters: tuple[tuple[str, str], ...]
    query: bytes
    scheme: str
    host: str | None
    address: tuple[str, int | None] | None
    root: str
    theme: str
    gzip: bool

    @classmethod
    def of(cls, request: Request) -> Asked:
        scope, headers = request.scope, request.headers
        return cls(
            scope["path"],
            tuple(request.path_params.items()),
            scope["query_string"],
            scope["scheme"],
            headers.get("host"),
            None if scope.get("server") is None else tuple(scope["server"]),
            root_of(request),
            theme_of(request),
            "gzip" in headers.get("accept-encoding", ""),
        )

    def request(self) -> Request:
        """A request that asks for the same. It has no server and no cookie but the theme."""
        named = {
            "host": self.host,
            "cookie": self.theme and f"{THEME}={self.theme}",
            "accept-encoding": "gzip" if self.gzip else None,
        }
        headers = [(name.encode(), text.encode("latin-1")) for name, text in named.items() if text]
        scope = {
            "type": "http",
            "method": "GET",
            "path": self.path,
            "path_params": dict(self.parameters),
            "query_string": self.query,
            "scheme": self.scheme,
            "server": self.address,
            "headers": headers,
            "root": self.root,
        }
        return Request(scope)


async def answer_in_worker(
    request: Request,
    make: Callable[..., Response],
    *given: Any,
    key: Hashable | None = None,
) -> Response:
    """Have a worker process make the answer to a request: it calls `make(request, *given)`.

    That request is a copy, without a server and without cookies. If everybody may see the answer, and
    the URL and `key` determine it, give a key: then it is kept. Raises what `make` raises, and an
    HTTPException if the client, or all clients together, ask for too much.
    """
    asked, answers = Asked.of(request), server_of(request).answers
    answer = None if key is None else answers.find((make, asked, key))
    if answer is None:
        answer = await compute(request, _make_answer, asked, make, given)
        if key is not None:
            answers.keep((make, asked, key), answer)
    return answer.response()


def _make_answer(asked: Asked, make: Callable[..., Response], given: tuple[Any, ...]) -> Answer:
    response = make(asked.request(), *given)
    return Answer(response.status_code, response.raw_headers, bytes(response.body))


async def compute(request: Request, work: Callable[..., T], *given: Any) -> T:
    """Do a job for the client of a request in a worker process; drop it if the client disconnects.

    Raises what `work` raises, and an HTTPException if the client, or all clients together, ask for
    too much.
    """
    jobs = server_of(request).jobs
    return await _unless_gone(request, jobs.run_for(client_of(request), work, *given))


async def _unless_gone(request: Request, work: Coroutine[Any, Any, T]) -> T:
    job, leaving = asyncio.create_task(work), asyncio.create_task(_wait_until_gone(request))
    try:
        await asyncio.wait((job, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not job.done():
            raise ClientDisconnect
        return job.result()
    finally:
        job.cancel()
        leaving.cancel()


async def _wait_until_gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
