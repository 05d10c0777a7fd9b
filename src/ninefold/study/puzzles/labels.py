"""Labels, each of which names one puzzle: a date, or a game and a seed.

2026-11-16
shadow/12
pattern/12-3
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from ninefold.core.errors import quote
from ninefold.core.game import Game
from ninefold.core.puzzles import POSED, Task, Theme
from ninefold.games import load
from ninefold.study.puzzles.days import daily, today
from ninefold.study.puzzles.making import NoSuchPuzzle, find_seed, puzzle
from ninefold.study.puzzles.tasks import GRADES, Puzzle

SEED = re.compile(r"[A-Za-z0-9_-]{1,40}(-\d{1,5})?")
FIRST, LAST = date(2000, 1, 1), date(2999, 12, 31)
RARELY = 100  # how many seeds are drawn to avoid a rare kind


@dataclass(frozen=True, slots=True)
class Label:
    """A day, or a game and a seed. `str` writes it and `read_label` reads it."""

    day: date | None = None
    game: str = ""
    seed: str = ""

    def __str__(self) -> str:
        return f"{self.game}/{self.seed}" if self.day is None else self.day.isoformat()

    def find(self) -> Puzzle:
        """The puzzle of this label. Raises NinefoldError if there is none, or not yet."""
        if self.day is not None and self.day > today():
            raise NoSuchPuzzle(f"The puzzle of {self.day} opens on that day, at midnight UTC.")
        return _find(self)


@lru_cache(maxsize=500)  # a server is asked for the same few again and again
def _find(label: Label) -> Puzzle:
    return puzzle(label.game, label.seed) if label.day is None else daily(label.day)


def read_day(text: str) -> date:
    """A date like 2026-11-16. Raises NoSuchPuzzle."""
    try:
        day = date.fromisoformat(text.strip())
    except ValueError:
        day = None
    if day is None or len(text.strip()) != 10 or not FIRST <= day <= LAST:
        raise NoSuchPuzzle(f"{quote(text)} is not a date. Write it like 2026-11-16.")
    return day


@dataclass(frozen=True, slots=True)
class Wanted:
    """What kind of puzzle is wanted; what is None can be anything."""

    task: Task | None = None
    grade: int | None = None
    theme: Theme | None = None


def read_wanted(task: str | None = None, grade: str | None = None, theme: str | None = None) -> Wanted:
    """What is wanted, from what somebody typed. Raises NoSuchPuzzle if a part is not valid."""
    if task and task not in POSED:
        raise NoSuchPuzzle(f"{quote(task)} is not a task. The tasks: {', '.join(POSED)}.")
    if grade and grade not in map(str, GRADES):
        raise NoSuchPuzzle(f"{quote(grade)} is not a grade. Grades go from 1 to 9.")
    if theme and theme not in list(Theme):
        raise NoSuchPuzzle(f"{quote(theme)} is not a theme. The themes: {', '.join(Theme)}.")
    return Wanted(
        Task(task) if task else None, int(grade) if grade else None, Theme(theme) if theme else None
    )


def find_label(game: Game, seed: str, wanted: Wanted | None = None) -> Label:
    """The label of the puzzle that a seed leads to, given what is wanted. Raises NoSuchPuzzle."""
    if not SEED.fullmatch(seed):
        raise NoSuchPuzzle(f"{quote(seed)} is not a seed. Use up to 40 letters, digits, _ and -.")
    wanted = Wanted() if wanted is None else wanted
    return Label(game=game.slug, seed=find_seed(game, seed, wanted.task, wanted.grade, wanted.theme))


def draw_label(game: Game, wanted: Wanted | None = None) -> Label:
    """A label that nobody has asked for by its seed; not of a rare kind, unless a grade is asked for."""
    for _ in range(RARELY):
        label = find_label(game, str(secrets.randbelow(10**6)), wanted)
        if (wanted is not None and wanted.grade is not None) or not label.find().rare:
            break
    return label


def read_label(text: str) -> Label:
    """The label that a text stands for. Raises NoSuchPuzzle."""
    game, slash, seed = text.partition("/")
    return find_label(load(game), seed) if slash else Label(day=read_day(text))
