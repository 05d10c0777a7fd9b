"""The two sides of the table."""

from __future__ import annotations

from enum import IntEnum


class Seat(IntEnum):
    """A side of the table; usable as an index into a pair.

    The first seat makes the first move, unless a game says otherwise (`Game.starter`).
    """

    FIRST = 0
    SECOND = 1

    @classmethod
    def named(cls, name: object) -> Seat | None:
        """The seat that is written `first` or `second`; None for anything else."""
        return next((seat for seat in cls if name == str(seat)), None)

    @property
    def other(self) -> Seat:
        return SEATS[1 - self]

    def __str__(self) -> str:
        return self.name.lower()

    def __repr__(self) -> str:
        return f"Seat.{self.name}"


SEATS = (Seat.FIRST, Seat.SECOND)
