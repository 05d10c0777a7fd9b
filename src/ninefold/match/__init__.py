"""Matches: the authority over a game between two players, and its record."""

from ninefold.core.turns import Played, Turn, group_turns
from ninefold.match.match import Match
from ninefold.match.record import Player, Record, RecordError, Series

__all__ = ["Match", "Played", "Player", "Record", "RecordError", "Series", "Turn", "group_turns"]
