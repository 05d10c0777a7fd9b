"""The OpenAPI document, generated from the routes and their message types."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import msgspec

from ninefold import __version__
from ninefold.client import wire
from ninefold.core.game import Option
from ninefold.core.puzzles import POSED, Theme
from ninefold.games import GAMES, VARIANTS, every_game, with_variants
from ninefold.study.puzzles.tasks import GRADES
from ninefold.web.messages import event_type, strict_type
from ninefold.web.requests import LARGEST, LONGEST_KEY, SHORTEST_KEY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ninefold.web.routes import Route

REF = "#/components/schemas/{name}"
# Possible on every route: too many requests; the server is full, or without its database.
EVERYWHERE = (429, 503)


@lru_cache(maxsize=4)
def document(root_path: str) -> bytes:
    from ninefold.web.routes import ROUTES  # here, because the routes import this module

    routes = [route for route in ROUTES if route.summary]
    types = [route.answers for route in routes if route.answers]
    types += [strict_type(route.reads) for route in routes if route.reads]
    types += [wire.Problem, event_type()]
    schemas, components = msgspec.json.schema_components(types, ref_template=REF)
    by_type = {repr(kind): schema for kind, schema in zip(types, schemas, strict=True)}
    components["Event"] = {"title": "Event", **by_type[repr(event_type())]}
    components["NewMatch"] = _split_by_game(components["NewMatch"])
    failure = {
        "description": "A problem",
        "content": {"application/problem+json": {"schema": by_type[repr(wire.Problem)]}},
    }
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        method = route.method.lower()
        done = {"description": "Done", "content": _content(route.answers, by_type)}
        failures = {str(code): failure for code in (*route.failures, *EVERYWHERE)}
        operation: dict[str, Any] = {
            "summary": route.summary,
            "operationId": "_".join([method, *re.findall(r"\w+", route.pattern)]),
            "responses": {str(route.status): done, **failures},
            "parameters": _parameters(route),
        }
        if "{id}" in route.pattern:
            operation["security"] = [{}, {"seat": []}]
        if route.reads is not None:
            content = {"application/json": {"schema": by_type[repr(strict_type(route.reads))]}}
            operation["requestBody"] = {"required": True, "content": content}
        paths.setdefault(route.pattern, {})[method] = operation
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


def _split_by_game(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of a new match, as one variant per game with that game's settings."""
    variants = []
    for game in with_variants():
        settings = {option.name: _setting_schema(option) for option in game.options}
        setup = {"type": "object", "properties": settings, "additionalProperties": False, "default": {}}
        properties = {**schema["properties"], "game": {"const": game.slug}, "setup": setup}
        variants.append({**schema, "title": game.title, "properties": properties})
    return {"title": schema["title"], "oneOf": variants}


def _setting_schema(option: Option) -> dict[str, Any]:
    """The schema of a setting: its values if they are few, which may be sent as text, else any text."""
    values = option.listed
    enum = {"enum": list(dict.fromkeys([*values, *map(str, values)]))}
    return {"description": option.allowed, **(enum if values else {"type": "string", "minLength": 1})}


def _content(answers: Any, by_type: dict[str, Any]) -> dict[str, Any]:
    if answers is None:
        event = {"$ref": REF.format(name="Event")}
        data = {"type": "string", "contentMediaType": "application/json", "contentSchema": event}
        return {"text/event-stream": {"schema": data}}
    return {"application/json": {"schema": by_type[repr(answers)]}}


def _parameters(route: Route) -> list[dict[str, Any]]:
    path = route.pattern
    found: list[dict[str, Any]] = []
    if route.idempotent:
        lengths = {"minLength": SHORTEST_KEY, "maxLength": LONGEST_KEY}
        found.append(
            {
                "name": "Idempotency-Key",
                "in": "header",
                "description": "A request that is sent again with the same key is not done again",
                "schema": {"type": "string", "pattern": "^[!-~]+$", **lengths},
            }
        )
    if "{id}" in path:
        found.append({"name": "id", "in": "path", "required": True, "schema": {"type": "string"}})
    if "/puzzles/" in path:
        found += _puzzle_parameters(path)
    if path.endswith("/events"):
        bounds = {"minimum": 0, "maximum": LARGEST}
        found.append({"name": "after", "in": "query", "schema": {"type": "integer", **bounds}})
    if path.endswith("/evaluation") and "{id}" not in path:
        game = {"name": "game", "in": "query", "required": True}
        found.append({**game, "schema": {"type": "string", "enum": list(GAMES | VARIANTS)}})
        found.append({"name": "moves", "in": "query", "schema": {"type": "string"}})
        options: dict[str, Option] = {o.name: o for game in every_game() for o in game.options}
        found += [
            {"name": name, "in": "query", "schema": _setting_schema(option)}
            for name, option in options.items()
        ]
    return found


def _puzzle_parameters(path: str) -> list[dict[str, Any]]:
    """Which puzzle, the answers given, and whether to show the answer."""
    schemas: dict[str, Any] = {"day": {"type": "string", "format": "date"}}
    if "{seed}" in path:
        names = {"type": "string", "enum": list(GAMES | VARIANTS)}
        schemas = {"game": names, "seed": {"type": "string"}}
    found = [{"name": n, "in": "path", "required": True, "schema": one} for n, one in schemas.items()]
    asked: dict[str, Any] = {
        "given": {"type": "array", "items": {"type": "string"}},
        "show": {"type": "string", "enum": ["1"]},
    }
    if "seed" in schemas:
        asked |= {
            "task": {"type": "string", "enum": list(POSED)},
            "grade": {"type": "integer", "minimum": GRADES[0], "maximum": GRADES[-1]},
            "theme": {"type": "string", "enum": list(Theme)},
        }
    return found + [{"name": name, "in": "query", "schema": schema} for name, schema in asked.items()]
