"""The OpenAPI document allows what the server allows, and nothing more."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

import pytest
from jsonschema_rs import Draft202012Validator

from ninefold import NinefoldError, Seat, every_game, load
from ninefold.match.events import EVENTS
from ninefold.match.kinds import Offer
from ninefold.store.sql.rooms import to_json
from ninefold.web.api.openapi import document
from ninefold.web.requests import LARGEST, parse_number
from ninefold.web.routes import API, ROUTES

DOCUMENT = json.loads(document(""))
NEW_MATCH = Draft202012Validator(
    {"$ref": "#/components/schemas/NewMatch", "components": DOCUMENT["components"]}
)
GRID = "792415863"
VALUES: list[int | str] = [*range(-1, 40), *map(str, range(-1, 40)), "", "x", GRID]


def taken(game: str, setup: Mapping[str, int | str]) -> bool:
    """What the server makes of it."""
    try:
        load(game).set_up(setup)
    except NinefoldError:
        return False
    return True


@pytest.mark.parametrize("game", [game.slug for game in every_game()])
def test_a_new_match_may_have_the_settings_of_its_game_and_no_others(game: str) -> None:
    names = {option.name for one in every_game() for option in one.options} | {"nonsense"}
    assert NEW_MATCH.is_valid({"game": game})
    checked = 0
    for name in sorted(names):
        for value in VALUES:
            fits = NEW_MATCH.is_valid({"game": game, "setup": {name: value}})
            if name == "grid" and fits and value != GRID:
                continue  # that the nine digits differ, no schema says
            assert fits == taken(game, {name: value}), (name, value)
            checked += 1
    assert checked > 100


def test_there_is_no_other_game() -> None:
    for game in ("", "chess", "Shadow", 1, None):
        assert not NEW_MATCH.is_valid({"game": game})


def test_the_number_of_an_event_has_the_bound_that_the_server_has() -> None:
    (after,) = [
        parameter["schema"]
        for parameter in DOCUMENT["paths"]["/api/v1/matches/{id}/events"]["get"]["parameters"]
        if parameter["name"] == "after"
    ]
    assert after == {"type": "integer", "minimum": 0, "maximum": LARGEST}
    assert parse_number(str(LARGEST)) == LARGEST
    assert parse_number(str(LARGEST + 1)) is None


def test_every_request_of_the_api_is_in_the_document() -> None:
    told = {(method.upper(), path) for path, item in DOCUMENT["paths"].items() for method in item}
    served = {(route.method, route.pattern) for route in ROUTES if route.pattern.startswith(API)}
    assert served <= told


# Events


EVENT = Draft202012Validator({"$ref": "#/components/schemas/Event", "components": DOCUMENT["components"]})
SAMPLES: dict[str, object] = {
    "seat": Seat.SECOND,
    "winner": None,
    "deadline": None,
    "ply": 3,
    "offer": Offer.STOP,
}


def test_the_data_of_a_stream_are_the_events_that_are_saved() -> None:
    stream = DOCUMENT["paths"]["/api/v1/matches/{id}/events"]["get"]["responses"]["200"]["content"]
    assert stream["text/event-stream"]["schema"]["contentSchema"] == {
        "$ref": "#/components/schemas/Event"
    }
    for kind, event in EVENTS.items():
        made = event(**{field.name: SAMPLES.get(field.name, "text") for field in fields(event)})
        data = json.loads(to_json({"number": 1, **made.data()}))
        assert EVENT.is_valid(data), data
        assert not EVENT.is_valid({**data, "kind": f"{kind}s"})
        assert not EVENT.is_valid({**data, "number": None})


def test_the_list_of_events_in_the_documentation_is_that_of_their_types() -> None:
    text = (Path(__file__).parents[2] / "docs" / "server.md").read_text(encoding="utf-8")
    table = text.partition("| event | fields | what happened |\n|---|---|---|\n")[2].partition("\n\n")[0]
    listed = [
        f"| `{kind}` | {', '.join(f'`{field.name}`' for field in fields(event))} | {event.__doc__} |"
        for kind, event in EVENTS.items()
    ]
    assert table.split("\n") == listed
