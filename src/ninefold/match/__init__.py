"""Playing a game under an authority, and the record that is left of it."""

from ninefold.match.match import Match
from ninefold.match.record import Player, Record, RecordError, Series
from ninefold.match.turns import Played, Turn, group_turns

__all__ = ["Match", "Played", "Player", "Record", "RecordError", "Series", "Turn", "group_turns"]
