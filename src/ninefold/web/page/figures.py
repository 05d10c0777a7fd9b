"""What is known exactly about every game: worked out once a process, and put into words."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ninefold.analysis.advice import percent
from ninefold.analysis.evaluation import Result
from ninefold.analysis.solve import Setup, Solved, solve
from ninefold.core.game import Game
from ninefold.core.seat import SEATS, Seat
from ninefold.games import every_game

log = logging.getLogger("ninefold.web")

HALF = Fraction(1, 2)


class Figures:
    """What the solver has found so far, by game; a game is there when all its setups are."""

    def __init__(self) -> None:
        self.found: Mapping[str, tuple[Solved, ...]] = {}
        self.complete = False
        self._begun = False

    def begin(self) -> None:
        """Start working it out, beside everything else. Called again, it does nothing.

        For one thread only, the one that has the event loop. The work is in a daemon, so a server
        that is told to stop does not wait for it.
        """
        if not self._begun:
            self._begun = True
            threading.Thread(target=self._work, name="figures", daemon=True).start()

    def _work(self) -> None:
        try:
            for game in every_game():
                self.found = {**self.found, game.slug: tuple(solve(game, {}))}
        except Exception:
            log.exception("could not solve every game")
        self.complete = True


@dataclass(frozen=True, slots=True)
class Row:
    """A game in one setup, or over all of them, as a table shows it."""

    name: str
    setup: Setup | None  # None for many at once
    result: str
    moves: int | None  # None where it is not always the same
    openings: tuple[str, ...]  # the best first moves, if `openings_text` is empty
    openings_text: str
    positions: int


@dataclass(frozen=True, slots=True)
class Known:
    """A game with what is known about it: nothing yet, if there are no rows."""

    game: Game
    meaning: str
    rows: tuple[Row, ...]


def known(game: Game, found: Sequence[Solved]) -> Known:
    return Known(game, meaning(found) if found else "", tuple(row(solved) for solved in found))


# In a table


def row(solved: Solved) -> Row:
    option = _option(solved.game) if solved.grids > 1 else ""
    return Row(
        name=f"all {solved.grids:,} {option}s" if option else solved.settings or "the start",
        setup=None if option else solved.setup,
        result=solved.result,
        moves=solved.plies,
        openings=solved.openings,
        openings_text=f"depends on the {option}" if option else "any" if solved.any_opening else "",
        positions=solved.positions,
    )


def _option(game: Game) -> str:
    """The one thing that is settled before this game."""
    return game.options[0].name


def _chance(solved: Solved) -> Fraction:
    """Of the first player to win; over all grids, the part of them that the first player wins."""
    if solved.value is None:
        return solved.first_share
    return HALF if solved.value.first_wins is None else solved.value.first_wins


# In words


def meaning(found: Sequence[Solved]) -> str:
    """What all the setups of a game come to for who plays it, in a few sentences."""
    said = (_prospect(found), _length(found), _openings(found), _choice(found))
    return " ".join(sentence for sentence in said if sentence)


def _prospect(found: Sequence[Solved]) -> str:
    """Who wins."""
    results = {None if solved.value is None else solved.value.result for solved in found}
    if results == {None}:
        return " ".join(_by_grid(solved) for solved in found)
    if results == {Result.MIXED}:
        return _by_chance(found)
    if len(results) > 1:
        return "Who wins depends on the setup: " + "; ".join(_in_setup(solved) for solved in found) + "."
    if results == {Result.ENDLESS}:
        return "Neither player can force a win: with best play the game goes on for ever."
    winner = SEATS[results == {Result.SECOND}]
    margins = {abs(solved.value.margin) for solved in found if solved.value and solved.value.margin}
    by = f" by at least {min(margins)}" if margins else ""
    return f"Whoever moves {winner} can always win{by}{_whatever(found)}."


def _by_grid(solved: Solved) -> str:
    option = _option(solved.game)
    text = (
        f"Who can win depends on the {option}: whoever moves first on {solved.first:,} of "
        f"{solved.grids:,} ({percent(solved.first_share)}), whoever moves second on the others."
    )
    if solved.margins:
        low, high = min(solved.margins), max(solved.margins)
        text += f" With best play the first player's lead at the end is between {low} and {high}."
    return text


def _by_chance(found: Sequence[Solved]) -> str:
    chances = [_chance(solved) for solved in found]
    low, high = percent(min(chances)), percent(max(chances))
    often = low if low == high else f"{low} to {high}"
    depending = "" if low == high else f", depending on the {_option(found[0].game)}"
    return (
        "Nobody can be sure to win: perfect play draws lots where choices are secret. "
        f"With it whoever moves first wins {often} of the time{depending}."
    )


def _in_setup(solved: Solved) -> str:
    shown = row(solved)
    return f"{shown.name}, {shown.result}"


def _whatever(found: Sequence[Solved]) -> str:
    several = len(found) > 1 or found[0].grids > 1
    return f", whatever the {_option(found[0].game)}" if several else ""


def _length(found: Sequence[Solved]) -> str:
    plies = {None if solved.value is None else solved.value.plies for solved in found}
    if len(plies) > 1 or plies == {None}:
        return ""
    return f"If the winner hurries and the loser delays, it takes {plies.pop()} moves."


def _openings(found: Sequence[Solved]) -> str:
    if any(solved.grids > 1 for solved in found):
        return ""
    if all(solved.any_opening for solved in found):
        return "No first move is better than another."
    if len(found) > 1:
        return "Which first moves are best depends on the setup."
    (solved,) = found
    choices = len(solved.game.set_up(solved.setup).moves())
    return f"Of {choices} first moves {len(solved.openings)} are best."


def _choice(found: Sequence[Solved]) -> str:
    """Which seat to choose."""
    favoured = {_favoured(solved) for solved in found}
    if len(favoured) > 1 or favoured == {None}:
        return ""
    return f"If you may choose, move {favoured.pop()}."


def _favoured(solved: Solved) -> Seat | None:
    chance = _chance(solved)
    return None if chance == HALF else SEATS[chance < HALF]
