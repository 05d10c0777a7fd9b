"""Every game in the setups worth trying: the one table that all tests share.

Nothing here names a game: a game in the registry is tried in all its setups if they are few, else in
the first one and some that it draws.
"""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

import pytest

import ninefold
from ninefold import Game, State

Setup = dict[str, Any]

FEW = 20
SOME = 4


def setups_of(game: Game) -> list[Setup]:
    setups = list(islice(game.setups({}), FEW + 1))
    if len(setups) <= FEW:
        return setups
    return [setups[0], *(dict(game.start(rng=Random(seed)).setup) for seed in range(SOME))]


def name_of(slug: str, setup: Setup) -> str:
    return "-".join([slug, *map(str, setup.values())])


GAMES = {game.slug: game for game in ninefold.every_game()}
TABLES = [(slug, setup) for slug, game in GAMES.items() for setup in setups_of(game)]
NAMES = [name_of(slug, setup) for slug, setup in TABLES]


def has_secrets(slug: str) -> bool:
    """Whether the game has secret choices."""
    return type(GAMES[slug].set_up(GAMES[slug].example.setup)).secret is not State.secret


every_slug = pytest.mark.parametrize("slug", GAMES)
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
every_table = pytest.mark.parametrize(("slug", "setup"), TABLES, ids=NAMES)
every_game_table = pytest.mark.parametrize(
    ("game", "setup"), [(GAMES[slug], setup) for slug, setup in TABLES], ids=NAMES
)
