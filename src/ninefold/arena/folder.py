"""The folder of a contest: its plan, and a line of JSON for each pair that was played."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ninefold.arena.plan import Plan
from ninefold.arena.ratings import Pair
from ninefold.core.errors import NinefoldError
from ninefold.store.files.atomic import replace_file

try:
    import fcntl
except ImportError:  # only Unix has it
    fcntl = None  # type: ignore[assignment]

PLAN, PAIRS = "plan.json", "pairs.jsonl"
Line = dict[str, Any]


class Folder:
    """Open for one run at a time. A line that a killed run left half written is removed."""

    def __init__(self, path: Path, plan: Plan) -> None:
        """Begin a contest, or go on with it. Raises NinefoldError if the folder has another plan."""
        path.mkdir(parents=True, exist_ok=True)
        self._file = (path / PAIRS).open("a+b")
        try:
            self._prepare(path, plan)
        except BaseException:
            self.close()
            raise

    def _prepare(self, path: Path, plan: Plan) -> None:
        if fcntl is not None:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise NinefoldError(f"Another run is writing to {path}.") from None
        if (path / PLAN).exists():
            if different := read_plan(path).differences(plan):
                raise NinefoldError(f"{path} holds another contest. {'; '.join(different)}.")
        else:
            replace_file(path / PLAN, json.dumps(plan.to_data(), indent=1) + "\n")
        self._file.truncate(_whole_lines(path / PAIRS))

    def append(self, lines: list[str]) -> None:
        self._file.write("".join(f"{line}\n" for line in lines).encode())
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def read_plan(path: Path) -> Plan:
    if not (path / PLAN).exists():
        raise NinefoldError(f"{path} does not hold a contest.")
    return Plan.read(path / PLAN)


def read_pairs(path: Path) -> Iterator[Line]:
    """The pairs that were played, in the order in which they were finished."""
    whole = _whole_lines(path / PAIRS)
    with (path / PAIRS).open("rb") as file:
        while file.tell() < whole:
            try:
                yield json.loads(file.readline())
            except ValueError:
                raise NinefoldError(f"{path / PAIRS} is damaged before byte {file.tell():,}.") from None


def pair_of(line: Line) -> Pair:
    one, other = line["players"]
    first, second = line["scores"]
    return Pair(line["game"], one, other, (first, second))


def _whole_lines(path: Path) -> int:
    """The number of bytes up to the end of the last whole line."""
    with path.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        while end:
            start = max(0, end - 65536)
            file.seek(start)
            at = file.read(end - start).rfind(b"\n")
            if at >= 0:
                return start + at + 1
            end = start
    return 0
