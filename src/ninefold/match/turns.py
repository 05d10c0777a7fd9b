"""The moves of a match as turns: what one player does before the other is asked again.

A turn is one move, or a challenge with its two numbers. Only this module knows which moves belong
together.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Any

from ninefold.core.seat import Seat
from ninefold.core.state import State


@dataclass(frozen=True, slots=True)
class Played:
    """A move that was made, and when, in UTC (empty if unknown)."""

    seat: Seat
    move: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """Moves that belong together, in the order in which they were made."""

    start: int  # how many moves were made before this turn
    moves: tuple[Played, ...]
    public: int  # how many of the moves were made openly; the others are secret choices
    choosers: tuple[Seat, ...] = ()  # the seats that choose in secret, the challenger first
    revealed: bool = True  # False while a secret choice is still to be made

    @property
    def seat(self) -> Seat:
        """Whose turn it was."""
        return self.moves[0].seat

    @property
    def stop(self) -> int:
        """How many moves were made up to the end of this turn."""
        return self.start + len(self.moves)

    @property
    def secrets(self) -> tuple[Played, ...]:
        """The secret choices, the challenger's first; empty until both are revealed."""
        if not self.revealed:
            return ()
        return tuple(sorted(self.moves[self.public :], key=lambda one: self.choosers.index(one.seat)))

    @property
    def written(self) -> tuple[Played, ...]:
        """The moves that everybody knows, in written order: the challenger's number comes first."""
        return (*self.moves[: self.public], *self.secrets)

    def known(self, hidden: Container[Seat]) -> tuple[Played, ...]:
        """The moves in written order, without secret choices of the `hidden` seats."""
        if self.revealed:
            return self.written
        chosen = self.moves[self.public :]
        return (*self.written, *(one for one in chosen if one.seat not in hidden))


def group_turns(states: Sequence[State[Any]], played: Sequence[Played]) -> tuple[Turn, ...]:
    """The turns of a sequence of moves. `states` are the positions before it and after each move."""
    turns: list[Turn] = []
    start = 0
    for stop in range(1, len(played) + 1):
        before, after = states[stop - 1], states[stop]
        revealed = not after.pending and (before.secret or not after.secret)
        if revealed or stop == len(played):
            secret = [place for place in range(start, stop) if states[place].secret]
            choosers = states[secret[0]].movers if secret else ()
            moves = tuple(played[start:stop])
            turns.append(Turn(start, moves, len(moves) - len(secret), choosers, revealed))
            start = stop
    return tuple(turns)
