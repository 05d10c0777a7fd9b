"""Every position of a small game once, so that random, level and perfect play are computed exactly.

Positions that no player of ours tells apart are one node (see `Solver.same`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import lcm, prod
from typing import Any

from ninefold.analysis import evaluate, solver_of
from ninefold.analysis.evaluation import Evaluation, worth
from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.core.state import Setup, State
from ninefold.players import LEVELS
from ninefold.players.exact import LEVEL_POLICIES, perfect_among
from ninefold.players.policy import even

PLAYERS = ("random", *(f"level:{level}" for level in LEVELS), "perfect")
MOST = 100_000  # positions of a setup that are walked

ONE = Fraction(1)
Progress = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Choosing:
    """A seat's choice in a position: its moves with their values for the seat, and who makes which."""

    seat: Seat
    moves: tuple[Any, ...]
    chances: tuple[Fraction, ...]  # Q of each move
    policies: Mapping[str, tuple[Fraction, ...]]  # by player, along the moves

    @property
    def decisive(self) -> bool:
        return len(set(self.chances)) > 1

    @property
    def regret(self) -> Fraction:
        """What a random move gives away, on average."""
        return max(self.chances) - sum(self.chances, Fraction(0)) / len(self.chances)


@dataclass(frozen=True, slots=True)
class WalkNode:
    """A position, its value for the first player, and where it leads."""

    state: State[Any]
    value: Fraction
    choices: tuple[Choosing, ...]  # none if the game is over; two where both choose in secret
    after: Mapping[tuple[int, ...], int]  # by each seat's move, as its index: a node before this one

    @property
    def winner(self) -> Seat | None:
        return None if self.state.outcome is None else self.state.outcome.winner

    def parts(self, players: tuple[str, str]) -> Iterator[tuple[Fraction, int]]:
        """How likely each node is next between these players, by seat; a node may come more than once."""
        made = product(*(choice.policies[players[choice.seat]] for choice in self.choices))
        for parts, later in zip(made, self.after.values(), strict=False):
            if all(parts):
                yield prod(parts[1:], start=parts[0]), later


class Walk:
    """All nodes of a game for the given settings, each after those it leads to, and where it starts."""

    def __init__(self, game: Game, given: Setup, progress: Progress | None = None) -> None:
        solver = solver_of(game)
        self.game = game
        self.nodes: list[WalkNode] = []
        self._same = solver.same
        self._known: dict[Hashable, int] = {}
        deals = [*solver.deals(game, given)]
        total = sum(count for _, count in deals)
        self.starts: dict[int, Fraction] = defaultdict(Fraction)
        self._progress = progress
        for at, (deal, count) in enumerate(deals):
            start = game.set_up(deal)
            if at == 0:  # how many nodes there may be, challenges included
                self._most = 2 * solver.count_positions(start) * len(deals)
            self.starts[self._add(start)] += Fraction(count, total)
            if progress is not None:
                progress((at + 1) / len(deals))

    def _add(self, state: State[Any]) -> int:
        key = self._same(state)
        if key not in self._known:
            found = evaluate(state)
            choices = tuple(_choose(state, seat, found) for seat in state.movers)
            after = {}
            for made in product(*(range(len(choice.moves)) for choice in choices)) if choices else ():
                later = state
                for choice, index in zip(choices, made, strict=True):
                    later = later.after(choice.moves[index], choice.seat)
                after[made] = self._add(later)
            value = Fraction(worth(found.value, Seat.FIRST).chance)
            self._known[key] = len(self.nodes)
            if self._progress is not None and len(self.starts) == 0:
                self._progress(min(1.0, len(self.nodes) / self._most))
            self.nodes.append(WalkNode(state, value, choices, after))
        return self._known[key]

    def find(self, state: State[Any]) -> int:
        """The node of a position that the walk has come to."""
        return self._known[self._same(state)]

    @cached_property
    def at_random(self) -> list[dict[int, Fraction]]:
        """By node: how likely each node is next in random play."""
        shares: list[dict[int, Fraction]] = []
        for node in self.nodes:
            shares.append(defaultdict(Fraction))
            for part, later in node.parts(("random", "random")):
                shares[-1][later] += part
        return shares

    def mean(self, values: list[Fraction]) -> Fraction:
        """The mean of a value by node over the starts."""
        return add_up((share, values[start]) for start, share in self.starts.items())

    def chance(self, first: str, second: str) -> Fraction:
        """The first seat's exact chance between two players of ours."""
        values: list[Fraction] = []
        for node in self.nodes:
            if node.winner is not None:
                values.append(Fraction(node.winner is Seat.FIRST))
            else:
                parts = node.parts((first, second))
                values.append(add_up((part, values[later]) for part, later in parts))
        return self.mean(values)

    def near_chances(self) -> Any:
        """The first seat's chance between all of PLAYERS, in floating point, as an array by seat."""
        import numpy as np

        known: dict[int, Any] = {}  # what all players do, as an array, by the identity of the policies

        def parts(choice: Choosing) -> Any:
            key = id(choice.policies)
            if key not in known:
                known[key] = np.array([[*map(float, choice.policies[one])] for one in PLAYERS])
            return known[key]

        count = len(PLAYERS)
        values = np.zeros((len(self.nodes), count, count))
        for at, node in enumerate(self.nodes):
            if node.winner is not None:
                values[at] = node.winner is Seat.FIRST
                continue
            later = values[[*node.after.values()]]
            seats = ["fs"[choice.seat] for choice in node.choices]
            made = "ab"[: len(seats)]
            later = later.reshape(*(len(choice.moves) for choice in node.choices), count, count)
            terms = ",".join(seat + move for seat, move in zip(seats, made, strict=True))
            values[at] = np.einsum(f"{terms},{made}fs->fs", *map(parts, node.choices), later)
        return sum(values[start] * float(share) for start, share in self.starts.items())

    def best_response(self, seat: Seat, player: str = "random") -> Fraction:
        """The win chance of the best possible player in that seat against one of ours in the other."""
        values: list[Fraction] = []
        for node in self.nodes:
            if node.winner is not None:
                values.append(Fraction(node.winner is seat))
                continue
            options: dict[tuple[int, ...], list[tuple[Fraction, Fraction]]] = defaultdict(list)
            for made, at in node.after.items():
                own = tuple(i for i, c in zip(made, node.choices, strict=True) if c.seat is seat)
                share = ONE
                for index, choice in zip(made, node.choices, strict=True):
                    if choice.seat is not seat:
                        share *= choice.policies[player][index]
                options[own].append((share, values[at]))
            values.append(max(map(add_up, options.values())))
        return self.mean(values)

    def open_value(self) -> Fraction:
        """The first player's chance if, in each secret choice, the second to choose saw the other's."""
        values: list[Fraction] = []
        for node in self.nodes:
            ends = {made: values[at] for made, at in node.after.items()}
            for choice in reversed(node.choices):  # whoever chooses last sees what the other chose
                groups: dict[tuple[int, ...], list[Fraction]] = defaultdict(list)
                for made, value in ends.items():
                    groups[made[:-1]].append(value)
                pick = min if choice.seat is Seat.SECOND else max
                ends = {made: pick(found) for made, found in groups.items()}
            values.append(Fraction(node.winner is Seat.FIRST) if node.winner is not None else ends[()])
        return self.mean(values)

    def visits(self) -> list[Fraction]:
        """How often random play comes to each node, in expectation."""
        found = [Fraction(0)] * len(self.nodes)
        for start, share in self.starts.items():
            found[start] += share
        shares = self.at_random
        for at in reversed(range(len(self.nodes))):
            for later, share in shares[at].items():
                found[later] += found[at] * share
        return found

    def tally(
        self, end: Callable[[WalkNode], Hashable], step: Callable[[WalkNode, Any], Hashable]
    ) -> dict[Any, Fraction]:
        """How likely each summary of a random game is.

        `end` gives that of a finished game; `step` turns the summary of what follows a node into that of
        the game from the node on.
        """
        found: list[tuple[dict[Hashable, int], int]] = []  # weights and their total, in integers
        for node, later in zip(self.nodes, self.at_random, strict=True):
            if not later:
                found.append(({end(node): 1}, 1))
                continue
            total = lcm(*(share.denominator * found[at][1] for at, share in later.items()))
            weights: dict[Hashable, int] = defaultdict(int)
            for at, share in later.items():
                parts, whole = found[at]
                times = total // (share.denominator * whole) * share.numerator
                for summary, weight in parts.items():
                    weights[step(node, summary)] += weight * times
            found.append((weights, total))
        tallied: dict[Any, Fraction] = defaultdict(Fraction)
        for start, share in self.starts.items():
            weights, total = found[start]
            for summary, weight in weights.items():
                tallied[summary] += share * Fraction(weight, total)
        return tallied


