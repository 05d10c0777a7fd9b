"""What a game knows about its puzzles. `study.puzzles` makes them, and proves and grades the answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from random import Random
from typing import Any

from ninefold.core.move import Move
from ninefold.core.seat import Seat
from ninefold.core.state import Setup, State

ALWAYS = date.min  # since when the games have daily puzzles that had them from the beginning


class Task(StrEnum):
    WIN = "win"  # find the only move that wins, and go on until the win is easy
    SAVE = "save"  # where no move is sure to win, find the only one that keeps the best value
    MIX = "mix"  # name the numbers of the only optimal mixture
    COUNT = "count"  # say who wins from here with best play, and by how much
    LEAST = "least"  # find the smallest number or line that still wins


class Theme(StrEnum):
    """What is remarkable about the answer. Each is computed for the position."""

    AT_ONCE = "wins at once"
    BLOCK = "block"
    DOUBLE = "double threat"
    QUIET = "quiet move"
    NOT_GREEDY = "against the greedy move"
    LAST_NUMBER = "last number"
    CHALLENGE = "only challenge"
    TIE_BREAK = "tie-break"


@dataclass(frozen=True, slots=True)
class Source:
    """Where puzzles of one task and grade are found: after how many moves of a random game.

    Where such positions are too rare in random games, `guide` draws a setup and moves.
    """

    task: Task
    grade: int | None  # None for any
    plies: tuple[int, ...]
    guide: Callable[[Random], tuple[Setup, list[Move]]] | None = None


def sources(task: Task, *found: tuple[int, tuple[int, ...]]) -> tuple[Source, ...]:
    """The sources of a task: each a grade, and after how many moves it is found."""
    return tuple(Source(task, grade, plies) for grade, plies in found)


@dataclass(frozen=True, slots=True)
class Week:
    """A game's part in the daily puzzles, which it has from a date on.

    No position may fit two days: they differ in moves made, in how many moves win, in value or in grade.
    """

    since: date  # no day before it changes its puzzle when the game is added
    days: tuple[Source, ...]  # from Monday to Sunday


def _state_itself(state: State[Any]) -> tuple[Any, ...]:
    return (state,)


def _move_itself(move: object) -> object:
    return move


def _no_themes(state: State[Any], seat: Seat, move: Any) -> tuple[Theme, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Puzzles:
    """A game's puzzles. By default they are to find the only winning move, anywhere in a game."""

    sources: tuple[Source, ...] = (Source(Task.WIN, None, tuple(range(12))),)
    # By theme, the grades of each task at which it is common enough to be found quickly.
    themes: Mapping[Theme, Mapping[Task, tuple[int, ...]]] = field(default_factory=dict, hash=False)
    # Without a week, the game has no daily puzzles.
    week: Week | None = None
    # A key that symmetric positions share, whatever moves led there, and most others do not.
    key: Callable[[Any], tuple[Any, ...]] = _state_itself
    # A key that is equal for moves that count as one.
    same: Callable[[Any], object] = _move_itself
    # The themes of an answer, in a position and for a seat, that only this game can tell.
    find_themes: Callable[[Any, Seat, Any], Iterable[Theme]] = _no_themes
    # The game's own words for a task, as a question to the solver.
    questions: Mapping[Task, str] = field(default_factory=dict, hash=False)
