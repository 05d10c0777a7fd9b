"""Many games of one kind at once, in flat arrays.

>>> from ninefold.batch import Batch, playouts
>>> games = Batch("shadow", 1000, target=15)
>>> games.reset(seed=1)
>>> len(games.sample())                            # a legal move for each game
1000
>>> games.step(games.sample())
>>> list(games.movers[:4]), sum(games.status)
([1, 1, 1, 1], 0)
>>> result = playouts("shadow", 1000, seed=1, target=15)
>>> result.wins
(96, 904)

The arrays are memoryviews of plain bytes; `numpy.asarray` takes them as they are, without a copy. The C
kernel does the work, on several threads if asked. Without it the rules do, with the same results.
Neither the number of threads nor the kernel changes a game: it hangs on the seed and its own number.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from ninefold.batch import layout
from ninefold.batch.plain import CUT_OFF, NO_ACTION, NOBODY, ON, WON, PlainGames
from ninefold.core.errors import SetupError
from ninefold.core.outcome import LIMIT
from ninefold.games import load

if TYPE_CHECKING:
    from ninefold.batch.fast import FastGames

__all__ = [
    "CUT_OFF",
    "NOBODY",
    "NO_ACTION",
    "ON",
    "TURNS",
    "WON",
    "Batch",
    "Playouts",
    "kernel",
    "playouts",
]

TURNS = LIMIT  # moves after which a game is cut off, without a winner


def kernel() -> str:
    """Which twin does the work: `C kernel` or `pure Python`."""
    if os.environ.get("NINEFOLD_KERNEL") == "python":
        return "pure Python"
    try:
        import ninefold.batch.fast  # noqa: F401
    except ImportError:
        return "pure Python"
    return "C kernel"


def _games(
    slug: str, count: int, turns: int, threads: int, plain: bool, setup: dict[str, int | str]
) -> PlainGames | FastGames:
    game = load(slug)
    if count < 1:
        raise SetupError(f"{count} games: there must be at least one.")
    settled = game.set_up(setup, Random(0)).setup
    fixed = [o.name for o in game.options if o.name in setup or o.default is not None]
    given = {name: settled[name] for name in fixed}
    if not plain and kernel() == "C kernel":
        from ninefold.batch.fast import KINDS, FastGames

        if game.slug in KINDS:
            return FastGames(game, count, turns, given, threads)
    return PlainGames(game, count, turns, given)


class Batch:
    """Games of one kind side by side. Settings that are not given are drawn for each game.

    `movers` is the seat that has to choose (in a challenge the challenger, then the defender), `status`
    is ON, WON or CUT_OFF (after so many turns, or because nobody can win any more), `winners` the seat
    or NOBODY. A game that is over begins anew at the next
    step, whatever the action, unless `again` is False.
    """

    def __init__(
        self,
        slug: str,
        count: int,
        *,
        turns: int = TURNS,
        threads: int = 1,
        again: bool = True,
        plain: bool = False,
        **setup: int | str,
    ) -> None:
        self._games = _games(slug, count, turns, threads, plain, setup)
        self.game = load(slug)
        self.count = count
        self.again = again
        self.movers = memoryview(bytearray(count)).cast("b")
        self.status = memoryview(bytearray(count))
        self.winners = memoryview(bytearray(count)).cast("b")
        width, moves = layout.width(self.game), len(self.game.moves)
        self._observations = memoryview(bytearray(count * width)).cast("b")
        self._masks = memoryview(bytearray(count * moves))
        self.observations = self._observations.cast("B").cast("b", (count, width))
        self.masks = self._masks.cast("B", (count, moves))

    def reset(self, seed: int = 0) -> None:
        """Begin all games."""
        self._games.reset(seed, self.movers, self.status, self.winners)

    def step(self, actions: Sequence[int] | memoryview) -> None:
        """Make a move in each game. NO_ACTION leaves a game as it is; an illegal move loses it."""
        self._games.step(self.again, _words(actions, self.count), self.movers, self.status, self.winners)

    def look(self, seats: memoryview | None = None) -> None:
        """Fill `observations` and `masks` as these seats see the games, by default the movers."""
        self._games.look(self.movers if seats is None else seats, self._observations, self._masks)

    def sample(self) -> memoryview:
        """A legal move for each game, all equally likely; 0 where the game is over."""
        actions = memoryview(bytearray(4 * self.count)).cast("i")
        self._games.sample(actions)
        return actions


def _words(actions: Sequence[int] | memoryview, count: int) -> memoryview:
    """Actions as 32-bit words, as they are if they are that already."""
    try:
        view = memoryview(actions)  # type: ignore[arg-type]
    except TypeError:
        view = memoryview(array("i", actions))
    if view.format != "i" or not view.c_contiguous:
        view = memoryview(array("i", view.tolist()))
    if view.shape != (count,):
        raise ValueError(f"There are {count} games: an action is needed for each.")
    return view


@dataclass(frozen=True, slots=True)
class Playouts:
    """How random games ended: the winner of each (or NOBODY) and how many moves were made."""

    winners: memoryview
    lengths: memoryview

    @property
    def wins(self) -> tuple[int, int]:
        """By seat."""
        ended = bytes(self.winners)
        return ended.count(0), ended.count(1)


def playouts(
    slug: str,
    count: int,
    *,
    seed: int = 0,
    turns: int = TURNS,
    threads: int = 1,
    plain: bool = False,
    **setup: int | str,
) -> Playouts:
    """Play random games from their beginning to their end, every legal move equally likely."""
    found = Playouts(memoryview(bytearray(count)).cast("b"), memoryview(bytearray(2 * count)).cast("H"))
    _games(slug, count, turns, threads, plain, setup).playouts(seed, found.winners, found.lengths)
    return found