# By what a seat can choose from: what each player does. Few such patterns come up, again and again.
_POLICIES: dict[Hashable, Mapping[str, tuple[Fraction, ...]]] = {}


def _choose(state: State[Any], seat: Seat, found: Evaluation) -> Choosing:
    mine = found.choices_of(seat)
    moves = tuple([choice.move for choice in mine])
    chances = tuple([worth(choice.value, seat).chance for choice in mine])
    perfect = perfect_among(state, mine)
    best = [perfect.get(move) for move in moves]
    pattern = (chances, *[(choice.value.plies, choice.best) for choice in mine], *best)
    if pattern not in _POLICIES:
        by_player = {"random": even(moves), "perfect": perfect}
        by_player |= {f"level:{n}": LEVEL_POLICIES[n].among(mine, perfect) for n in LEVELS}
        none = Fraction(0)
        _POLICIES[pattern] = {
            name: tuple(parts.get(move, none) for move in moves) for name, parts in by_player.items()
        }
    return Choosing(seat, moves, tuple(map(Fraction, chances)), _POLICIES[pattern])


def add_up(parts: Iterable[tuple[Fraction, Fraction]]) -> Fraction:
    """The sum of the products, with one common denominator instead of one for each addition."""
    pairs = [(a.numerator * b.numerator, a.denominator * b.denominator) for a, b in parts]
    total = lcm(*(below for _, below in pairs))
    return Fraction(sum(above * (total // below) for above, below in pairs), total)


def settings(game: Game, given: Setup) -> Setup:
    """The given settings, and the defaults of the others that have one."""
    return {o.name: o.default for o in game.options if o.default is not None} | dict(given)


def is_small(game: Game, given: Setup) -> bool:
    """Whether a game always ends and has few enough positions to be walked."""
    if game.endless:
        return False
    solver = solver_of(game)
    start, _ = next(iter(solver.deals(game, settings(game, given))))
    return solver.count_positions(game.set_up(start)) <= MOST


def walk_game(game: Game, given: Setup, progress: Progress | None = None) -> Walk:
    """Walk a game; settings that are not given have their default, or all of their values."""
    return Walk(game, settings(game, given), progress)
