"""Puzzles and their answers, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

from ninefold.core.move import Move
from ninefold.core.puzzles import Task, Theme
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.games import load

GRADES = range(1, 10)
POINT = Fraction(1, 100)  # of a chance: nothing is asked where less would make the difference


@dataclass(frozen=True, slots=True)
class Mix:
    """An answer to `mix`: the moves that the mixture uses, in the order of the legal moves."""

    moves: tuple[Move, ...]

    def __str__(self) -> str:
        return " ".join(map(str, self.moves))


@dataclass(frozen=True, slots=True)
class Pick:
    """One of the listed options, by what is typed for it.

    That is the number of a move of the game shown, a kind of move or `either`, or a letter, which stands
    for the mixture in `shares`.
    """

    key: str
    shares: tuple[tuple[Move, Fraction], ...] = ()

    def __str__(self) -> str:
        return self.key


EITHER = Pick("either")


@dataclass(frozen=True, slots=True)
class Amount:
    """An answer that is a number: a margin, below zero if the solver loses, points, or percent."""

    number: int

    def __str__(self) -> str:
        return str(self.number)


Answer = Move | Mix | Pick | Amount


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position that can be reached, what is asked about it, and the answer.

    `answers` are the right ones; where a task goes on after the first move, the right first moves.
    `options` are those to choose from, where the task asks for one. `solution` is best play from here:
    for `win`, up to the end of the game or to where any move wins; for `lose`, how the answer loses; for
    `count` and `head-start`, to the end; for `save`, `least`, `kind` and `better`, the answer alone; else
    nothing. `chances` holds, for every n up to the grade, the chance that the player `sight:n` plays the
    whole solution. It is empty for tasks that are graded in another way.
    """

    game: str
    setup: Mapping[str, int | str] = field(hash=False)
    moves: tuple[Move, ...]
    seat: Seat
    task: Task
    answers: tuple[Answer, ...]
    solution: tuple[Move, ...]
    grade: int
    chances: Mapping[int, Fraction] = field(hash=False)
    themes: tuple[Theme, ...] = ()
    options: tuple[Pick, ...] = ()
    rare: bool = False  # there are few puzzles of this kind
    within: int | None = None  # for `win`: the most moves it may take, of both players

    @property
    def state(self) -> State[Any]:
        game = load(self.game)
        return game.sequence(game.set_up(self.setup), self.moves)


@dataclass(frozen=True, slots=True)
class Posed:
    """A position to be made into a puzzle: the start, the moves from there, and who is to solve it.

    `rng` draws what the options are besides the right one.
    """

    start: State[Any]
    moves: tuple[Move, ...]
    state: State[Any]
    seat: Seat
    rng: Random


@dataclass(frozen=True, slots=True)
class Proof:
    """What is proven about a task in a position; the fields are those of a `Puzzle`."""

    answers: tuple[Answer, ...]
    solution: tuple[Move, ...]
    grade: int
    chances: Mapping[int, Fraction] = field(default_factory=dict)
    options: tuple[Pick, ...] = ()
