"""What can go wrong with a request, each with a sentence that a player understands."""

from __future__ import annotations


class NinefoldError(ValueError):
    """The one type to catch. `str()` is a sentence for a player."""


class SetupError(NinefoldError):
    """A game cannot be set up like this."""


class MalformedMove(NinefoldError):
    """The text is not a move of this game at all."""


class IllegalMove(NinefoldError):
    """A move of this game, but a rule forbids it here."""


class NotYourTurn(NinefoldError):
    """This seat has nothing to choose now."""


class GameOver(NinefoldError):
    """The game has ended; nobody moves any more."""


def quoted(text: str, limit: int = 40) -> str:
    """Untrusted text, made safe for a sentence: in quotes, one line, no control characters, not long."""
    shown = "".join(c if c.isprintable() else "?" for c in text.strip())
    return f'"{shown}"' if len(shown) <= limit else f'"{shown[:limit]}..."'
