"""Lines that are one number short of winning, for the two games of lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ninefold.core.grid import LINES, Line
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.games.pattern.rules import TOTAL, Pattern
from ninefold.games.shadow.rules import Shadow


@dataclass(frozen=True, slots=True)
class Threat:
    """A line of a seat's that the number `needed` on the cell `gap` would complete."""

    line: Line
    gap: int
    needed: int
    numbers: tuple[int, int, int]  # along the line, 0 at the gap

    def __str__(self) -> str:
        """`6-5-_ which needs 4`"""
        shown = "-".join(str(number) if number else "_" for number in self.numbers)
        return f"{shown} which needs {self.needed}"


def threats(state: State[Any], seat: Seat) -> tuple[Threat, ...]:
    """What the seat could complete at once if it were to move; nothing in the games of sums."""
    match state:
        case Shadow():
            free = tuple(number == 0 for number in state.cells)
            return _threats(state.own(seat), free, state.hand(seat), state.target)
        case Pattern() if not state.recycling:
            grid = state.grids[seat]
            return _threats(grid, tuple(number == 0 for number in grid), state.pool, TOTAL)
    return ()


def _threats(
    numbers: tuple[int, ...], free: tuple[bool, ...], at_hand: tuple[int, ...], total: int
) -> tuple[Threat, ...]:
    found = []
    for line in LINES:
        a, b, c = line.cells
        trio = (numbers[a], numbers[b], numbers[c])
        if trio.count(0) == 1:
            gap = line.cells[trio.index(0)]
            needed = total - sum(trio)
            if free[gap] and needed in at_hand:
                found.append(Threat(line, gap, needed, trio))
    return tuple(found)
