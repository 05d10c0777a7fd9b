"""Pages as HTML: templates filled in, with nothing of a server in sight."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import jinja2

from ninefold.core.game import Game
from ninefold.match.kinds import Action, Offer, Status
from ninefold.match.record import NAME_LIMIT
from ninefold.match.sitting import Deed
from ninefold.show.choosing import ask_other_half
from ninefold.show.values import percent

ICONS = {"icon-192.png": "192x192", "icon-512.png": "512x512"}
ASSETS = ("page.css", "page.js", "puzzles.js", "icon.svg", *ICONS)

_templates = jinja2.Environment(
    loader=jinja2.PackageLoader("ninefold.web.page"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=jinja2.StrictUndefined,
    auto_reload=False,
)
_templates.filters["percent"] = percent
_templates.globals.update(
    ask_other_half=ask_other_half,
    name_limit=NAME_LIMIT,
    Action=Action,
    Deed=Deed,
    Offer=Offer,
    Status=Status,
)


@dataclass(frozen=True, slots=True)
class Site:
    """Where pages are found, and how they look."""

    root: str = ""  # the path that they are under
    host: str = ""  # the scheme and host of absolute URLs; empty if they are not known
    theme: str = ""  # light or dark, or what the system prefers

    def learn(self, game: Game) -> str:
        """Where somebody who has never played a game is taken."""
        return f"{self.root}/learn/{game.slug}"

    def asset(self, name: str) -> str:
        """The URL of a file that pages load. It changes with the file's content."""
        return f"{self.root}/static/{asset_version()}/{name}"


def render_html(site: Site, template: str, **content: Any) -> str:
    """A page. Its links begin with `root`, the path that the server is under."""
    common: dict[str, Any] = {"root": site.root, "host": site.host, "theme": site.theme}
    common |= {"asset": site.asset, "learn": site.learn}
    return _templates.get_template(template).render(**common, **content)


@lru_cache
def read_asset(name: str) -> bytes:
    """A file that pages load: a script or a style sheet without its comments and indentation."""
    content = files("ninefold.web.page").joinpath("static", name).read_bytes()
    if not name.endswith((".css", ".js")):
        return content
    return re.sub(rb"(?ms)^(//[^\n]*|/\*.*?\*/)\n", b"", re.sub(rb"(?m)^\s+", b"", content))


@lru_cache(maxsize=1)
def asset_version() -> str:
    return hashlib.sha256(b"".join(read_asset(name) for name in ASSETS)).hexdigest()[:12]
