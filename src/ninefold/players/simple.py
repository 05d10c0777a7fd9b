"""Players that know the rules and nothing else."""

from __future__ import annotations

from random import Random
from typing import Any

from ninefold.core.seat import Seat
from ninefold.core.state import State


class RandomPlayer:
    """Any legal move, all equally likely."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, state: State[Any], seat: Seat) -> Any:
        return self._rng.choice(state.moves(seat))

    def close(self) -> None:
        pass


class GreedyPlayer:
    """Sees one move: wins if it can at once, else takes what adds most to its score or its cells."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, state: State[Any], seat: Seat) -> Any:
        gains = [(_gain(state.after(move, seat), seat), move) for move in state.moves(seat)]
        most = max(gain for gain, _ in gains)
        return self._rng.choice([move for gain, move in gains if gain == most])

    def close(self) -> None:
        pass


def _gain(state: State[Any], seat: Seat) -> tuple[bool, int, int]:
    """What a position shows for a seat: whether it has won, its score, its cells."""
    view = state.view(seat)
    won = state.outcome is not None and state.outcome.winner == seat
    cells = sum(cell.owner == seat for board in view.boards for cell in board.cells)
    return won, view.number("score", seat), cells
