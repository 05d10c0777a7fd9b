"""Playing a game under an authority, and the record that is left of it."""

from ninefold.match.match import Match
from ninefold.match.record import Played, Player, Record, RecordError, Series

__all__ = ["Match", "Played", "Player", "Record", "RecordError", "Series"]
