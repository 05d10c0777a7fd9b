"""Which address does what: the API, and the pages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from ninefold.web import operating, playing, streams, studying
from ninefold.web.page import acts, explorer, lobby, reading, rendering, review, table

API = "/api/v1"
Endpoint = Callable[[Request], Awaitable[Response]]

ROUTES: list[tuple[str, str, Endpoint]] = [
    ("GET", f"{API}/games", playing.list_games),
    ("POST", f"{API}/matches", playing.new_match),
    ("GET", f"{API}/matches", playing.list_open),
    ("GET", f"{API}/matches/{{id}}", playing.read_match),
    ("POST", f"{API}/matches/{{id}}/join", playing.join),
    ("POST", f"{API}/matches/{{id}}/moves", playing.submit),
    ("POST", f"{API}/matches/{{id}}/resign", playing.resign),
    ("POST", f"{API}/matches/{{id}}/claim", playing.claim),
    ("POST", f"{API}/matches/{{id}}/abort", playing.abort),
    ("POST", f"{API}/matches/{{id}}/takeback", playing.takeback),
    ("POST", f"{API}/matches/{{id}}/stop", playing.stop),
    ("POST", f"{API}/matches/{{id}}/rematch", playing.rematch),
    ("GET", f"{API}/matches/{{id}}/record", playing.record),
    ("GET", f"{API}/matches/{{id}}/review", studying.review),
    ("GET", f"{API}/matches/{{id}}/hint", studying.hint),
    ("GET", f"{API}/matches/{{id}}/evaluation", studying.evaluation),
    ("GET", f"{API}/matches/{{id}}/events", streams.stream),
    ("GET", f"{API}/evaluation", studying.explore),
    ("GET", "/healthz", operating.healthy),
    ("GET", "/readyz", operating.ready),
    ("GET", "/metrics", operating.metrics),
    ("GET", "/openapi.json", operating.openapi),
]

PAGES: list[tuple[str, str, Endpoint]] = [
    ("GET", "/", lobby.home),
    ("GET", "/demo/{game}/{step}", lobby.demo),
    ("GET", "/new/{game}", lobby.settings),
    ("POST", "/new", lobby.create),
    ("GET", "/m/{id}", table.show),
    ("POST", "/m/{id}/join", acts.join),
    ("POST", "/m/{id}/hold", acts.hold),
    ("POST", "/m/{id}/move", acts.move),
    ("POST", "/m/{id}/resign", acts.resign),
    ("POST", "/m/{id}/abort", acts.abort),
    ("POST", "/m/{id}/claim", acts.claim),
    ("POST", "/m/{id}/takeback", acts.takeback),
    ("POST", "/m/{id}/stop", acts.stop),
    ("POST", "/m/{id}/rematch", acts.rematch),
    ("GET", "/m/{id}/events", table.events),
    ("GET", "/m/{id}/code.svg", table.code),
    ("GET", "/m/{id}/review", review.show),
    ("GET", "/explore", explorer.games),
    ("GET", "/explore/{game}", explorer.show),
    ("GET", "/rules", reading.rules_list),
    ("GET", "/rules/{game}", reading.rules),
    ("GET", "/about", reading.about),
    ("GET", "/static/{version}/{name}", rendering.static),
]


@dataclass(frozen=True, slots=True)
class Address:
    """An address, with an endpoint for each method. In `parts`, None stands for what is filled in."""

    pattern: str
    parts: tuple[str | None, ...]
    names: tuple[str, ...]  # of the parts that are filled in
    endpoints: dict[str, Endpoint]


def _addresses() -> dict[tuple[int, str, str | None], list[Address]]:
    """By number of parts, first part and last part, so that hardly two have to be compared."""
    found: dict[str, Address] = {}
    for method, pattern, endpoint in ROUTES + PAGES:
        if pattern not in found:
            pieces = pattern.split("/")
            parts = tuple(None if piece.startswith("{") else piece for piece in pieces)
            names = tuple(piece.strip("{}") for piece in pieces if piece.startswith("{"))
            found[pattern] = Address(pattern, parts, names, {})
        found[pattern].endpoints[method] = endpoint
    table: dict[tuple[int, str, str | None], list[Address]] = {}
    for address in found.values():
        parts = address.parts
        table.setdefault((len(parts), parts[1] or "", parts[-1]), []).append(address)
    return table


_TABLE = _addresses()


def find(path: str) -> tuple[Address, dict[str, str]] | None:
    """The address that a path means, and what is filled in there; None if there is no such address."""
    pieces = path.split("/")
    if len(pieces) < 2:
        return None
    size, head, last = len(pieces), pieces[1], pieces[-1]
    for address in (*_TABLE.get((size, head, last), ()), *_TABLE.get((size, head, None), ())):
        filled = []
        for part, piece in zip(address.parts, pieces, strict=True):
            if part is None and piece:
                filled.append(piece)
            elif part != piece:
                break
        else:
            return address, dict(zip(address.names, filled, strict=True))
    return None
