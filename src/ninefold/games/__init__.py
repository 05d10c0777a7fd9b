"""The registry of games, one line each: a slug and the module whose GAME describes the game."""

from __future__ import annotations

import copyreg
from importlib import import_module

from ninefold.core.errors import SetupError, quote
from ninefold.core.game import Game

GAMES = {
    "shadow": "ninefold.games.shadow",
    "battle": "ninefold.games.battle",
    "pattern": "ninefold.games.pattern",
    "conquest": "ninefold.games.conquest",
    "cross": "ninefold.games.cross",
}
SLUGS = GAMES.keys()


def load(name: str) -> Game:
    """The game with this slug, in upper or lower case. Raises SetupError if there is none."""
    slug = name.strip().lower()
    if slug not in GAMES:
        raise SetupError(f"There is no game {quote(name)}. The games are {', '.join(SLUGS)}.")
    game = import_module(GAMES[slug]).GAME
    assert isinstance(game, Game)
    return game


copyreg.pickle(Game, lambda game: (load, (game.slug,)))  # functions of a game cannot be pickled


def every_game() -> tuple[Game, ...]:
    return tuple(load(slug) for slug in SLUGS)
