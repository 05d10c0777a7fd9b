"""Ninefold: a table, a teacher and a laboratory for five two-player number-grid games.

>>> import ninefold
>>> state = ninefold.load("shadow").start(target=15)
>>> state.play("5@1,1").movers
(Seat.SECOND,)
"""

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ninefold.core.errors import (
        GameOver,
        IllegalMove,
        MalformedMove,
        NinefoldError,
        NotYourTurn,
        SetupError,
    )
    from ninefold.core.game import Game, Option
    from ninefold.core.move import Move
    from ninefold.core.outcome import Outcome, Reason, Stop
    from ninefold.core.perft import perft
    from ninefold.core.seat import SEATS, Seat
    from ninefold.core.state import State
    from ninefold.core.view import View
    from ninefold.games import SLUGS, editions_of, every_game, load

__version__ = "0.1.0"

__all__ = [
    "SEATS",
    "SLUGS",
    "Game",
    "GameOver",
    "IllegalMove",
    "MalformedMove",
    "Move",
    "NinefoldError",
    "NotYourTurn",
    "Option",
    "Outcome",
    "Reason",
    "Seat",
    "SetupError",
    "State",
    "Stop",
    "View",
    "editions_of",
    "every_game",
    "load",
    "perft",
]

# Where each name lives. They are imported on first use, so that `ninefold --help` starts quickly.
_HOMES = {
    "ninefold.core.errors": (
        *("GameOver", "IllegalMove", "MalformedMove", "NinefoldError", "NotYourTurn", "SetupError"),
    ),
    "ninefold.core.game": ("Game", "Option"),
    "ninefold.core.move": ("Move",),
    "ninefold.core.outcome": ("Outcome", "Reason", "Stop"),
    "ninefold.core.perft": ("perft",),
    "ninefold.core.seat": ("SEATS", "Seat"),
    "ninefold.core.state": ("State",),
    "ninefold.core.view": ("View",),
    "ninefold.games": ("SLUGS", "editions_of", "every_game", "load"),
}


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            value: object = getattr(import_module(home), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
