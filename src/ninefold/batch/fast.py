"""Many games at once in C, split over threads: what plain.py does, faster."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

from ninefold.batch import _batch
from ninefold.batch.tables import make_tables
from ninefold.core.errors import SetupError
from ninefold.core.game import Game
from ninefold.players.exact import LevelPolicy, perfect_policy
from ninefold.players.policy import Policy

KINDS = ("shadow", "battle", "pattern", "conquest", "cross")  # in the order of _batch.c
SETUP = 9  # bytes: the target, the digits of the grid or the size; 0 where it is drawn
GAMES_PER_THREAD = 256  # fewer are not worth a thread
NO_MISTAKES = LevelPolicy(Fraction(0), Fraction(0), 0)


class FastGames:
    """Games of one kind, each a row of bytes."""

    def __init__(
        self, game: Game, count: int, limit: int, setup: dict[str, int | str], threads: int = 1
    ) -> None:
        self.game = game
        self.settings = setup
        self.kind = KINDS.index(game.slug)
        self.count = count
        self.limit = min(limit, 0xFFFF)
        values = [int(digit) for value in setup.values() for digit in _digits(value)]
        self.setup = bytes(values + [0] * (SETUP - len(values)))
        self.threads = threads
        self.rows = bytearray(count * _batch.ROW)
        self._tables: tuple[Any, ...] | None = None

    def reset(
        self, seed: int | Sequence[int], movers: memoryview, status: memoryview, winners: memoryview
    ) -> None:
        def begin(start: int, stop: int, seed: int, shift: int) -> None:
            _batch.reset(
                self.kind,
                start,
                stop,
                self.limit,
                seed & (1 << 64) - 1,
                shift,
                self.setup,
                self.rows,
                movers,
                status,
                winners,
            )

        if isinstance(seed, int):
            self._run(lambda start, stop: begin(start, stop, seed, 0))
        else:
            for at, one in enumerate(seed):
                begin(at, at + 1, one, at)

    def step(
        self,
        again: bool,
        actions: memoryview,
        movers: memoryview,
        status: memoryview,
        winners: memoryview,
    ) -> None:
        self._run(
            lambda start, stop: _batch.step(
                self.kind,
                start,
                stop,
                self.limit,
                again,
                self.setup,
                self.rows,
                actions,
                movers,
                status,
                winners,
            )
        )

    def look(self, seats: memoryview, observations: memoryview, masks: memoryview) -> None:
        self._run(
            lambda start, stop: _batch.look(self.kind, start, stop, self.rows, seats, observations, masks)
        )

    def sample(self, actions: memoryview) -> None:
        self._run(lambda start, stop: _batch.sample(self.kind, start, stop, self.rows, actions))

    def values(self, values: memoryview) -> None:
        tables = self._exact_tables
        self._run(lambda start, stop: _batch.values(self.kind, start, stop, self.rows, tables, values))

    def policies(self, policy: Policy, probabilities: memoryview) -> None:
        level = NO_MISTAKES if policy is perfect_policy else policy
        if not isinstance(level, LevelPolicy):
            raise SetupError("Only perfect and level:1 to level:9 can be asked about many games at once.")
        how = float(level.miss), float(level.cost), level.depth
        tables = self._exact_tables
        self._run(
            lambda start, stop: _batch.policies(
                self.kind, start, stop, self.rows, tables, *how, probabilities
            )
        )

    @property
    def _exact_tables(self) -> tuple[Any, ...]:
        if self._tables is None:
            self._tables = make_tables(self.game, self.settings)
        return self._tables

    def get_state(self) -> bytes:
        return bytes(self.rows)

    def set_state(self, state: bytes) -> None:
        self.rows[:] = state

    def playouts(self, seed: int, winners: memoryview, lengths: memoryview) -> None:
        self._run(
            lambda start, stop: _batch.playouts(
                self.kind, start, stop, self.limit, seed & (1 << 64) - 1, self.setup, winners, lengths
            )
        )

    def _run(self, work: Callable[[int, int], None]) -> None:
        """Do the work on all games, split into equal parts over threads if it is worth it."""
        parts = max(1, min(self.threads, self.count // GAMES_PER_THREAD))
        if parts == 1:
            work(0, self.count)
            return
        edges = [self.count * part // parts for part in range(parts + 1)]
        others = [_pool(self.threads).submit(work, *part) for part in pairwise(edges[1:])]
        work(*edges[:2])
        for other in others:
            other.result()


def _digits(value: int | str) -> list[int]:
    return [value] if isinstance(value, int) else [int(digit) for digit in value]


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="ninefold-batch")


if hasattr(os, "register_at_fork"):  # a forked process does not have the threads
    os.register_at_fork(after_in_child=_pool.cache_clear)
