"""How tests start the program: as it is, or with the games of `tests.sixth` in it."""

from __future__ import annotations

import os
import sys

PROGRAM = [sys.executable, "-m", os.environ.get("NINEFOLD_TEST_PROGRAM", "ninefold")]
