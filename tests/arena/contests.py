"""Contests for the tests: run in this process or as the program, and compared without their times."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from ninefold.arena.folder import read_pairs
from tests.program import PROGRAM

FIRST_MOVE = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({"id": request["id"], "move": request["moves"][0]}), flush=True)
"""


def without_times(line: dict[str, Any]) -> str:
    for game in line["games"]:
        del game["record"]["started"]
        for move in game["record"]["moves"]:
            del move["at"]
    return json.dumps(line)


def results(path: Path) -> list[str]:
    """The pairs of a contest, sorted, without their times."""
    return sorted(without_times(line) for line in read_pairs(path))


def start(*words: str) -> subprocess.Popen[str]:
    command = [*PROGRAM, "arena", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
