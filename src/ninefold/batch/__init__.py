"""Many games of one kind at once, in flat arrays.

>>> from ninefold.batch import Batch, playouts
>>> games = Batch("shadow", 1000, target=15)
>>> games.reset(seed=1)
>>> len(games.sample())                            # a legal move for each game
1000
>>> games.step(games.sample())
>>> games.movers[:4].tolist(), games.dones[:2].tolist()
([1, 1, 1, 1], [False, False])
>>> result = playouts("shadow", 1000, seed=1, target=15)
>>> result.wins
(96, 904)

The arrays are NumPy's where it is installed, else memoryviews. The C kernel does the work, on several
threads if asked. Without it, the rules do the same more slowly. A game depends only on the seed and on
its own number, not on the kernel or the number of threads.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from ninefold.batch import encoding
from ninefold.batch.plain import CUT_OFF, NO_ACTION, NOBODY, ON, WON, PlainGames
from ninefold.core.errors import SetupError, quote
from ninefold.core.outcome import LIMIT
from ninefold.core.seat import SEATS
from ninefold.core.state import State
from ninefold.games import load
from ninefold.players import policy_of

if TYPE_CHECKING:
    from ninefold.batch.fast import FastGames

__all__ = [
    "CUT_OFF",
    "LIMIT",
    "NOBODY",
    "NO_ACTION",
    "ON",
    "WON",
    "Batch",
    "Playouts",
    "kernel",
    "playouts",
]


def kernel() -> str:
    """Which implementation does the work: `C kernel` or `pure Python`."""
    if os.environ.get("NINEFOLD_KERNEL") == "python":
        return "pure Python"
    try:
        import ninefold.batch.fast  # noqa: F401
    except ImportError:
        return "pure Python"
    return "C kernel"


def _make_games(
    slug: str, count: int, limit: int, threads: int, plain: bool, fixed: dict[str, int | str]
) -> PlainGames | FastGames:
    """The games; `fixed` are the settings that all of them share."""
    game = load(slug)
    if count < 1:
        raise SetupError(f"{count} games: there must be at least one.")
    if not plain and kernel() == "C kernel":
        from ninefold.batch.fast import KINDS, FastGames

        if game.slug in KINDS:
            return FastGames(game, count, limit, fixed, threads)
    return PlainGames(game, count, limit, fixed)


def _fix_settings(slug: str, setup: dict[str, int | str]) -> dict[str, int | str]:
    """The settings that are given, or have a default. Raises SetupError."""
    game = load(slug)
    settled = game.set_up(setup, Random(0)).setup
    return {o.name: settled[o.name] for o in game.options if o.name in setup or o.default is not None}


class Batch:
    """Games of one kind side by side. Settings that are not given are drawn for each game.

    `movers` has the seat that has to choose (in a challenge the challenger, then the defender), `status`
    ON, WON or CUT_OFF (after `limit` moves, or because nobody can win anymore), `winners` the seat or
    NOBODY. A game that is over begins again at the next step, whatever the action, unless `again` is
    False. A batch can be copied and pickled at any time, and the copy plays the same games.

    All arrays are NumPy's where it is installed, else memoryviews, and are written in place.
    """

    def __init__(
        self,
        slug: str,
        count: int,
        *,
        limit: int = LIMIT,
        threads: int = 1,
        again: bool = True,
        plain: bool = False,
        **setup: int | str,
    ) -> None:
        self._make(slug, count, limit, threads, again, plain, _fix_settings(slug, setup))

    @classmethod
    def of(
        cls,
        states: Sequence[State[Any]],
        *,
        limit: int = LIMIT,
        threads: int = 1,
        plain: bool = False,
        seed: int = 0,
    ) -> Batch:
        """A batch of these positions of one game, whatever their settings.

        They are played on from there, and a game that is over stays as it is. The limit counts the moves
        that led to a position, too: in a game that can go in circles, the least number that could have.
        """
        slugs = {state.game.slug for state in states}
        if len(slugs) != 1:
            raise SetupError("A batch needs positions of one game.")
        shared = dict(states[0].setup)
        for state in states:
            shared = {name: value for name, value in shared.items() if state.setup[name] == value}
        batch = cls.__new__(cls)
        batch._make(slugs.pop(), len(states), limit, threads, False, plain, shared)
        batch._games.set_states(states, seed, *batch._reports)
        return batch

    def state(self, number: int) -> State[Any]:
        """The position of a game, which may have a pending secret."""
        if not 0 <= number < self.count:
            raise IndexError(f"There are {self.count} games: {number} is not one of them.")
        return self._games.state(number)

    def _make(
        self,
        slug: str,
        count: int,
        limit: int,
        threads: int,
        again: bool,
        plain: bool,
        fixed: dict[str, int | str],
    ) -> None:
        self._arguments = slug, count, limit, threads, again, plain, fixed
        self._games = _make_games(slug, count, limit, threads, plain, fixed)
        self.game = load(slug)
        self.count = count
        self.again = again
        self._reports: list[Any] = [memoryview(bytearray(count)) for _ in range(3)]
        self._reports[0], self._reports[2] = (self._reports[k].cast("b") for k in (0, 2))
        self.movers, self.status, self.winners = map(_array, self._reports)
        width, moves = encoding.width(self.game), len(self.game.moves)
        self._observations = memoryview(bytearray(count * width)).cast("b")
        self._masks = memoryview(bytearray(count * moves))
        self.observations = _array(self._observations, count, width)
        self.masks = _array(self._masks, count, moves)

    def reset(self, seed: int | Sequence[int] = 0) -> None:
        """Begin all games, from one seed or one per game. Equal seeds begin equal games."""
        if not isinstance(seed, int) and len(seed) != self.count:
            raise ValueError(f"There are {self.count} games: one seed, or a seed for each.")
        self._games.reset(seed if isinstance(seed, int) else [int(one) for one in seed], *self._reports)

    def step(self, actions: Any) -> None:
        """Make a move in each game. NO_ACTION leaves a game as it is; an illegal move loses it."""
        self._games.step(self.again, _to_integers("i", actions, self.count, "an action"), *self._reports)

    def look(self, seats: Any = None) -> None:
        """Fill `observations` and `masks` as these seats see the games, by default the movers.

        Raises ValueError if there are not as many as games, or one is neither 0 nor 1.
        """
        seen = self._reports[0] if seats is None else _to_integers("b", seats, self.count, "a seat")
        self._games.look(seen, self._observations, self._masks)

    def sample(self) -> Any:
        """A legal move for each game, all equally likely; 0 where the game is over."""
        actions = memoryview(bytearray(4 * self.count)).cast("i")
        self._games.sample(actions)
        return _array(actions)

    def values(self) -> Any:
        """The exact chance to win of each move in each game, for the seat that has to choose.

        As doubles; NaN if the move is illegal or the game is over, and one half if the game is endless.
        The values are those of `evaluate`, from the same tables, which the first call makes.
        """
        return self._by_move(self._games.values)

    def regrets(self) -> Any:
        """How much of its chance to win the seat that has to choose gives away with each move.

        As doubles, in the same shape as `values`; NaN if the move is illegal or the game is over.
        """
        return self._by_move(self._games.regrets)

    def _by_move(self, fill: Callable[[memoryview], None]) -> Any:
        moves = len(self.game.moves)
        found: Any = memoryview(bytearray(8 * self.count * moves)).cast("d")
        fill(found)
        return _array(found, self.count, moves)

    def policies(self, name: str) -> Any:
        """The probability of each move of each game if this player chose now; 0 in a game that is over.

        The player is any of ours: random, greedy, level, sight or perfect. The probabilities are those
        of ninefold.players.policy_of, as doubles: they differ by less than 1e-12.
        """
        policy = policy_of(name)
        if policy is None:
            raise SetupError(f"{quote(name)} has no policy: name a computer player.")
        return self._by_move(lambda found: self._games.policies(policy, found))

    def planes(self, seats: Any = None) -> Any:
        """What these seats see, as one-hot planes: 1 where an entry of the observation has that value.

        Indexed by game, value (from the smallest to the largest of `game.bounds`) and entry. Entries that
        are cells can be shaped like the board: `planes[:, :, 2:11].reshape(-1, values, 3, 3)`.
        """
        self.look(seats)
        found = encoding.planes(self.game, bytes(self._observations))
        return _array(memoryview(found), self.count, *encoding.plane_shape(self.game))

    @property
    def rewards(self) -> Any:
        """By game and seat: 1 for the winner of a finished game, -1 for the loser, else 0."""
        winners = bytes(self._reports[2])
        found = bytearray(2 * self.count)
        for seat in SEATS:
            found[seat::2] = winners.translate(REWARDS[seat])
        return _array(memoryview(found).cast("b"), self.count, 2)

    @property
    def dones(self) -> Any:
        """Whether each game is over: won or cut off."""
        return _array(memoryview(bytes(self._reports[1]).translate(OVER)).cast("?"))

    def get_state(self) -> Any:
        """All games as they are now, for `set_state` of a batch made in the same way; can be pickled."""
        return self._games.get_state(), tuple(map(bytes, self._reports))

    def set_state(self, state: Any) -> None:
        """Go back to a state that `get_state` returned. It does not include observations and masks."""
        games, reports = state
        if [len(flat) for flat in reports] != [self.count] * 3:
            raise ValueError(f"This is not a state of {self.count} games.")
        self._games.set_state(games)
        for flat, kept in zip(self._reports, reports, strict=True):
            flat.cast("B")[:] = kept

    def clone(self) -> Batch:
        """An independent copy, which plays the same games."""
        return _rebuild(self._arguments, self.get_state())

    def __copy__(self) -> Batch:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Batch:
        return self.clone()

    def __reduce__(self) -> Any:
        return _rebuild, (self._arguments, self.get_state())


OVER = bytes([status != ON for status in range(256)])
# REWARDS[seat][winner]: what the seat gets. Both are bytes: -1 is 255, so NOBODY is the last winner.
REWARDS = tuple(bytes([255 if seat else 1, 1 if seat else 255]).ljust(256, b"\0") for seat in SEATS)


def _rebuild(arguments: tuple[Any, ...], state: Any) -> Batch:
    batch = Batch.__new__(Batch)
    batch._make(*arguments)
    batch.set_state(state)
    return batch


def _array(flat: Any, *shape: int) -> Any:
    """A NumPy array over these bytes, or a memoryview, of that shape."""
    shaped = flat.cast("B").cast(flat.format, shape) if shape else flat
    try:
        import numpy as np
    except ImportError:
        return shaped
    return np.asarray(shaped)


def _to_integers(kind: str, given: Any, count: int, what: str) -> memoryview:
    """The given integers, one for each game, in that array format; copied only if they have another."""
    try:
        view = memoryview(given)
    except TypeError:
        view = memoryview(array("q", given))
    if view.shape != (count,):
        raise ValueError(f"There are {count} games: {what} is needed for each.")
    if view.format == kind and view.c_contiguous:
        return view
    try:
        return memoryview(array(kind, view.tolist()))
    except OverflowError:
        raise ValueError(f"{what.capitalize()} is too large.") from None


@dataclass(frozen=True, slots=True)
class Playouts:
    """How random games ended: the winner of each (or NOBODY) and how many moves were made."""

    winners: Any
    lengths: Any

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
    limit: int = LIMIT,
    threads: int = 1,
    plain: bool = False,
    **setup: int | str,
) -> Playouts:
    """Play random games from start to end, with every legal move equally likely."""
    games = _make_games(slug, count, limit, threads, plain, _fix_settings(slug, setup))
    winners, lengths = memoryview(bytearray(count)).cast("b"), memoryview(bytearray(2 * count)).cast("H")
    games.playouts(seed, winners, lengths)
    return Playouts(_array(winners), _array(lengths))
