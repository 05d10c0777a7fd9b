"""Policies that know only the rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.players import SeenRecord
from ninefold.players.policy import PolicyPlayer, Probabilities, even


def random_policy(state: State[Any], seat: Seat) -> Probabilities:
    """Any legal move, all equally likely."""
    return even(state.moves(seat))


@dataclass(frozen=True, slots=True)
class RandomPlayer(PolicyPlayer):
    """Plays the random policy without computing its probabilities, because environments need speed."""

    def choose(self, state: State[Any], seat: Seat, record: SeenRecord | None = None) -> Any:
        moves = state.moves(seat)
        return moves[self.rng.randrange(len(moves))]


def greedy_policy(state: State[Any], seat: Seat) -> Probabilities:
    """Sees one move ahead: wins at once if it can, else adds the most to its score or its cells."""
    moves = state.moves(seat)
    if state.secret:  # nothing can be seen until both have chosen
        return even(moves)
    gains = [_gain(state.after(move, seat), seat) for move in moves]
    most = max(gains)
    return even([move for move, gain in zip(moves, gains, strict=True) if gain == most])


def _gain(state: State[Any], seat: Seat) -> tuple[bool, int, int]:
    """What a seat has in a position: whether it has won, its score, its cells."""
    view = state.view(seat)
    won = state.outcome is not None and state.outcome.winner == seat
    cells = sum(cell.owner == seat for board in view.boards for cell in board.cells)
    return won, view.number("score", seat), cells
