"""Which address does what: the API, and the pages."""

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

from ninefold.web import messages as m
from ninefold.web import operating, playing, puzzles, streams, studying
from ninefold.web.page import acts, explorer, lobby, reading, rendering, review, table
from ninefold.web.page import puzzles as page_of_puzzles
from ninefold.web.requests import server_of

API = "/api/v1"
Endpoint = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Route:
    """What is done for a method at an address. With a summary, the OpenAPI document tells of it."""

    method: str
    pattern: str
    endpoint: Endpoint
    summary: str = ""
    reads: Any = None  # the type of the body
    answers: Any = None  # the type of the answer; None for a stream
    status: int = 200
    failures: tuple[int, ...] = ()  # besides those that are possible everywhere
    once: bool = False  # it takes an idempotency key


def _api(method: str, path: str, *rest: Any, **more: Any) -> Route:
    return Route(method, API + path, *rest, **more)


def _match(method: str, path: str, *rest: Any, failures: tuple[int, ...] = (), **more: Any) -> Route:
    """Of a match: there may be none, and a token may not be of one of its seats."""
    return _api(method, f"/matches/{{id}}{path}", *rest, failures=(403, 404, *failures), **more)


READS = (400, 413)  # what can be wrong with a body

ROUTES = [
    _api("GET", "/games", playing.list_games, "The games and their rules", None, list[m.GameInfo]),
    _api(
        *("POST", "/matches", playing.new_match, "Create a match", m.NewMatch, m.Created, 201),
        failures=(*READS, 422),
        once=True,
    ),
    _api("GET", "/matches", playing.list_open, "Matches with an open seat", None, list[m.OpenMatch]),
    _match("GET", "", playing.read_match, "A match as you may see it", None, m.MatchInfo),
    _match(
        *("POST", "/join", playing.join, "Take the open seat", m.JoinRequest, m.Held, 201),
        failures=(*READS, 409, 422),
        once=True,
    ),
    _match(
        *("POST", "/moves", playing.submit, "Make a move that answers a ply"),
        *(m.MoveRequest, m.Accepted),
        failures=(*READS, 409, 422),
    ),
    _match(*("POST", "/resign", playing.resign, "Give up", None, m.Done), failures=(400, 409), once=True),
    _match(
        *("POST", "/claim", playing.claim, "Win because the other has been away for too long"),
        *(None, m.Done),
        failures=(409,),
    ),
    _match(
        *("POST", "/abort", playing.abort, "Remove a match before its first move", None, m.Done),
        failures=(409,),
    ),
    _match(
        *("POST", "/takeback", playing.takeback, "Ask for one's last turn back, or answer"),
        *(m.TakebackRequest, m.Done),
        failures=(*READS, 409, 422),
        once=True,
    ),
    _match(
        *("POST", "/stop", playing.stop, "Propose to stop without a winner, or answer"),
        *(m.AskRequest, m.Done),
        failures=(*READS, 409, 422),
        once=True,
    ),
    _match(
        *("POST", "/rematch", playing.rematch, "Offer another game, sides swapped, or answer"),
        *(m.AskRequest, m.Done),
        failures=(*READS, 409),
        once=True,
    ),
    _match("GET", "/record", playing.record, "The record", None, dict[str, Any]),
    _match(
        *("GET", "/review", studying.review, "A finished match, judged", None, dict[str, Any]),
        failures=(409,),
    ),
    _match("GET", "/hint", studying.hint, "The best move", None, m.HintInfo, failures=(409,)),
    _match(
        *("GET", "/evaluation", studying.evaluation, "Who is winning", None, m.EvaluationInfo),
        failures=(409,),
    ),
    _match("GET", "/events", streams.stream, "Live events (SSE)", failures=(400,)),
    _api(
        *("GET", "/evaluation", studying.explore, "The exact value of any position"),
        *(None, m.PositionInfo),
        failures=(422,),
    ),
    *(
        _api(
            *("GET", f"/puzzles/{which}", puzzles.ask, f"A puzzle: {what}", None, m.PuzzleInfo),
            failures=(422,),
        )
        for which, what in (("{day}", "that of a day"), ("{game}/{seed}", "one of a game"))
    ),
    Route(*("GET", "/healthz", operating.healthy, "The process is alive", None, dict[str, str])),
    Route(*("GET", "/readyz", operating.ready, "The database can be written", None, dict[str, str])),
    Route("GET", "/metrics", operating.metrics),
    Route("GET", "/openapi.json", operating.openapi),
]

PAGES = [
    Route("GET", "/", lobby.home),
    Route("GET", "/demo/{game}/{step}", lobby.demo),
    Route("GET", "/new/{game}", lobby.settings),
    Route("POST", "/new/{game}", lobby.create),
    Route("GET", "/games", lobby.mine),
    Route("GET", "/m/{id}", table.show),
    *(Route("POST", f"/m/{{id}}/{act.__name__}", act) for act in acts.ACTS),
    *(Route("GET", f"/m/{{id}}/{act.__name__}", acts.go_back) for act in acts.ACTS),
    Route("GET", "/m/{id}/events", table.events),
    Route("GET", "/m/{id}/code.svg", table.code),
    Route("GET", "/m/{id}/review", review.show),
    Route("GET", "/puzzle", page_of_puzzles.choose),
    Route("GET", "/puzzle/{day}", page_of_puzzles.show),
    Route("GET", "/puzzle/{game}/{seed}", page_of_puzzles.show),
    Route("GET", "/explore", explorer.games),
    Route("GET", "/explore/{game}", explorer.show),
    Route("GET", "/rules", reading.rules_list),
    Route("GET", "/rules/{game}", reading.rules),
    Route("GET", "/about", reading.about),
    Route("GET", "/manifest.webmanifest", rendering.manifest),
    Route("GET", "/static/{version}/{name}", rendering.static),
]


def make_router() -> Router:
    """All of it, for Starlette to find its way: a route for each address, whatever the method."""
    endpoints: dict[str, dict[str, Endpoint]] = {}
    for route in ROUTES + PAGES:
        endpoints.setdefault(route.pattern, {})[route.method] = route.endpoint
    routes = [
        StarletteRoute(pattern, _by_method(of_address), methods=list(of_address), name=pattern)
        for pattern, of_address in endpoints.items()
    ]
    return Router(routes, redirect_slashes=False, default=_find_nothing)


def _by_method(endpoints: dict[str, Endpoint]) -> Endpoint:
    async def answer(request: Request) -> Response:
        method = "GET" if request.method == "HEAD" else request.method
        return await endpoints[method](request)

    return answer


async def _find_nothing(scope: Scope, receive: Receive, send: Send) -> None:
    path = scope["path"].rstrip("/")
    if not path or path == scope["path"]:
        raise HTTPException(404, "There is nothing at this address.")
    request = Request(scope)
    query = f"?{request.url.query}" if request.url.query else ""
    await RedirectResponse(server_of(request).root_path + path + query, 308)(scope, receive, send)
