"""Which puzzles were solved, and the wrong answers: one file in the user's data folder."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from ninefold.store.files import data_folder, replace_file

KEPT = 2000  # puzzles


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a puzzle so far. `shown` is True if the answer was shown and it is still unsolved."""

    wrong: tuple[str, ...] = ()
    solved: bool = False
    shown: bool = False


class Progress:
    """Results by the label of their puzzle, the latest last."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path if path is not None else data_folder() / "puzzles.json"
        self.results = _read(self.path)

    def note(
        self, label: str, *, wrong: str | None = None, solved: bool = False, shown: bool = False
    ) -> None:
        """Save the result of an answer. A puzzle that was solved once stays solved. Raises OSError."""
        before = self.results.pop(label, Result())
        self.results[label] = Result(
            before.wrong if wrong is None or before.solved else (*before.wrong, wrong),
            before.solved or solved,
            (before.shown or shown) and not (before.solved or solved),
        )
        for old in list(self.results)[:-KEPT]:
            del self.results[old]
        data = {
            label: {"wrong": list(one.wrong), "solved": one.solved, "shown": one.shown}
            for label, one in self.results.items()
        }
        replace_file(self.path, json.dumps(data, indent=1, ensure_ascii=False) + "\n")

    @property
    def solved(self) -> int:
        return sum(one.solved for one in self.results.values())

    @property
    def failed(self) -> list[str]:
        """The puzzles to try again: tried or shown, and not solved; the latest first."""
        return [label for label, one in reversed(self.results.items()) if not one.solved]

    def streak(self, today: date) -> int:
        """How many daily puzzles in a row were solved, up to today or yesterday."""

        def solved(day: date) -> bool:
            return self.results.get(day.isoformat(), Result()).solved

        day = today if solved(today) else today - timedelta(1)
        count = 0
        while solved(day - timedelta(count)):
            count += 1
        return count


def _read(path: Path) -> dict[str, Result]:
    """Read the results in the file, without the damaged ones."""
    try:
        data: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    found = {}
    for label, one in data.items() if isinstance(data, dict) else ():
        with suppress(AttributeError, TypeError):
            wrong = tuple(str(text) for text in one.get("wrong", ()))
            found[str(label)] = Result(wrong, one.get("solved") is True, one.get("shown") is True)
    return found
