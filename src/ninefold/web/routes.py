"""The routes of the API and of the pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ninefold.client import wire
from ninefold.web import reports, streams
from ninefold.web.api import lessons, matches, operations, puzzles, study
from ninefold.web.page import about, explorer, forms, insight, learn, lobby, rendering, review, rules
from ninefold.web.page import match as match_page
from ninefold.web.page import puzzles as puzzle_pages
from ninefold.web.requests import root_of

API = "/api/v1"
OTHER = "other"  # instead of a pattern, in the log
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
    _api(
        *("GET", "/lessons/{game}", lessons.list_steps, "The lessons of a game, step by step"),
        *(None, list[wire.LessonStep]),
        failures=(404,),
    ),
    _api(
        *("GET", "/lessons/{game}/{course}/{step}", lessons.read_step, "A step of a lesson"),
        *(None, wire.LessonInfo),
        failures=(404, 422),
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
    Route("GET", "/m/{id}/insight", insight.show),
    Route("GET", "/puzzle", puzzle_pages.choose),
    Route("GET", "/puzzle/{day}", puzzle_pages.show),
    Route("GET", "/puzzle/{game}/{seed}", puzzle_pages.show),
    Route("GET", "/learn", learn.list_games),
    Route("GET", "/learn/{game}", learn.show_game),
    Route("GET", "/learn/{game}/{course}/{step}", learn.show_step),
    Route("GET", "/explore", explorer.list_games),
    Route("GET", "/explore/{game}", explorer.show),
    Route("GET", "/rules", rules.list_games),
    Route("GET", "/rules/{game}", rules.show),
    Route("GET", "/about", about.show),
    Route("GET", "/reports", reports.list_reports),
    Route("GET", "/reports/{name}", reports.serve_file),
    Route("GET", "/reports/{contest}/{name}", reports.serve_file),
    Route("GET", "/manifest.webmanifest", rendering.manifest),
    Route("GET", "/static/{version}/{name}", rendering.asset),
]


Found = tuple[str, Endpoint, dict[str, str]]  # the pattern, the endpoint, and the parameters of the path


class RouteTable:
    """Finds the endpoint for a method and a path. HEAD is answered like GET."""

    def __init__(self, routes: Iterable[Route]) -> None:
        endpoints: defaultdict[str, dict[str, Endpoint]] = defaultdict(dict)
        for route in routes:
            endpoints[route.pattern][route.method] = route.endpoint
        self._by_length: defaultdict[int, list[_Entry]] = defaultdict(list)
        for pattern, methods in endpoints.items():
            parts = list(enumerate(pattern.split("/")))
            fixed = [(place, part) for place, part in parts if not part.startswith("{")]
            named = [(place, part[1:-1]) for place, part in parts if part.startswith("{")]
            self._by_length[len(parts)].append(_Entry(pattern, fixed, named, methods))

    def find(self, method: str, path: str) -> Found:
        """Raises an HTTPException with status 404 or 405."""
        parts = path.split("/")
        for entry in self._by_length.get(len(parts), ()):
            for place, part in entry.fixed:
                if parts[place] != part:
                    break
            else:
                parameters = {name: parts[place] for place, name in entry.named}
                if all(parameters.values()):
                    return entry.pattern, entry.endpoint(method), parameters
        if path.endswith("/") and path.strip("/") and not path.startswith("//"):  # that is another site
            return OTHER, _drop_slash, {}
        raise HTTPException(404, "There is nothing at this address.")


@dataclass(frozen=True, slots=True)
class _Entry:
    pattern: str
    fixed: list[tuple[int, str]]  # parts of the path, by their place
    named: list[tuple[int, str]]  # the names of parameters, by their place
    methods: dict[str, Endpoint]

    def endpoint(self, method: str) -> Endpoint:
        found = self.methods.get("GET" if method == "HEAD" else method)
        if found is None:
            allowed = {*self.methods, *(("HEAD",) if "GET" in self.methods else ())}
            raise HTTPException(405, headers={"Allow": ", ".join(sorted(allowed))})
        return found


async def _drop_slash(request: Request) -> Response:
    """Redirect a path with a trailing slash to the one without."""
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(root_of(request) + request.scope["path"].rstrip("/") + query, 308)
