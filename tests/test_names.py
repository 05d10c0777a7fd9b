"""One name, one idea: two public classes share a name only where they are the same idea."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

SRC = Path(__file__).parents[1] / "src" / "ninefold"

SHARED = {
    "GameEnv",  # the environment of a game, for PettingZoo and for Gymnasium
    "Place",  # put a number on a cell, in Shadow Grid Duel and in Pattern Match
    "Position",  # what a solver tells apart of a position, in two solvers
}


def test_no_two_public_classes_share_a_name() -> None:
    homes: defaultdict[str, list[str]] = defaultdict(list)
    for path in SRC.rglob("*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(path.relative_to(SRC).as_posix())
    assert {name for name, found in homes.items() if len(found) > 1} == SHARED
