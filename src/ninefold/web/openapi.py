"""The OpenAPI document, made from the types that the endpoints read and write."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import msgspec

from ninefold import __version__
from ninefold.core.errors import SetupError
from ninefold.core.game import Option
from ninefold.games import SLUGS, every_game
from ninefold.web import messages as m
from ninefold.web.requests import LARGEST, LONGEST_KEY, SHORTEST_KEY

API = "/api/v1"
ONCE = ("matches", "join", "resign", "takeback", "stop", "rematch")  # what takes an idempotency key
REF = "#/components/schemas/{name}"

# method, path, what it does, what it reads, its status and what it answers, what can go wrong
ENDPOINTS: list[tuple[str, str, str, Any, int, Any, tuple[int, ...]]] = [
    ("get", f"{API}/games", "The games, with their rules and settings", None, 200, list[m.GameInfo], ()),
    ("post", f"{API}/matches", "Create a match", m.NewMatch, 201, m.Created, (400, 413, 422, 503)),
    ("get", f"{API}/matches", "Matches that wait for somebody", None, 200, list[m.OpenMatch], ()),
    ("get", f"{API}/matches/{{id}}", "A match as you may see it", None, 200, m.MatchInfo, (403, 404)),
    (
        *("post", f"{API}/matches/{{id}}/join", "Take the open seat"),
        *(m.JoinRequest, 201, m.Held, (400, 404, 409, 413, 422)),
    ),
    (
        *("post", f"{API}/matches/{{id}}/moves", "Make a move that answers a ply"),
        *(m.MoveRequest, 200, m.Accepted, (400, 403, 404, 409, 413, 422)),
    ),
    ("post", f"{API}/matches/{{id}}/resign", "Give up", None, 200, m.Done, (400, 403, 404, 409)),
    (
        *("post", f"{API}/matches/{{id}}/claim", "Win because the other has been away for too long"),
        *(None, 200, m.Done, (403, 404, 409)),
    ),
    (
        *("post", f"{API}/matches/{{id}}/abort", "Remove a match before its first move"),
        *(None, 200, m.Done, (403, 404, 409)),
    ),
    (
        *("post", f"{API}/matches/{{id}}/takeback", "Ask for one's last turn back, or answer"),
        *(m.TakebackRequest, 200, m.Done, (400, 403, 404, 409, 413, 422)),
    ),
    (
        *("post", f"{API}/matches/{{id}}/stop", "Propose to stop without a winner, or answer"),
        *(m.AskRequest, 200, m.Done, (400, 403, 404, 409, 413, 422)),
    ),
    (
        *("post", f"{API}/matches/{{id}}/rematch", "Offer another game, sides swapped, or answer"),
        *(m.AskRequest, 200, m.Done, (400, 403, 404, 409, 413)),
    ),
    ("get", f"{API}/matches/{{id}}/record", "The record", None, 200, dict[str, Any], (403, 404)),
    (
        "get",
        f"{API}/matches/{{id}}/review",
        "A finished match, judged",
        None,
        200,
        dict[str, Any],
        (404, 409),
    ),
    ("get", f"{API}/matches/{{id}}/hint", "The best move", None, 200, m.HintInfo, (403, 404, 409)),
    (
        *("get", f"{API}/matches/{{id}}/evaluation", "Who is winning"),
        *(None, 200, m.EvaluationInfo, (403, 404, 409)),
    ),
    ("get", f"{API}/matches/{{id}}/events", "Live events (SSE)", None, 200, None, (400, 403, 404, 503)),
    ("get", f"{API}/evaluation", "The exact value of any position", None, 200, m.PositionInfo, (422,)),
    ("get", "/healthz", "The process is alive", None, 200, dict[str, str], ()),
    ("get", "/readyz", "The database answers", None, 200, dict[str, str], (503,)),
]


@lru_cache(maxsize=4)
def document(root_path: str) -> bytes:
    types = [kind for _, _, _, reads, _, answers, _ in ENDPOINTS for kind in (reads, answers) if kind]
    schemas, components = msgspec.json.schema_components([*types, m.Problem], ref_template=REF)
    by_type = {repr(kind): schema for kind, schema in zip([*types, m.Problem], schemas, strict=True)}
    components["NewMatch"] = _by_game(components["NewMatch"])
    paths: dict[str, dict[str, Any]] = {}
    for method, path, summary, reads, status, answers, failures in ENDPOINTS:
        operation: dict[str, Any] = {
            "summary": summary,
            "operationId": "_".join([method, *re.findall(r"\w+", path)]),
            "responses": {
                str(status): {"description": "Done", "content": _content(answers, by_type)},
                **{
                    str(code): {
                        "description": "A problem",
                        "content": {"application/problem+json": {"schema": by_type[repr(m.Problem)]}},
                    }
                    for code in (*failures, 429)
                },
            },
            "parameters": _parameters(path, method),
        }
        if path.startswith(f"{API}/matches/"):
            operation["security"] = [{}, {"seat": []}]
        if reads is not None:
            content = {"application/json": {"schema": by_type[repr(reads)]}}
            operation["requestBody"] = {"required": True, "content": content}
        paths.setdefault(path, {})[method] = operation
    seat = {"type": "http", "scheme": "bearer", "description": "The token of a seat"}
    return msgspec.json.encode(
        {
            "openapi": "3.1.0",
            "info": {"title": "Ninefold", "version": __version__, "license": {"name": "MIT"}},
            "servers": [{"url": root_path or "/"}],
            "paths": paths,
            "components": {"schemas": components, "securitySchemes": {"seat": seat}},
        }
    )


def _by_game(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of a new match, with the settings that each game has."""
    variants = []
    for game in every_game():
        settings = {option.name: _setting(option) for option in game.options}
        setup = {"type": "object", "properties": settings, "additionalProperties": False, "default": {}}
        properties = {**schema["properties"], "game": {"const": game.slug}, "setup": setup}
        variants.append({**schema, "title": game.title, "properties": properties})
    return {"title": schema["title"], "oneOf": variants}


