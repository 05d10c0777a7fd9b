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
from ninefold.core.state import Setup

ALWAYS = date.min  # since when the games have daily puzzles that had them from the beginning


class Asks(StrEnum):
    """What an answer is."""

    MOVES = "moves"  # a move, several in turn, or the moves of a mixture
    OPTION = "option"  # one of the options that are listed
    NUMBER = "number"


class Task(StrEnum):
    WIN = "win"  # find the only move that wins, and play on until the win is on the board
    SAVE = "save"  # where no move is sure to win, find the only one that keeps the best value
    LOSE = "lose"  # find the only move that loses
    MIX = "mix"  # name the numbers of the only optimal mixture
    SHARES = "shares"  # tell the optimal mixture from two others
    CHANCE = "chance"  # say how likely a win is, to the nearest ten percent
    KIND = "kind"  # say which kind of move is better, or that it makes no difference
    COUNT = "count"  # say by how much the solver wins or loses with best play
    LEAST = "least"  # find the smallest number or line that still wins
    HEAD_START = "head-start"  # say how many extra points would turn a loss into a win
    LAST = "last"  # find the move of a lost game at which it could last have been won
    BETTER = "better"  # find a better move than the one that was played; only reviews ask for it
    GOAL = "goal"  # find a move that reaches a goal; only lessons ask for it
    WHO = "who"  # say who wins with best play; only lessons ask for it

    @property
    def asks(self) -> Asks:
        match self:
            case Task.SHARES | Task.KIND | Task.LAST | Task.WHO:
                return Asks.OPTION
            case Task.CHANCE | Task.COUNT | Task.HEAD_START:
                return Asks.NUMBER
        return Asks.MOVES


# Those that puzzles are made for.
POSED = tuple(task for task in Task if task not in (Task.BETTER, Task.GOAL, Task.WHO))


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

    For `last`, which shows a whole game, `plies` are the lengths of the games. Where such positions are
    too rare in random games, `guide` draws a setup and moves.
    """

    task: Task
    grade: int | None  # None for any
    plies: tuple[int, ...]
    guide: Callable[[Random], tuple[Setup, list[Move]]] | None = None
    rare: bool = False  # there are few such puzzles: nobody gets one by chance, or twice in a month


def sources(task: Task, *found: tuple[int, tuple[int, ...]]) -> tuple[Source, ...]:
    """The sources of a task: each a grade, and after how many moves it is found."""
    return tuple(Source(task, grade, plies) for grade, plies in found)


@dataclass(frozen=True, slots=True)
class Week:
    """A game's part in the daily puzzles, which it has from a date on.

    No day is easier than the one before, a win at once is on two days at most, and a rare kind on one. No
    position may fit two days: they differ in moves made, in how many moves win, in value or in grade.
    Whole games, as `last` shows them, do not come back by chance.
    """

    since: date  # no day before it changes its puzzle when the game is added
    days: tuple[Source, ...]  # from Monday to Sunday


@dataclass(frozen=True, slots=True)
class Puzzles:
    """A game's puzzles. By default they are to find the only winning move, anywhere in a game."""

    sources: tuple[Source, ...] = (Source(Task.WIN, None, tuple(range(12))),)
    # By theme, the grades of each task at which it is common enough to be found quickly.
    themes: Mapping[Theme, Mapping[Task, tuple[int, ...]]] = field(default_factory=dict, hash=False)
    # Without a week, the game has no daily puzzles.
    week: Week | None = None
    # A key that symmetric positions share, whatever moves led there, and most others do not.
    key: Callable[[Any], tuple[Any, ...]] = lambda state: (state,)
    # A key that is equal for moves that count as one.
    same: Callable[[Any], object] = lambda move: move
    # The themes of an answer, in a position and for a seat, that only this game can tell.
    find_themes: Callable[[Any, Seat, Any], Iterable[Theme]] = lambda *_: ()
    # The game's own words for a task, as a question to the solver.
    questions: Mapping[Task, str] = field(default_factory=dict, hash=False)
