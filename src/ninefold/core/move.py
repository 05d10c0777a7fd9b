"""A move, whatever the game."""

from __future__ import annotations


class Move:
    """What one player does. Each game's moves are frozen dataclasses under it, so equal ones are equal.

    `str()` is a move's text. Text becomes a move only where it enters the program: it is typed, read from
    a file or a link, or sent by a program.
    """

    __slots__ = ()
