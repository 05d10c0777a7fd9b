"""What a game teaches: courses of steps, as plain data. `study.lessons` judges the answers.

A sentence of a step names no figure itself. In braces stands what is filled in from the position and the
solver: `{chance}`, or `{chance claim:5}` for the position after some moves. `show.lessons` lists the
fields. What else a sentence says of who wins stands beside it as a `Check`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from ninefold.core.puzzles import Task, Theme
from ninefold.core.seat import Seat
from ninefold.core.state import Setup


class Goal(StrEnum):
    """What a step asks for. Every move that reaches it is right, and gives nothing away."""

    COMPLETE = "complete"  # complete a line
    BLOCK = "block"  # leave the opponent no line to complete with the next move
    DOUBLE = "double"  # threaten two lines that no single cell stops
    MOST = "most"  # gain the most
    KEEP = "keep"  # give nothing away: keep the win, or the best chance
    WIN = "win"  # win against the best defense, perhaps within some moves
    MIX = "mix"  # name the numbers of the optimal mixture
    WHO = "who"  # say who wins with best play
    COUNT = "count"  # say by how much the learner wins or loses with best play


@dataclass(frozen=True, slots=True)
class Check:
    """Something that the sentences of a step say, for the tests to check with the solver."""

    after: str = ""  # moves from the step's position on, divided by blanks
    chance: Fraction | int | None = None  # that the learner wins from there with best play
    keeps: int | None = None  # how many legal moves there give nothing away
    threats: int | None = None  # how many lines the learner threatens to complete there


@dataclass(frozen=True, slots=True)
class Step:
    """A position, what to do in it, and what is said when it is done."""

    title: str
    ask: str  # one sentence or two: what to do, and why
    goal: Goal
    done: str  # what is said when the goal is reached
    moves: str = ""  # from the start to the position, divided by blanks
    setup: Setup = field(default_factory=dict, hash=False)
    seat: Seat | None = None  # the learner; by default whoever moves
    within: int | None = None  # for `win`: the most moves it may take, of both players
    points: bool = False  # whether the board points at where to look from the beginning
    # What typical mistakes allow, by the move.
    mistakes: Mapping[str, str] = field(default_factory=dict, hash=False)
    checks: tuple[Check, ...] = ()


@dataclass(frozen=True, slots=True)
class Course:
    """A few steps that belong together, and what comes after them."""

    slug: str
    title: str
    about: str  # one sentence
    steps: tuple[Step, ...]
    known: tuple[str, ...]  # what the learner now knows
    level: int  # of the computer to play next
    task: Task | None = None  # of the puzzle to try next
    theme: Theme | None = None
