"""Ninefold: a table, a teacher and a laboratory for five two-player number-grid games.

>>> import ninefold
>>> state = ninefold.load("shadow").start(target=15)
>>> state.play("5@1,1").movers
(Seat.SECOND,)
"""

from ninefold.core.errors import (
    GameOver,
    IllegalMove,
    MalformedMove,
    NinefoldError,
    NotYourTurn,
    SetupError,
)
from ninefold.core.game import Game, Option
from ninefold.core.outcome import Outcome, Reason
from ninefold.core.perft import perft
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.core.view import View
from ninefold.games import SLUGS, every_game, load

__version__ = "0.1.0"

__all__ = [
    "SEATS",
    "SLUGS",
    "Game",
    "GameOver",
    "IllegalMove",
    "MalformedMove",
    "NinefoldError",
    "NotYourTurn",
    "Option",
    "Outcome",
    "Reason",
    "Seat",
    "SetupError",
    "State",
    "View",
    "every_game",
    "load",
    "perft",
]
