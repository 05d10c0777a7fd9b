"""How a game ends: who won and why, or why nobody did. Also the lines that win, or threaten to."""

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
    RULE = "rule"  # a rule of this game alone; its `words` explain it
    RESIGNED = "resigned"
    FORFEIT = "forfeit"  # a program failed or broke the rules
    TIME = "time"  # the loser ran out of time for a move
    ABSENT = "absent"  # the loser was gone for too long on their own turn


# Reasons that come from outside the rules, so the moves alone do not show them.
FROM_OUTSIDE = (Reason.RESIGNED, Reason.FORFEIT, Reason.TIME, Reason.ABSENT)


class Stop(StrEnum):
    """Why a game was stopped. A stopped game has no outcome: nobody wins, and it counts for nobody."""

    DEAD = "dead"  # nobody can win anymore
    AGREED = "agreed"  # the players agreed to stop
    LIMIT = "limit"  # there were too many moves


LIMIT = 200  # moves after which a game that no person plays is stopped, unless another limit is set
HOSTED_LIMIT = 1000  # moves after which a game is stopped that people play on a server


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended. There are no draws: a game that is stopped has no outcome.

    `detail` is whatever else an interface needs to announce the result: a WonLine, a dataclass from the
    game's rules.py, or the reason for a forfeit as text; None where winner and reason say it all.
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

    Only numbers with the sign of the total make a line. 0 is an empty cell; where one player's numbers
    are stored as negative, so is the total that this player needs.
    """
    for line in LINES_THROUGH[cell]:
        a, b, c = line.cells
        x, y, z = numbers[a], numbers[b], numbers[c]
        if x + y + z == total and x * total > 0 and y * total > 0 and z * total > 0:
            return WonLine(line, (abs(x), abs(y), abs(z)))
    return None


@dataclass(frozen=True, slots=True)
class Threat:
    """A line that the number `needed` on the cell `gap` would complete for a seat."""

    line: Line
    gap: int
    needed: int
    numbers: tuple[int, int, int]  # along the line, 0 at the gap


def open_threats(
    own: tuple[int, ...], free: tuple[bool, ...], at_hand: tuple[int, ...], total: int
) -> tuple[Threat, ...]:
    """The lines that a player can complete in one move, with one of the numbers `at_hand`.

    `own` has the player's numbers by cell (0 for none), `free` says which cells can be filled.
    """
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
