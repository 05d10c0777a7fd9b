"""Renders templates to responses with the headers of a page, and serves the files that pages load."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.games import load
from ninefold.web.page.html import ASSETS, ICONS, Site, asset_version, read_asset, render_html
from ninefold.web.requests import absolute_url, root_of, theme_of

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
KINDS = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "png": "image/png"}
FOREVER = "public, max-age=31536000, immutable"
SMALL = 600  # bytes that are not worth compressing


def render_page(
    request: Request,
    template: str,
    *,
    status: int = 200,
    cache: str = "no-store",
    **content: Any,
) -> Response:
    """A template as the answer to a request."""
    return respond(request, render_html(site_of(request), template, **content), status, cache)


def site_of(request: Request) -> Site:
    return Site(root_of(request), _host(request), theme_of(request))


def respond(request: Request, html: str, status: int = 200, cache: str = "no-store") -> Response:
    """HTML with the headers of a page."""
    headers = {
        "Content-Security-Policy": POLICY,
        "Referrer-Policy": "same-origin",  # so that forms say where they come from
        "Cache-Control": cache,
        "Vary": "Accept-Encoding, Cookie",
    }
    return compress(request, html.encode(), "text/html; charset=utf-8", status, headers)


def _host(request: Request) -> str:
    """The scheme and host of this server's absolute URLs; empty if the Host header is not valid."""
    try:
        return absolute_url(request, "")
    except HTTPException:
        return ""


async def manifest(request: Request) -> Response:
    """The manifest that lets a browser install the page as an app."""
    site = site_of(request)
    icons = [
        {"src": site.asset(name), "sizes": size, "type": "image/png", "purpose": "any maskable"}
        for name, size in ICONS.items()
    ]
    content = {
        "name": "Ninefold",
        "description": "Quick two-player games with numbers on a small grid",
        "start_url": f"{site.root}/",
        "scope": f"{site.root}/",
        "display": "standalone",
        "background_color": "#f7f6f2",
        "theme_color": "#1b2a41",
        "icons": icons,
    }
    headers = {"Cache-Control": "public, max-age=3600"}
    return compress(request, json.dumps(content).encode(), "application/manifest+json", headers=headers)


_squeeze_quickly = partial(gzip.compress, compresslevel=5, mtime=0)
_squeeze_once = lru_cache(partial(gzip.compress, compresslevel=9, mtime=0))


def compress(
    request: Request,
    content: bytes,
    kind: str,
    status: int = 200,
    headers: dict[str, str] | None = None,
    squeeze: Callable[[bytes], bytes] = _squeeze_quickly,
) -> Response:
    """A response, gzipped if the client accepts that."""
    headers = {"Vary": "Accept-Encoding", **(headers or {})}
    if len(content) > SMALL and "gzip" in request.headers.get("accept-encoding", ""):
        content = squeeze(content)
        headers["Content-Encoding"] = "gzip"
    return Response(content, status, media_type=kind, headers=headers)


async def asset(request: Request) -> Response:
    """A file that pages load. Its URL changes with its content, so it may be cached forever."""
    name = request.path_params["name"]
    if name not in ASSETS:
        raise HTTPException(404, "There is no such file.")
    kind = KINDS[name.rpartition(".")[2]]
    current = request.path_params["version"] == asset_version()
    cache = FOREVER if current else "no-store"  # during an upgrade, a page of another version may ask
    headers = {"Cache-Control": cache}
    return compress(request, read_asset(name), kind, headers=headers, squeeze=_squeeze_once)


def game_of(request: Request) -> Game:
    """The game that a URL names. Raises 404 if there is none."""
    try:
        return load(request.path_params["game"])
    except NinefoldError as error:
        raise HTTPException(404, str(error)) from None


def render_problem(request: Request, status: int, title: str, detail: str) -> Response:
    """An error as a page."""
    return render_page(request, "problem.html", status=status, title=title, detail=detail)
