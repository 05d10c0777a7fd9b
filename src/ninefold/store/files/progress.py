"""Which puzzles the user solved or failed, in a file in the data folder."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from ninefold.store.files.atomic import replace_file
from ninefold.store.files.matches import data_folder

MOST_PUZZLES = 2000


@dataclass(frozen=True, slots=True)
class PuzzleResult:
    """What has come of a puzzle so far."""

    wrong: tuple[str, ...] = ()  # the answers that were wrong
    solved: bool = False
    shown: bool = False  # the answer was shown before the puzzle was solved


class PuzzleProgress:
    """The user's results, by the label of the puzzle, the most recent last."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path if path is not None else data_folder() / "puzzles.json"
        self.results = _read(self.path)

    def note(
        self, label: str, *, wrong: str | None = None, solved: bool = False, shown: bool = False
    ) -> None:
        """Save what came of an answer. A puzzle that was solved once stays solved. Raises OSError."""
        before = self.results.pop(label, PuzzleResult())
        self.results[label] = PuzzleResult(
            before.wrong if wrong is None or before.solved else (*before.wrong, wrong),
            before.solved or solved,
            (before.shown or shown) and not (before.solved or solved),
        )
        for old in list(self.results)[:-MOST_PUZZLES]:
            del self.results[old]
        data = {
            label: {"wrong": list(one.wrong), "solved": one.solved, "shown": one.shown}
            for label, one in self.results.items()
        }
        replace_file(self.path, json.dumps(data, indent=1, ensure_ascii=False) + "\n")

    @property
    def solved(self) -> int:
        """How many puzzles were solved."""
        return sum(one.solved for one in self.results.values())

    @property
    def failed(self) -> list[str]:
        """The labels of the puzzles to try again: tried or shown, not solved; the most recent first."""
        return [label for label, one in reversed(self.results.items()) if not one.solved]

    def streak(self, today: date) -> int:
        """How many daily puzzles in a row were solved, up to today's or yesterday's."""

        def solved(day: date) -> bool:
            return self.results.get(day.isoformat(), PuzzleResult()).solved

        day = today if solved(today) else today - timedelta(1)
        count = 0
        while solved(day - timedelta(count)):
            count += 1
        return count


def _read(path: Path) -> dict[str, PuzzleResult]:
    """The results in a file, without the parts that are damaged."""
    try:
        data: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    found = {}
    for label, one in data.items() if isinstance(data, dict) else ():
        with suppress(AttributeError, TypeError):
            wrong = tuple(str(text) for text in one.get("wrong", ()))
            found[str(label)] = PuzzleResult(wrong, one.get("solved") is True, one.get("shown") is True)
    return found
