"""The folder of a contest: its plan, and a line of JSON for each pair that was played."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ninefold.arena.plan import Plan
from ninefold.arena.ratings import Pair
from ninefold.core.errors import NinefoldError
from ninefold.store.files.atomic import replace_file
from ninefold.store.files.lines import append_lines, cut_torn_line, lock_lines, open_lines, read_lines

PLAN, PAIRS = "plan.json", "pairs.jsonl"
Line = dict[str, Any]


class Folder:
    """Open for one run at a time. A line that a killed run left half written is removed."""

    def __init__(self, path: Path, plan: Plan) -> None:
        """Begin a contest, or go on with it. Raises NinefoldError if the folder has another plan."""
        self._file = open_lines(path / PAIRS)
        try:
            self._prepare(path, plan)
        except BaseException:
            self.close()
            raise

    def _prepare(self, path: Path, plan: Plan) -> None:
        lock_lines(self._file, path)
        if (path / PLAN).exists():
            if different := read_plan(path).differences(plan):
                raise NinefoldError(f"{path} holds another contest. {'; '.join(different)}.")
        else:
            replace_file(path / PLAN, json.dumps(plan.to_data(), indent=1) + "\n")
        cut_torn_line(self._file)

    def append(self, lines: list[str]) -> None:
        append_lines(self._file, lines)

    def close(self) -> None:
        self._file.close()


def read_plan(path: Path) -> Plan:
    if not (path / PLAN).exists():
        raise NinefoldError(f"{path} does not hold a contest.")
    return Plan.read(path / PLAN)


def read_pairs(path: Path) -> Iterator[Line]:
    """The pairs that were played, in the order in which they were finished."""
    return read_lines(path / PAIRS)


def pair_of(line: Line) -> Pair:
    one, other = line["players"]
    first, second = line["scores"]
    return Pair(line["game"], one, other, (first, second))
