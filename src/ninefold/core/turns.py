"""Where a turn ends: what one player does before the other is asked again.

A turn is one move, or secret choices with the move that asked for them. Only this module knows which
moves belong together.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Any

from ninefold.core.move import Move
from ninefold.core.seat import Seat
from ninefold.core.state import State


@dataclass(frozen=True, slots=True)
class Played:
    """A move that was made, and when, in UTC (empty if unknown)."""

    seat: Seat
    move: Move
    at: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """Moves that belong together, in the order in which they were made."""

    start: int  # how many moves were made before this turn
    moves: tuple[Played, ...]
    public: int  # how many of the moves were made openly; the others are secret choices
    choosers: tuple[Seat, ...] = ()  # the seats that choose in secret, in written order
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
        """The secret choices in written order; empty until all are revealed."""
        if not self.revealed:
            return ()
        return tuple(sorted(self.moves[self.public :], key=lambda one: self.choosers.index(one.seat)))

    @property
    def written(self) -> tuple[Played, ...]:
        """The moves that everybody knows, in written order."""
        return (*self.moves[: self.public], *self.secrets)

    def known(self, hidden: Container[Seat]) -> tuple[Played, ...]:
        """The moves in written order, without secret choices of the `hidden` seats."""
        if self.revealed:
            return self.written
        chosen = self.moves[self.public :]
        return (*self.written, *(one for one in chosen if one.seat not in hidden))


def ends_turn(before: State[Any], after: State[Any]) -> bool:
    """Whether the move between these positions ended a turn.

    It did not if a secret choice is pending, or if the move was made openly and asks for secret choices.
    """
    return not after.pending and (before.secret or not after.secret)


def group_turns(
    states: Sequence[State[Any]], played: Sequence[Played], start: int = 0
) -> tuple[Turn, ...]:
    """The turns of a sequence of moves. `states` are the positions before it and after each move.

    They are grouped from the move at `start` on, with which a turn begins.
    """
    turns: list[Turn] = []
    for stop in range(start + 1, len(played) + 1):
        over = ends_turn(states[stop - 1], states[stop])
        if over or stop == len(played):
            secret = [place for place in range(start, stop) if states[place].secret]
            choosers = states[secret[0]].movers if secret else ()
            moves = tuple(played[start:stop])
            turns.append(Turn(start, moves, len(moves) - len(secret), choosers, over))
            start = stop
    return tuple(turns)


def turn_number(turns: Sequence[Turn], count: int) -> int:
    """The number, from 1, of the turn that has the move with this number; 0 before the first move."""
    return next((number for number, turn in enumerate(turns, 1) if turn.start < count <= turn.stop), 0)


def last_turn(states: Sequence[State[Any]], played: Sequence[Played]) -> Turn:
    """The last turn of a sequence of moves, which has at least one, without a look at all the others."""
    start = len(played) - 1
    while start and not ends_turn(states[start - 1], states[start]):
        start -= 1
    return group_turns(states, played, start)[0]
