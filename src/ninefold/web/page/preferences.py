"""What was last chosen for a new match in this browser: opponent, level, side and name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode

from starlette.requests import Request
from starlette.responses import Response

from ninefold.players import LEVELS
from ninefold.web.page.cookies import name_of, set_cookie

COOKIE = "ninefold-usual"
LEVEL = "level:3"
COMPUTERS = (*((f"level:{n}", f"level {n}") for n in LEVELS), ("perfect", "perfect"))
SIDES = (("draw", "random"), ("first", "first"), ("second", "second"))
OPPONENTS = ("computer", "friend", "here")  # the first is the default


@dataclass(frozen=True, slots=True)
class Preferences:
    against: str
    level: str
    side: str
    name: str


def preferences_of(request: Request) -> Preferences:
    """What the link asks for, what this browser chose last, or the defaults."""
    kept = parse_qs(request.cookies.get(COOKIE, ""))
    against, level, side = (
        request.query_params.get(name) or kept.get(name, [""])[0] for name in ("against", "level", "side")
    )
    return Preferences(
        against if against in OPPONENTS else OPPONENTS[0],
        level if level in dict(COMPUTERS) else LEVEL,
        side if side in dict(SIDES) else SIDES[0][0],
        name_of(request),
    )


def remember_preferences(request: Request, response: Response, form: Mapping[str, str]) -> None:
    """Keep what a form chose. What it left open stays as it was."""
    before = preferences_of(request)
    kept = {"against": before.against, "level": before.level, "side": before.side}
    chosen = {name: form.get(name) or usual for name, usual in kept.items()}
    set_cookie(request, response, COOKIE, urlencode(chosen, safe=":"))
