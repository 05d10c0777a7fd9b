"""Who sits where: names, sides, and what a rematch keeps. Shared by the terminal and the server."""

from __future__ import annotations

from random import Random
from typing import Any

from ninefold.core.cast import COMPUTER
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.match.match import Match
from ninefold.match.record import Player, Series, clean_name
from ninefold.players import PERSON

NAMES = ("Player 1", "Player 2")
SIDES = ("1", "2", "random")  # who starts


def fill_names(given: tuple[str | None, str | None], kinds: tuple[str, str]) -> tuple[str, str]:
    """The names of two players of these kinds, with defaults for names not given.

    Raises NinefoldError for a name that cannot be shown, and for two equal ones.
    """
    one_computer = PERSON in kinds
    defaults = [
        NAMES[k] if kind == PERSON else COMPUTER if one_computer else f"{COMPUTER} {k + 1}"
        for k, kind in enumerate(kinds)
    ]
    first, second = (
        clean_name(name) if name else default for name, default in zip(given, defaults, strict=True)
    )
    if first == second:
        raise NinefoldError("The two players need different names.")
    return first, second


def read_name(typed: str, taken: str | None) -> str:
    """The name as it is shown. Raises NinefoldError if it cannot be shown, or if the other has it."""
    name = clean_name(typed)
    if name == taken:
        raise NinefoldError(f"{name} is already at this table. Choose another name.")
    return name


def clean_own_name(typed: str) -> str:
    """The name that a person wants to use from now on; empty for none. Raises NinefoldError."""
    name = clean_name(typed) if typed else ""
    if name in (COMPUTER, *NAMES):
        raise NinefoldError(f"{name} is taken. Choose another name.")
    return name


def choose_side(game: Game, first: str, rng: Random) -> Seat:
    """The seat of Player 1, where `first`, one of SIDES, says who starts."""
    if first == "random":
        return rng.choice((Seat.FIRST, Seat.SECOND))
    starter = game.starter or Seat.FIRST
    return starter if first == "1" else starter.other


def refuse_coach(kinds: tuple[str, str]) -> None:
    """Refuse a coach unless one person plays a computer. Raises NinefoldError."""
    if kinds.count(PERSON) != 1:
        raise NinefoldError("A coach is for one person who plays the computer.")


def swap_sides(match: Match) -> tuple[Player, Player]:
    """The same players for the next match: whoever did not start the last one starts."""
    first, second = (Player(one.name, one.seat.other, one.kind) for one in match.players)
    return first, second


def winner_of(match: Match) -> int | None:
    """Which player won a match that is over: Player 1 (0), Player 2 (1), or nobody."""
    if match.outcome is None:
        return None
    return int(match.outcome.winner is not match.players[0].seat)


def next_match(match: Match, start: State[Any], series: Series | None = None) -> Match:
    """A new match with the sides swapped, from this position."""
    return Match(
        start,
        swap_sides(match),
        series=series,
        hints=match.hints,
        coach=match.coach,
        clock=match.clock,
        limit=match.limit,
        hosted=match.hosted,
    )


def lasting_settings(match: Match) -> dict[str, int | str]:
    """The settings of a match that were not drawn for that game alone."""
    drawn = {option.name for option in match.game.options if option.draw is not None}
    return {name: value for name, value in match.state.setup.items() if name not in drawn}


def only_person(match: Match) -> Seat | None:
    """The seat of the only person in a match; None if two people play, or none."""
    people = [player.seat for player in match.players if player.kind == PERSON]
    return people[0] if len(people) == 1 else None
