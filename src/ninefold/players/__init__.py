"""What can sit in a seat besides a person.

A player is given the position as everybody knows it, before any choice that is still secret, so no
player can peek. Ninefold's own players choose by a policy: the exact probability of every move they may
make. A program has no policy.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from ninefold.core.errors import NinefoldError, quote
from ninefold.core.seat import Seat
from ninefold.core.state import State

if TYPE_CHECKING:  # policies need the solver, which is loaded only to seat a computer
    from ninefold.players.policy import Policy

__all__ = [
    "LEVELS",
    "PERSON",
    "Chooser",
    "PlayerFailed",
    "agrees_to_stop",
    "kind",
    "policy_of",
    "seat_player",
]

PERSON = "person"
LEVELS = range(1, 10)
COMMAND_LIMIT = 4000  # characters of a program's command
ALLOWED = "person, random, greedy, level:1 to level:9, sight:1 to sight:9, perfect or program:COMMAND"


class Chooser(Protocol):
    def choose(self, state: State[Any], seat: Seat) -> Any:
        """A legal move for a seat that has to choose. Raises PlayerFailed."""

    def close(self) -> None:
        """Release the player's resources. It will not be asked again."""


class PlayerFailed(NinefoldError):
    """The player cannot go on, and loses; the message says why."""


def kind(text: str) -> str:
    """The kind of a player in its canonical spelling: `person`, `level:4`. Raises NinefoldError."""
    name, _, rest = text.strip().partition(":")
    name, rest = name.lower(), rest.strip()
    match name:
        case "person" | "random" | "greedy" | "perfect" if not rest:
            return name
        case "level" | "sight" if rest in map(str, LEVELS):
            return f"{name}:{rest}"
        case "program" if rest:
            return f"program:{_check_command(rest)}"
    raise NinefoldError(f"{quote(text)} is not a player. Choose {ALLOWED}.")


def _check_command(text: str) -> str:
    """Return the command if a record can hold it. Raises NinefoldError."""
    if len(text) > COMMAND_LIMIT:
        raise NinefoldError(f"A program's command can have at most {COMMAND_LIMIT:,} characters.")
    if not all(c.isprintable() or c in "\t\n" for c in text):
        raise NinefoldError(
            f"The command {quote(text)} contains unprintable characters. "
            "Only tabs and line breaks are allowed."
        )
    return text


def seat_player(text: str, rng: Random) -> Chooser | None:
    """The player of this kind, drawing its moves from `rng`; None for a person."""
    name, _, rest = kind(text).partition(":")
    if name == "program":
        from ninefold.players.program import ProgramPlayer

        return ProgramPlayer(rest)
    policy = policy_of(text)
    if policy is None:
        return None
    from ninefold.players.policy import PolicyPlayer
    from ninefold.players.simple import RandomPlayer

    return (RandomPlayer if name == "random" else PolicyPlayer)(policy, rng)


def agrees_to_stop(state: State[Any]) -> bool:
    """Whether a computer agrees to stop here: when neither side can force a win, as far as is known."""
    from ninefold.analysis import NoValues, Result, evaluate

    try:
        return evaluate(state).value.result is Result.ENDLESS
    except NoValues:
        return True


def policy_of(text: str) -> Policy | None:
    """The policy of this kind of player; None for a person or a program, which have none."""
    from ninefold.players import exact, sight, simple

    name, _, rest = kind(text).partition(":")
    match name:
        case "random":
            return simple.random_policy
        case "greedy":
            return simple.greedy_policy
        case "level":
            return exact.LEVEL_POLICIES[int(rest)]
        case "sight":
            return sight.SightPolicy(int(rest))
        case "perfect":
            return exact.perfect_policy
    return None
