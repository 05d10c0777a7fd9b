"""Puts the two games and all editions into the registry, here and for programs started from here."""

from __future__ import annotations

import os
from pathlib import Path

from ninefold.games import GAMES, VARIANTS
from tests.sixth import NEW

GAMES |= {slug: f"tests.sixth.{slug}" for slug in NEW} | VARIANTS
os.environ["NINEFOLD_TEST_PROGRAM"] = "tests.sixth"
PATHS = (str(Path(__file__).parents[2]), *filter(None, [os.environ.get("PYTHONPATH")]))
os.environ["PYTHONPATH"] = os.pathsep.join(PATHS)
