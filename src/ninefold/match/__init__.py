"""Matches: the authority over a game between two players, and its record."""

from ninefold.match.match import Match
from ninefold.match.record import Player, Record, RecordError, Series
from ninefold.match.turns import Played, Turn, group_turns

__all__ = ["Match", "Played", "Player", "Record", "RecordError", "Series", "Turn", "group_turns"]
