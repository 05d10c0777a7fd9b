"""What can sit in a seat besides a person.

A player is given the position as everybody knows it, before any choice that is still secret, so no
player can peek. Ninefold's own players choose by a policy: the exact probability of every move they may
make. A program has no policy.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
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
    "Failure",
    "PlayerFailed",
    "agrees_to_stop",
    "kind",
    "policy_of",
    "seat_player",
]

PERSON = "person"
LEVELS = range(1, 10)
SECONDS = 10.0  # that a program has for a move, unless its name says otherwise: program@30:COMMAND
CHAT_SECONDS = 60.0  # that a language model has, unless its name says otherwise: chat@120:MODEL
PROGRAM = re.compile(r"(program|chat)(?:@(\d{1,5}(?:\.\d{1,3})?))?")
COMMAND_LIMIT = 4000  # characters of a program's command
ALLOWED = (
    "person, random, greedy, level:1 to level:9, sight:1 to sight:9, perfect, program:COMMAND, "
    "chat:MODEL, or program@SECONDS:COMMAND and chat@SECONDS:MODEL to set the time for a move"
)

# What the seat may know of the match so far, as the data of a record. Only programs ask for it.
SeenRecord = Callable[[], Mapping[str, Any]]


class Chooser(Protocol):
    def choose(self, state: State[Any], seat: Seat, record: SeenRecord | None = None) -> Any:
        """A legal move for a seat that has to choose. Raises PlayerFailed."""

    def close(self) -> None:
        """Release the player's resources. It will not be asked again."""


class Failure(StrEnum):
    """How a player failed. Each of them loses the game."""

    ILLEGAL = "illegal"  # a move, but not a legal one here
    UNREADABLE = "unreadable"  # no move at all
    UNANSWERED = "unanswered"  # an empty answer, or a refusal to answer
    LATE = "late"  # no answer in time
    CRASHED = "crashed"  # it raised an exception, stopped or never started
    RESIGNED = "resigned"


class PlayerFailed(NinefoldError):
    """The player cannot go on, and loses; the message says why, `failure` in one word."""

    def __init__(self, message: str, failure: Failure) -> None:
        super().__init__(message)
        self.failure = failure


def kind(text: str) -> str:
    """The kind of a player in its canonical spelling: `person`, `level:4`. Raises NinefoldError."""
    name, _, rest = text.strip().partition(":")
    name, rest = name.lower(), rest.strip()
    match name:
        case "person" | "random" | "greedy" | "perfect" if not rest:
            return name
        case "level" | "sight" if rest in map(str, LEVELS):
            return f"{name}:{rest}"
        case _ if rest and _program_seconds(name):
            return f"{name}:{_check_command(rest)}"
    raise NinefoldError(f"{quote(text)} is not a player. Choose {ALLOWED}.")


def _program_seconds(name: str) -> float:
    """The seconds that `program`, `program@30` or `chat` has for a move; 0 if this names no program."""
    found = PROGRAM.fullmatch(name)
    return float(found[2] or (SECONDS if found[1] == "program" else CHAT_SECONDS)) if found else 0.0


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
    if seconds := _program_seconds(name):
        from ninefold.players.program import ProgramPlayer, chat_command

        return ProgramPlayer(chat_command(rest) if name.startswith("chat") else rest, seconds)
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
    """The policy of this kind of player; None for a person, a program or a model, which have none."""
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
