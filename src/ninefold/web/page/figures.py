"""What is known exactly about every game, worked out once per process."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ninefold.analysis.solve import Setup, Solved, solve
from ninefold.core.errors import SetupError
from ninefold.core.game import Game
from ninefold.games import every_game
from ninefold.show.moves import say_move
from ninefold.show.solutions import best_openings, meaning, openings_text, result, setup_name

log = logging.getLogger("ninefold.web")


class Figures:
    """What the solver has found so far, by game: all its setups, or nothing where it cannot find them."""

    def __init__(self) -> None:
        self.found: Mapping[str, tuple[Solved, ...]] = {}
        self.complete = False
        self._begun = False

    def begin(self) -> None:
        """Start working it out, beside everything else. Called again, it does nothing.

        Call it from one thread only, the event loop's. The work is in a daemon thread, so a server that
        is told to stop does not wait for it.
        """
        if not self._begun:
            self._begun = True
            threading.Thread(target=self._work, name="figures", daemon=True).start()

    def _work(self) -> None:
        for game in every_game():
            try:
                self.found = {**self.found, game.slug: tuple(solve(game, {}))}
                continue
            except SetupError:
                log.info("%s has too many setups to solve them all", game.slug)
            except Exception:
                log.exception("could not solve %s", game.slug)
            self.found = {**self.found, game.slug: ()}
        self.complete = True


@dataclass(frozen=True, slots=True)
class Row:
    """A game in one setup, or in all of them, as a table shows it."""

    name: str
    setup: Setup | None  # None for many at once
    result: str
    moves: int | None  # None where it is not always the same
    openings: tuple[str, ...]  # the best first moves in words, if `openings_text` is empty
    openings_text: str
    positions: int


@dataclass(frozen=True, slots=True)
class Known:
    """A game with what is known about it. Without rows, either it is being worked out or cannot be."""

    game: Game
    meaning: str
    rows: tuple[Row, ...]
    pending: bool


def known(game: Game, found: Sequence[Solved] | None) -> Known:
    """`found` is None while it is being worked out, and empty where it could not be."""
    rows = tuple(row(solved) for solved in found or ())
    return Known(game, meaning(found) if found else "", rows, found is None)


def row(solved: Solved) -> Row:
    many = solved.survey is not None
    openings = best_openings(solved)
    start = solved.game.set_up(solved.setup) if openings else None
    return Row(
        name=setup_name(solved) or "the start",
        setup=None if many else solved.setup,
        result=result(solved),
        moves=solved.plies,
        openings=tuple(say_move(start, move) for move in openings) if start else (),
        openings_text=openings_text(solved),
        positions=solved.positions,
    )
