"""Labels, each of which identifies a puzzle: a date, or a game and a seed with optional wishes.

2026-11-16
shadow/12
pattern/12?task=win&grade=9&theme=quiet+move
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from urllib.parse import parse_qsl, urlencode

from ninefold.core.errors import quote
from ninefold.core.puzzles import Task, Theme
from ninefold.study.puzzles.days import daily
from ninefold.study.puzzles.making import NoSuchPuzzle, puzzle
from ninefold.study.puzzles.tasks import GRADES, Puzzle

SEED = re.compile(r"[A-Za-z0-9_-]{1,40}")
FIRST, LAST = date(2000, 1, 1), date(2999, 12, 31)


@dataclass(frozen=True, slots=True)
class Label:
    """A day, or a game, a seed and optional wishes. `str` writes it and `read_label` reads it."""

    day: date | None = None
    game: str = ""
    seed: str = ""
    task: Task | None = None
    grade: int | None = None
    theme: Theme | None = None

    def __str__(self) -> str:
        if self.day is not None:
            return self.day.isoformat()
        return f"{self.game}/{self.seed}" + (f"?{urlencode(self.asked)}" if self.asked else "")

    @property
    def asked(self) -> dict[str, str]:
        """The wishes, by name."""
        asked = {"task": self.task, "grade": self.grade, "theme": self.theme}
        return {name: str(value) for name, value in asked.items() if value is not None}

    def find(self) -> Puzzle:
        """The puzzle of this label. Raises NinefoldError if there is none."""
        return _find(self)


@lru_cache(maxsize=500)  # a server is asked for the same few again and again
def _find(label: Label) -> Puzzle:
    if label.day is not None:
        return daily(label.day)
    return puzzle(label.game, label.seed, label.task, label.grade, label.theme)


def draw_seed() -> str:
    """A seed for a puzzle that nobody has asked for by one."""
    return str(secrets.randbelow(10**6))


def read_day(text: str) -> date:
    """A date like 2026-11-16. Raises NoSuchPuzzle."""
    try:
        day = date.fromisoformat(text.strip())
    except ValueError:
        day = None
    if day is None or len(text.strip()) != 10 or not FIRST <= day <= LAST:
        raise NoSuchPuzzle(f"{quote(text)} is not a date. Write it like 2026-11-16.")
    return day


def seeded_label(
    game: str, seed: str, task: str | None = None, grade: str | None = None, theme: str | None = None
) -> Label:
    """The label made of these parts, as somebody typed them. Raises NoSuchPuzzle if one is not valid."""
    if not SEED.fullmatch(seed):
        raise NoSuchPuzzle(f"{quote(seed)} is not a seed. Use up to 40 letters, digits, _ and -.")
    if task and task not in list(Task):
        raise NoSuchPuzzle(f"{quote(task)} is not a task. The tasks: {', '.join(Task)}.")
    if grade and grade not in map(str, GRADES):
        raise NoSuchPuzzle(f"{quote(grade)} is not a grade. Grades go from 1 to 9.")
    if theme and theme not in list(Theme):
        raise NoSuchPuzzle(f"{quote(theme)} is not a theme. The themes: {', '.join(Theme)}.")
    return Label(
        game=game,
        seed=seed,
        task=Task(task) if task else None,
        grade=int(grade) if grade else None,
        theme=Theme(theme) if theme else None,
    )


def read_label(text: str) -> Label:
    """The label that a text stands for. Raises NoSuchPuzzle."""
    path, _, query = text.partition("?")
    game, slash, seed = path.partition("/")
    if not slash:
        return Label(day=read_day(path))
    asked = dict(parse_qsl(query))
    return seeded_label(game, seed, asked.get("task"), asked.get("grade"), asked.get("theme"))
