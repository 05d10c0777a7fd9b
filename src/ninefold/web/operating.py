"""The endpoints for whoever runs the server."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from ninefold import __version__
from ninefold.web.answers import Answer, problem
from ninefold.web.openapi import document
from ninefold.web.requests import server_of


async def healthy(request: Request) -> Response:
    return Answer({"status": "ok", "version": __version__})


async def ready(request: Request) -> Response:
    trouble = await server_of(request).find_trouble()
    if trouble is not None:
        return problem(503, "Not ready", trouble)
    return Answer({"status": "ready"})


async def metrics(request: Request) -> Response:
    server = server_of(request)
    text = server.stats.text(server.gauges(), await server.whole())
    return Response(text, media_type="text/plain; version=0.0.4")


async def openapi(request: Request) -> Response:
    return Response(document(server_of(request).root_path), media_type="application/json")