def _setting(option: Option) -> dict[str, Any]:
    """A setting's values: numbers, which may be written as text, or else any text that fits."""
    numbers = [number for number in range(100) if _allows(option, number)]
    values = {"enum": [*numbers, *map(str, numbers)]} if numbers else {"type": "string", "minLength": 1}
    return {"description": option.allowed, **values}


def _allows(option: Option, value: int) -> bool:
    try:
        option.value(value)
    except SetupError:
        return False
    return True


def _content(answers: Any, by_type: dict[str, Any]) -> dict[str, Any]:
    if answers is None:
        return {"text/event-stream": {"schema": {"type": "string"}}}
    return {"application/json": {"schema": by_type[repr(answers)]}}


def _parameters(path: str, method: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if method == "post" and path.rpartition("/")[2] in ONCE:
        lengths = {"minLength": SHORTEST_KEY, "maxLength": LONGEST_KEY}
        found.append(
            {
                "name": "Idempotency-Key",
                "in": "header",
                "description": "Sent again with the same key, a request is not done again",
                "schema": {"type": "string", "pattern": "^[!-~]+$", **lengths},
            }
        )
    if "{id}" in path:
        found.append({"name": "id", "in": "path", "required": True, "schema": {"type": "string"}})
    if path.endswith("/events"):
        bounds = {"minimum": 0, "maximum": LARGEST}
        found.append({"name": "after", "in": "query", "schema": {"type": "integer", **bounds}})
    if path == f"{API}/evaluation":
        game = {"name": "game", "in": "query", "required": True}
        found.append({**game, "schema": {"type": "string", "enum": list(SLUGS)}})
        found.append({"name": "moves", "in": "query", "schema": {"type": "string"}})
        options: dict[str, Option] = {o.name: o for game in every_game() for o in game.options}
        found += [
            {"name": name, "in": "query", "schema": _setting(option)} for name, option in options.items()
        ]
    return found
