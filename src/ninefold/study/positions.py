"""A fixed set of positions to score players by: real decisions, balanced, none twice.

A set is made from a version, a game, a count, a seed and settings, and is always the same. Each position
comes from a random game of its own. It is a real decision - its legal moves differ in value - and no two
of them are symmetric copies. Seats, stages (the first, second and last third of the game it comes from)
and how much a random move gives away (little, some, much) are balanced, as far as the game has such
positions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import zip_longest
from random import Random
from typing import Any

from ninefold.core.game import Game
from ninefold.core.outcome import LIMIT
from ninefold.core.seat import Seat
from ninefold.core.state import Setup, State
from ninefold.core.turns import Played
from ninefold.games import load
from ninefold.players import Chooser, Failure, PlayerFailed
from ninefold.study.answers import distribution_of, record_data
from ninefold.study.reports import PositionScore, count_common
from ninefold.study.scores import chance, regrets

VERSION = "ninefold/2026.11"  # changes when the same arguments give another set
COUNT = 90
THIRDS = 3
TRIES = 12  # random games for each position of a set


@dataclass(frozen=True, slots=True)
class SetPosition:
    """A position of a set, and the moves that led to it. `seat` is the one that is asked."""

    state: State[Any]
    played: tuple[Played, ...]
    seat: Seat
    stage: int  # 0 to 2: in the first, second or last third of a random game
    random_regret: Fraction  # what a random move gives away

    @property
    def regrets(self) -> dict[int, Fraction]:
        return regrets(self.state, self.seat)


@dataclass(frozen=True, slots=True)
class PositionSet:
    """Positions, and the name of their set: all that has to be known to make it again."""

    name: str
    positions: tuple[SetPosition, ...]


def position_set(
    game: Game | str, count: int = COUNT, *, seed: int = 0, **setup: int | str
) -> PositionSet:
    """The set of a game; settings that are not given are drawn, or have their default."""
    return make_set(game if isinstance(game, str) else game.slug, count, seed, setup)


def make_set(slug: str, count: int, seed: int, setup: Setup) -> PositionSet:
    """Like `position_set`, with the settings as a mapping."""
    given = tuple(sorted(setup.items()))
    name = [VERSION, slug, f"count={count}", f"seed={seed}", *(f"{key}={value}" for key, value in given)]
    return _make_set(" ".join(name), slug, count, given)


@lru_cache(maxsize=64)
def _make_set(name: str, slug: str, count: int, setup: tuple[tuple[str, int | str], ...]) -> PositionSet:
    game = load(slug)
    rng = Random(name)
    pool: dict[Any, SetPosition] = {}
    for _ in range(TRIES * count):
        found = _draw_position(game, dict(setup), rng)
        if found is not None:
            pool.setdefault((game.puzzles.key(found.state), found.seat), found)
    most = max((one.random_regret for one in pool.values()), default=Fraction(1))

    def stakes(one: SetPosition) -> int:
        return min(THIRDS - 1, int(THIRDS * one.random_regret / most))

    dealt = _spread([*pool.values()], rng, lambda one: one.seat, lambda one: one.stage, stakes)
    return PositionSet(name, tuple(dealt[:count]))


def _spread(
    found: list[SetPosition], rng: Random, *features: Callable[[SetPosition], int]
) -> list[SetPosition]:
    """Order positions so that the first ones, however many, have every value of a feature equally often.

    The first feature matters most. A value that runs out early is used up.
    """
    if not features:
        return found
    first, *others = features
    groups: dict[int, list[SetPosition]] = {}
    for one in found:
        groups.setdefault(first(one), []).append(one)
    ordered = [_spread(groups[value], rng, *others) for value in sorted(groups)]
    rng.shuffle(ordered)
    return [one for row in zip_longest(*ordered) for one in row if one is not None]


def _draw_position(game: Game, setup: dict[str, int | str], rng: Random) -> SetPosition | None:
    """A position of a random game in which a seat has a real decision; None if it has none there."""
    state = game.set_up(setup, rng)
    played: list[Played] = []
    open_positions: list[tuple[State[Any], int]] = []
    while state.movers and not state.dead and len(played) < LIMIT:
        if not state.pending:
            open_positions.append((state, len(played)))
        seat = state.movers[0]
        move = rng.choice(state.moves(seat))
        played.append(Played(seat, move))
        state = state.after(move, seat)
    state, made = rng.choice(open_positions)
    seat = rng.choice(state.movers)
    lost = [*regrets(state, seat).values()]
    if not any(lost):
        return None
    stage = THIRDS * made // len(played)
    return SetPosition(state, tuple(played[:made]), seat, stage, sum(lost, Fraction(0)) / len(lost))


def score_positions(player: Chooser, positions: PositionSet) -> PositionScore:
    """Ask a player in every position of a set, and add up what its answers give away.

    A distribution costs what it gives away on average; an answer that fails costs the whole chance.
    """
    costs: list[Fraction] = []
    failed: list[PlayerFailed] = []
    for one in positions.positions:
        lost, whole = one.regrets, chance(one.state, one.seat)

        def record(one: SetPosition = one) -> dict[str, Any]:
            return record_data(one.state, one.played, one.seat)

        try:
            parts = distribution_of(player, one.state, one.seat, record)
        except PlayerFailed as error:
            failed.append(error)
            parts = {-1: Fraction(1)}
        else:
            if not parts.keys() <= lost.keys():
                failed.append(PlayerFailed("The agent chose a move that is not legal.", Failure.ILLEGAL))
        costs.append(sum((part * lost.get(action, whole) for action, part in parts.items()), Fraction(0)))
    return PositionScore(
        positions.name,
        tuple(costs),
        tuple(error.failure for error in failed),
        count_common(str(error) for error in failed),
    )
