"""The routes of the API and of the pages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route as StarletteRoute
from starlette.routing import Router
from starlette.types import Receive, Scope, Send

from ninefold.client import wire
from ninefold.web import streams
from ninefold.web.api import matches, operations, puzzles, study
from ninefold.web.page import about, explorer, forms, lobby, rendering, review, rules
from ninefold.web.page import match as match_page
from ninefold.web.page import puzzles as puzzle_pages
from ninefold.web.requests import server_of

API = "/api/v1"
Endpoint = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Route:
    """An endpoint for a method and a path. Routes with a summary are in the OpenAPI document."""

    method: str
    pattern: str
    endpoint: Endpoint
    summary: str = ""
    reads: Any = None  # the type of the request's body
    answers: Any = None  # the type of the response's body; None for a stream
    status: int = 200
    failures: tuple[int, ...] = ()  # statuses besides those that are possible everywhere
    idempotent: bool = False  # whether it takes an idempotency key


def _api(method: str, path: str, *rest: Any, **more: Any) -> Route:
    return Route(method, API + path, *rest, **more)


def _match(method: str, path: str, *rest: Any, failures: tuple[int, ...] = (), **more: Any) -> Route:
    """A route of one match: 404 if there is no such match, 403 if the token is not for it."""
    return _api(method, f"/matches/{{id}}{path}", *rest, failures=(403, 404, *failures), **more)


BAD_BODY = (400, 413)  # the statuses for a body that is malformed or too large

ROUTES = [
    _api("GET", "/games", matches.list_games, "The games and their rules", None, list[wire.GameInfo]),
    _api(
        *("POST", "/matches", matches.new_match, "Create a match", wire.NewMatch, wire.Created, 201),
        failures=(*BAD_BODY, 422),
        idempotent=True,
    ),
    _api("GET", "/matches", matches.list_open, "Matches with an open seat", None, list[wire.OpenMatch]),
    _match("GET", "", matches.read_match, "A match as you may see it", None, wire.MatchInfo),
    _match(
        *("POST", "/join", matches.join, "Take the open seat", wire.JoinRequest, wire.HeldSeat, 201),
        failures=(*BAD_BODY, 409, 422),
        idempotent=True,
    ),
    _match(
        *("POST", "/moves", matches.submit_move, "Make a move in the position at a ply"),
        *(wire.MoveRequest, wire.Accepted),
        failures=(*BAD_BODY, 409, 422),
    ),
    _match(
        *("POST", "/resign", matches.resign, "Resign", None, wire.Done),
        failures=(400, 409),
        idempotent=True,
    ),
    _match(
        *("POST", "/claim", matches.claim, "Win because your opponent has been away too long"),
        *(None, wire.Done),
        failures=(409,),
    ),
    _match(
        *("POST", "/abort", matches.abort, "Remove a match before its first move", None, wire.Done),
        failures=(409,),
    ),
    _match(
        *("POST", "/takeback", matches.takeback, "Offer to take back your last turn, or answer"),
        *(wire.TakebackRequest, wire.Done),
        failures=(*BAD_BODY, 409, 422),
        idempotent=True,
    ),
    _match(
        *("POST", "/stop", matches.stop, "Offer to stop without a winner, or answer"),
        *(wire.OfferRequest, wire.Done),
        failures=(*BAD_BODY, 409, 422),
        idempotent=True,
    ),
    _match(
        *("POST", "/rematch", matches.rematch, "Offer another game, sides swapped, or answer"),
        *(wire.OfferRequest, wire.Done),
        failures=(*BAD_BODY, 409),
        idempotent=True,
    ),
    _match("GET", "/record", matches.read_record, "The record", None, dict[str, Any]),
    _match(
        *("GET", "/review", study.read_review, "The review of a finished match", None, dict[str, Any]),
        failures=(409,),
    ),
    _match("GET", "/hint", study.read_hint, "The best move", None, wire.HintInfo, failures=(409,)),
    _match(
        *("GET", "/evaluation", study.read_evaluation, "Who is winning", None, wire.EvaluationInfo),
        failures=(409,),
    ),
    _match("GET", "/events", streams.stream, "Live events (SSE)", failures=(400,)),
    _api(
        *("GET", "/evaluation", study.evaluate_position, "The exact value of any position"),
        *(None, wire.PositionInfo),
        failures=(422,),
    ),
    *(
        _api(
            *("GET", f"/puzzles/{which}", puzzles.read_puzzle, what, None, wire.PuzzleInfo),
            failures=(422,),
        )
        for which, what in (("{day}", "The puzzle of a day"), ("{game}/{seed}", "A puzzle of a game"))
    ),
    Route(*("GET", "/healthz", operations.health, "The process is alive", None, dict[str, str])),
    Route(*("GET", "/readyz", operations.readiness, "The database can be written", None, dict[str, str])),
    Route("GET", "/metrics", operations.metrics),
    Route("GET", "/openapi.json", operations.openapi),
]

PAGES = [
    Route("GET", "/", lobby.home),
    Route("GET", "/demo/{game}/{step}", lobby.demo),
    Route("GET", "/new/{game}", lobby.new_match),
    Route("POST", "/new/{game}", lobby.create),
    Route("GET", "/games", lobby.my_games),
    Route("GET", "/m/{id}", match_page.show),
    *(Route("POST", f"/m/{{id}}/{form.__name__}", form) for form in forms.FORMS),
    *(Route("GET", f"/m/{{id}}/{form.__name__}", forms.go_back) for form in forms.FORMS),
    Route("GET", "/m/{id}/events", match_page.events),
    Route("GET", "/m/{id}/code.svg", match_page.qr_code),
    Route("GET", "/m/{id}/review", review.show),
    Route("GET", "/puzzle", puzzle_pages.choose),
    Route("GET", "/puzzle/{day}", puzzle_pages.show),
    Route("GET", "/puzzle/{game}/{seed}", puzzle_pages.show),
    Route("GET", "/explore", explorer.list_games),
    Route("GET", "/explore/{game}", explorer.show),
    Route("GET", "/rules", rules.list_games),
    Route("GET", "/rules/{game}", rules.show),
    Route("GET", "/about", about.show),
    Route("GET", "/manifest.webmanifest", rendering.manifest),
    Route("GET", "/static/{version}/{name}", rendering.asset),
]


def make_router() -> Router:
    """A Starlette router with one route per path, whatever the method."""
    endpoints: dict[str, dict[str, Endpoint]] = {}
    for route in ROUTES + PAGES:
        endpoints.setdefault(route.pattern, {})[route.method] = route.endpoint
    routes = [
        StarletteRoute(pattern, _by_method(methods), methods=list(methods), name=pattern)
        for pattern, methods in endpoints.items()
    ]
    return Router(routes, redirect_slashes=False, default=_not_found)


def _by_method(endpoints: dict[str, Endpoint]) -> Endpoint:
    async def answer(request: Request) -> Response:
        method = "GET" if request.method == "HEAD" else request.method
        return await endpoints[method](request)

    return answer


async def _not_found(scope: Scope, receive: Receive, send: Send) -> None:
    """Redirect a path with a trailing slash to the one without. Raises 404 for anything else."""
    path = scope["path"].rstrip("/")
    if not path or path == scope["path"] or path.startswith("//"):  # `//name/` is another site
        raise HTTPException(404, "There is nothing at this address.")
    request = Request(scope)
    query = f"?{request.url.query}" if request.url.query else ""
    await RedirectResponse(server_of(request).root_path + path + query, 308)(scope, receive, send)
