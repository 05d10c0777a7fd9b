"""The games, one line each. A game is a package beside this file whose GAME describes it."""

from __future__ import annotations

from importlib import import_module

from ninefold.core.errors import SetupError, quoted
from ninefold.core.game import Game

SLUGS = (
    "shadow",
    "battle",
    "pattern",
    "conquest",
    "cross",
)


def load(name: str) -> Game:
    """The game of that slug; letter case does not matter. Raises SetupError for an unknown one."""
    slug = name.strip().lower()
    if slug not in SLUGS:
        raise SetupError(f"There is no game {quoted(name)}. The games are {', '.join(SLUGS)}.")
    game = import_module(f"{__name__}.{slug}").GAME
    assert isinstance(game, Game)
    return game


def every_game() -> tuple[Game, ...]:
    return tuple(load(slug) for slug in SLUGS)
