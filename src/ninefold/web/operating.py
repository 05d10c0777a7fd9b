"""The endpoints for whoever runs the server."""

from __future__ import annotations

import asyncio

import sqlalchemy as sa
from starlette.requests import Request
from starlette.responses import Response

from ninefold import __version__
from ninefold.web.answers import Answer, problem
from ninefold.web.openapi import document
from ninefold.web.requests import server_of


async def healthy(request: Request) -> Response:
    return Answer({"status": "ok", "version": __version__})


async def ready(request: Request) -> Response:
    server = server_of(request)
    try:
        await asyncio.wait_for(server.read(lambda c: c.execute(sa.text("SELECT 1")).scalar()), 5)
    except Exception:
        return problem(503, "Not ready", "The database does not answer.")
    return Answer({"status": "ready"})


async def metrics(request: Request) -> Response:
    server = server_of(request)
    return Response(
        server.stats.text(streams=server.hub.count, thinking=server.computers.thinking),
        media_type="text/plain; version=0.0.4",
    )


async def openapi(request: Request) -> Response:
    return Response(document(server_of(request).root_path), media_type="application/json")
