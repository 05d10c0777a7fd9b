"""The registry of games, one line each: a slug and the module whose GAME describes the game.

A variant is made from one of the games by replacing clauses of its rules. It is a game like the others,
but listed under the one that it is made from: `SLUGS` and `every_game` leave it out.
"""

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
VARIANTS = {
    "shadow-fair": "ninefold.games.shadow.fair",
    "battle-fair": "ninefold.games.battle.fair",
    "pattern-fair": "ninefold.games.pattern.fair",
    "conquest-fair": "ninefold.games.conquest.fair",
    "cross-fair": "ninefold.games.cross.fair",
}
SLUGS = GAMES.keys()


def load(name: str) -> Game:
    """The game or variant with this slug, in upper or lower case. Raises SetupError if there is none."""
    slug = name.strip().lower()
    module = GAMES.get(slug) or VARIANTS.get(slug)
    if module is None:
        raise SetupError(f"There is no game {quote(name)}. The games are {say_slugs()}.")
    game = import_module(module).GAME
    assert isinstance(game, Game)
    return game


copyreg.pickle(Game, lambda game: (load, (game.slug,)))  # functions of a game cannot be pickled


def every_game() -> tuple[Game, ...]:
    return tuple(load(slug) for slug in SLUGS)


def editions_of(game: Game) -> tuple[Game, ...]:
    """The game by its book, and its variants; the same for a variant."""
    book = load(game.base or game.slug)
    return (book, *(one for one in map(load, VARIANTS) if one.base == book.slug))


def with_variants() -> tuple[Game, ...]:
    """Every game, each followed by its variants."""
    return tuple(dict.fromkeys(one for game in every_game() for one in editions_of(game)))


def say_slugs() -> str:
    """What can be typed for a game: `shadow, battle, ..., or an edition: battle-fair, ...`"""
    return f"{', '.join(SLUGS)}, or an edition: {', '.join(VARIANTS)}"
