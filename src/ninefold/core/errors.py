"""The errors that a caller can expect. Every message is a sentence that a player understands."""

from __future__ import annotations


class NinefoldError(ValueError):
    """The base of all these errors. `str()` is a sentence for a player."""


class SetupError(NinefoldError):
    """The game is unknown, or cannot be set up with these settings."""


class MalformedMove(NinefoldError):
    """The text is not a move of this game at all."""


class IllegalMove(NinefoldError):
    """A move of this game, but a rule forbids it here."""


class NotYourTurn(NinefoldError):
    """This seat has nothing to choose now."""


class GameOver(NinefoldError):
    """The game has ended; nobody moves anymore."""


def quote(text: str, limit: int = 40) -> str:
    """Untrusted text made safe for a sentence: in quotes, printable, and cut after `limit` characters."""
    shown = "".join(c if c.isprintable() else "?" for c in text.strip())
    return f'"{shown}"' if len(shown) <= limit else f'"{shown[:limit]}..."'
