"""Puts the two games into the registry. As a pytest plugin (`-p tests.sixth.register`) it does so for a
whole run, also for the programs that the tests start."""

from __future__ import annotations

import os
from pathlib import Path

from ninefold.games import GAMES

GAMES["garden"] = "tests.sixth.garden"
GAMES["auction"] = "tests.sixth.auction"
os.environ["NINEFOLD_TEST_PROGRAM"] = "tests.sixth"
PATHS = (str(Path(__file__).parents[2]), *filter(None, [os.environ.get("PYTHONPATH")]))
os.environ["PYTHONPATH"] = os.pathsep.join(PATHS)
