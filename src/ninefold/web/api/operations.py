"""The endpoints for operators: health, readiness, metrics and the OpenAPI document."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from ninefold import __version__
from ninefold.web.api.openapi import document
from ninefold.web.requests import server_of
from ninefold.web.responses import JsonResponse, problem


async def health(request: Request) -> Response:
    return JsonResponse({"status": "ok", "version": __version__})


async def readiness(request: Request) -> Response:
    trouble = await server_of(request).find_trouble()
    if trouble is not None:
        return problem(503, "Not ready", trouble)
    return JsonResponse({"status": "ready"})


async def metrics(request: Request) -> Response:
    server = server_of(request)
    text = server.metrics.render(server.gauges())
    return Response(text, media_type="text/plain; version=0.0.4")


async def openapi(request: Request) -> Response:
    return Response(document(server_of(request).root_path), media_type="application/json")
