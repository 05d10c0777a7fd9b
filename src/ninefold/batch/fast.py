"""Many games at once in C, split over threads: what plain.py does, faster."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import Any

from ninefold.batch import _batch
from ninefold.batch.plain import RandomStream
from ninefold.batch.rows import Row, read_row, write_row
from ninefold.batch.tables import make_tables
from ninefold.core.game import Game
from ninefold.core.state import State
from ninefold.players.exact import LevelPolicy, perfect_policy
from ninefold.players.policy import Policy
from ninefold.players.sight import SightPolicy
from ninefold.players.simple import greedy_policy, random_policy

KINDS = ("shadow", "battle", "pattern", "conquest", "cross")  # in the order of _batch.c
SETUP = 9  # bytes: the target, the digits of the grid or the size; 0 where it is drawn
GAMES_PER_THREAD = 256  # fewer are not worth a thread
RANDOM, GREEDY, SIGHT, LEVEL = range(4)  # kinds of policies, as in _batch.c


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

    def regrets(self, regrets: memoryview) -> None:
        tables = self._exact_tables
        self._run(lambda start, stop: _batch.regrets(self.kind, start, stop, self.rows, tables, regrets))

    def policies(self, policy: Policy, probabilities: memoryview) -> None:
        how = _policy_arguments(policy)
        tables = () if how[0] in (RANDOM, GREEDY) else self._exact_tables
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

    def set_states(self, states: Sequence[State[Any]], seed: int, *reports: memoryview) -> None:
        """Put these positions into the rows. The seed is for random moves from there on."""
        movers, status, winners = reports
        for at, state in enumerate(states):
            row = Row.from_buffer(self.rows, at * _batch.ROW)
            row.stream, row.kind = RandomStream(seed, at).word, self.kind
            write_row(row, state)
            movers[at] = state.movers[0] if state.movers else 0
            status[at], winners[at] = row.status, row.winner

    def state(self, at: int) -> State[Any]:
        return read_row(Row.from_buffer(self.rows, at * _batch.ROW), self.game.slug)

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


def _policy_arguments(policy: Policy) -> tuple[int, float, float, int]:
    """The kind of a policy, its chance of a mistake, what it may cost, and how far it sees."""
    if policy is random_policy:
        return RANDOM, 0.0, 0.0, 0
    if policy is greedy_policy:
        return GREEDY, 0.0, 0.0, 0
    if isinstance(policy, SightPolicy):
        return SIGHT, 0.0, 0.0, 2 * policy.sight
    if isinstance(policy, LevelPolicy):
        return LEVEL, float(policy.miss), float(policy.cost), policy.depth
    assert policy is perfect_policy
    return LEVEL, 0.0, 0.0, 0


def _digits(value: int | str) -> list[int]:
    return [value] if isinstance(value, int) else [int(digit) for digit in value]


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="ninefold-batch")


if hasattr(os, "register_at_fork"):  # a forked process does not have the threads
    os.register_at_fork(after_in_child=_pool.cache_clear)
