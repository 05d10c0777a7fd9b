"""The one place that says a game is over, who won, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ninefold.core.grid import LINES, LINES_THROUGH, Line
from ninefold.core.seat import Seat


class Reason(StrEnum):
    LINE = "line"  # three in a line with the right sum
    FULL = "full"  # a full board without such a line
    SUM = "sum"  # the higher sum
    TIE = "tie"  # equal sums, decided by the tie rule
    CELLS = "cells"  # more cells
    UNUSED = "unused"  # equal cells, higher sum of unused numbers
    SPENT = "spent"  # everything equal and no numbers left
    RULE = "rule"  # a rule of the game's own, told by its words
    RESIGNED = "resigned"
    FORFEIT = "forfeit"  # a program broke down or broke the rules
    TIME = "time"  # the clock of the loser's move ran out
    ABSENT = "absent"  # the loser was gone for too long on their own turn


# What ends a game from outside: the moves do not tell it, and the loser is whoever it happened to.
FROM_OUTSIDE = (Reason.RESIGNED, Reason.FORFEIT, Reason.TIME, Reason.ABSENT)


class Stop(StrEnum):
    """Why a game was stopped. It has no outcome then: nobody wins, and it counts for nobody."""

    DEAD = "dead"  # nobody can win any more
    AGREED = "agreed"  # the players agreed to stop
    LIMIT = "limit"  # no person plays, and there were too many moves


LIMIT = 200  # moves after which a game is stopped where no person plays, unless another limit is set


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended. There are no draws: a game that is stopped has no outcome.

    `detail` is what an interface needs to announce it: a WonLine, or the game's own dataclass
    (see the game's rules.py); None where winner and reason say it all.
    """

    winner: Seat
    reason: Reason
    detail: object = None


@dataclass(frozen=True, slots=True)
class WonLine:
    line: Line
    numbers: tuple[int, int, int]

    @property
    def total(self) -> int:
        return sum(self.numbers)


def made_line(numbers: tuple[int, ...], cell: int, total: int) -> WonLine | None:
    """The first line through the cell with this total, if there is one.

    Only numbers of the total's own sign make a line: 0 is an empty cell, and where one player's numbers
    are written as negative, so is the total that this player needs.
    """
    for line in LINES_THROUGH[cell]:
        a, b, c = line.cells
        x, y, z = numbers[a], numbers[b], numbers[c]
        if x + y + z == total and x * total > 0 and y * total > 0 and z * total > 0:
            return WonLine(line, (abs(x), abs(y), abs(z)))
    return None


@dataclass(frozen=True, slots=True)
class Threat:
    """A line of a seat's that the number `needed` on the cell `gap` would complete."""

    line: Line
    gap: int
    needed: int
    numbers: tuple[int, int, int]  # along the line, 0 at the gap


def open_threats(
    own: tuple[int, ...], free: tuple[bool, ...], at_hand: tuple[int, ...], total: int
) -> tuple[Threat, ...]:
    """The lines of a player's numbers (0 for none) that a number at hand on a free cell completes."""
    found = []
    for line in LINES:
        a, b, c = line.cells
        trio = (own[a], own[b], own[c])
        if trio.count(0) == 1:
            gap = line.cells[trio.index(0)]
            needed = total - sum(trio)
            if free[gap] and needed in at_hand:
                found.append(Threat(line, gap, needed, trio))
    return tuple(found)
