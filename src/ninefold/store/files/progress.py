"""Which puzzles the user solved or failed: in a file in the data folder, and as a text to carry away.

The text is one line. Its first word names the version, and every other word is a puzzle: its label, what
came of it (`solved`, `shown` or `open`) and the wrong answers. Semicolons divide these, and a plus sign
stands for a blank. The page writes and reads such texts, too.

    ninefold-puzzles-1 2026-11-16;solved;5@1,1 cross/12-3;open;Row1 conquest/4;shown;bid:1+bid:2
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from ninefold.core.errors import NinefoldError
from ninefold.store.files.atomic import replace_file
from ninefold.store.files.matches import data_folder

MOST_PUZZLES = 2000
VERSION = "ninefold-puzzles-1"
LABEL = re.compile(r"[\w/-]{1,80}", re.ASCII)
WORD = re.compile(rf"{LABEL.pattern};(solved|shown|open)(;[^;\s]{{1,80}})*", re.ASCII)


@dataclass(frozen=True, slots=True)
class PuzzleResult:
    """What has come of a puzzle so far."""

    wrong: tuple[str, ...] = ()  # the answers that were wrong
    solved: bool = False
    shown: bool = False  # the answer was shown before the puzzle was solved


Results = Mapping[str, PuzzleResult]  # by the label of the puzzle, the most recent last


def write_results(results: Results) -> str:
    """Results as a text to carry elsewhere."""
    words = [VERSION]
    for label, one in results.items():
        if not LABEL.fullmatch(label):  # the file may have been edited
            continue
        what = "solved" if one.solved else "shown" if one.shown else "open"
        words.append(";".join((label, what, *("+".join(text.split()) for text in one.wrong))))
    return " ".join(words)


def read_results(text: str) -> dict[str, PuzzleResult]:
    """The results in a text that `write_results` made. Raises NinefoldError if it is not one."""
    version, *words = text.split() or [""]
    if version != VERSION or not all(WORD.fullmatch(word) for word in words):
        raise NinefoldError(f"This is not the progress of puzzles: a text that begins with {VERSION}.")
    found = {}
    for word in words:
        label, what, *wrong = word.split(";")
        answers = tuple(" ".join(answer.split("+")) for answer in wrong)
        found[label] = PuzzleResult(answers, what == "solved", what == "shown")
    return found


def merge_results(here: Results, there: Results) -> dict[str, PuzzleResult]:
    """Both results: what was solved in either is solved, with the longer list of wrong answers."""
    found = dict(here)
    for label, one in there.items():
        mine = found.get(label, PuzzleResult())
        solved = mine.solved or one.solved
        wrong = max(mine.wrong, one.wrong, key=len)
        found[label] = PuzzleResult(wrong, solved, (mine.shown or one.shown) and not solved)
    return found


class PuzzleProgress:
    """The user's results, by the label of the puzzle, the most recent last. Lessons have a file, too."""

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
        self._save()

    def add(self, text: str) -> None:
        """Save the results in a text as well. Raises NinefoldError if it is not one, or OSError."""
        self.results = merge_results(self.results, read_results(text))
        self._save()

    def _save(self) -> None:
        for old in list(self.results)[:-MOST_PUZZLES]:
            del self.results[old]
        data = {
            label: {"wrong": list(one.wrong), "solved": one.solved, "shown": one.shown}
            for label, one in self.results.items()
        }
        replace_file(self.path, json.dumps(data, indent=1, ensure_ascii=False) + "\n")

    @property
    def text(self) -> str:
        """The results as a text to carry elsewhere."""
        return write_results(self.results)

    @property
    def solved(self) -> int:
        """How many puzzles were solved."""
        return count_solved(self.results)

    @property
    def done(self) -> set[str]:
        """The labels of what was solved."""
        return {label for label, one in self.results.items() if one.solved}

    @property
    def failed(self) -> dict[str, tuple[str, ...]]:
        """The puzzles to try again, by label, with the wrong answers: tried or shown, and not solved.

        The most recent come first.
        """
        return {label: self.results[label].wrong for label in list_failed(self.results)}

    def streak(self, today: date) -> int:
        """How many daily puzzles in a row were solved, up to today's or yesterday's."""
        return count_streak(self.results, today)


def lesson_progress() -> PuzzleProgress:
    """The user's lessons, by the label of the step: `shadow/basics/3`."""
    return PuzzleProgress(data_folder() / "lessons.json")


def count_solved(results: Results) -> int:
    """How many puzzles were solved."""
    return sum(one.solved for one in results.values())


def list_failed(results: Results) -> list[str]:
    """The labels of the puzzles to try again: tried or shown, not solved; the most recent first."""
    return [label for label in reversed(list(results)) if not results[label].solved]


def count_streak(results: Results, today: date) -> int:
    """How many daily puzzles in a row were solved, up to today's or yesterday's."""

    def solved(day: date) -> bool:
        return results.get(day.isoformat(), PuzzleResult()).solved

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
