"""Every position of a small game once, so that random, level and perfect play are computed exactly.

Positions that no player of ours tells apart are one node (see `Solver.same`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from math import lcm, prod
from typing import Any, NamedTuple

from ninefold.analysis import evaluate, solver_of
from ninefold.analysis.evaluation import Choice, worth
from ninefold.core.game import Game
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import Setup, State
from ninefold.games import load
from ninefold.players import LEVELS
from ninefold.players.exact import LEVEL_POLICIES, perfect_among
from ninefold.players.policy import even

PLAYERS = ("random", *(f"level:{level}" for level in LEVELS), "perfect")
MOST = 100_000  # positions of a setup that are walked

Progress = Callable[[float], None]
Weights = tuple[tuple[int, ...], int]  # probabilities as integers, and their sum
Pairs = tuple[tuple[int, int], ...]  # of players by seat, as indices of PLAYERS


class Odds(NamedTuple):
    """What a choice is worth and what each player does with it, whatever its moves are called.

    Few different ones come up in a walk, so they are shared.
    """

    chances: tuple[Fraction, ...]  # Q of each move
    policies: Mapping[str, Weights]  # by player, along the moves
    mistakes: Fraction  # the share of the moves that give up some of the chance to win
    regret: Fraction  # what a random move gives away, on average


@dataclass(frozen=True, slots=True)
class Choosing:
    """A seat's choice in a position: its moves with their values for the seat, and who makes which."""

    seat: Seat
    moves: tuple[Any, ...]
    odds: Odds

    @property
    def decisive(self) -> bool:
        return self.odds.mistakes > 0


@dataclass(frozen=True, slots=True)
class WalkNode:
    """A position, its value for the first player, and where it leads."""

    state: State[Any]
    winner: Seat | None
    value: Fraction
    choices: tuple[Choosing, ...]  # none if the game is over; two where both choose in secret
    after: Mapping[tuple[int, ...], int]  # by each seat's move, as its index: a node before this one

    def parts(self, players: tuple[str, str]) -> tuple[dict[int, int], int]:
        """How likely each node is next between these players, by seat: weights, and their sum."""
        made = [choice.odds.policies[players[choice.seat]] for choice in self.choices]
        weights: dict[int, int] = defaultdict(int)
        for parts, later in zip(product(*(one for one, _ in made)), self.after.values(), strict=False):
            if part := prod(parts):
                weights[later] += part
        return weights, prod(total for _, total in made)


class Walk:
    """All nodes of a game for the given settings, each after those it leads to, and where it starts.

    After an earlier walk of the game with other clauses, those of its nodes that come up again are
    shared. The others stay, too: what never happens has no part in what is found.
    """

    def __init__(
        self, game: Game, given: Setup, progress: Progress | None = None, earlier: Walk | None = None
    ) -> None:
        self.nodes: list[WalkNode] = [*earlier.nodes] if earlier else []
        self._same = solver_of(game).same
        self._known: dict[Hashable, int] = {**earlier._known} if earlier else {}
        self._near: dict[Pairs, Any] = {**earlier._near} if earlier else {}
        self._best: dict[tuple[Seat, str], Fraction] = {}  # best responses that are known
        self._progress = progress
        self.starts: dict[int, Fraction] = {}
        starts = find_starts(game, given)
        if progress is not None:  # how many nodes there may be, challenges included
            self._most = 2 * solver_of(game).count_positions(starts[0][0]) * len(starts)
        for at, (start, share) in enumerate(starts, 1):
            self.starts[self._add(start)] = share
            if progress is not None:
                progress(at / len(starts))

    def _add(self, state: State[Any]) -> int:
        key = self._same(state)
        if key not in self._known:
            found = evaluate(state)
            by_seat = [found.choices_of(seat) for seat in state.movers]
            after = {}
            for made in product(*(range(len(mine)) for mine in by_seat)) if by_seat else ():
                later = state
                for mine, index in zip(by_seat, made, strict=True):
                    later = later.after(mine[index].move, mine[index].seat)
                after[made] = self._add(later)
            choices = tuple([self._choose(state, mine, after) for mine in by_seat])
            value = Fraction(worth(found.value, Seat.FIRST).chance)
            winner = None if state.outcome is None else state.outcome.winner
            self._known[key] = len(self.nodes)
            if self._progress is not None and len(self.starts) == 0:
                self._progress(min(1.0, len(self.nodes) / self._most))
            self.nodes.append(WalkNode(state, winner, value, choices, after))
        return self._known[key]

    def _choose(
        self, state: State[Any], mine: list[Choice], after: Mapping[tuple[int, ...], int]
    ) -> Choosing:
        seat, moves = mine[0].seat, tuple([choice.move for choice in mine])

        def mistakes(move: Any) -> Fraction:
            later = self.nodes[after[moves.index(move),]].choices
            return next((c.odds.mistakes for c in later if c.seat is seat.other), Fraction(0))

        chances = tuple([worth(choice.value, seat).chance for choice in mine])
        perfect = perfect_among(state, mine, mistakes)
        best = [part and (part.numerator, part.denominator) for part in map(perfect.get, moves)]
        pattern = (chances, *[(choice.value.plies, choice.best) for choice in mine], *best)
        if pattern not in _ODDS:
            by_player = {"random": even(moves), "perfect": perfect}
            by_player |= {f"level:{n}": LEVEL_POLICIES[n].among(mine, perfect) for n in LEVELS}
            most, count = Fraction(max(chances)), len(chances)
            _ODDS[pattern] = Odds(
                tuple(map(Fraction, chances)),
                {name: _weigh(moves, parts) for name, parts in by_player.items()},
                1 - Fraction(chances.count(most), count),
                most - Fraction(sum(chances), count),
            )
        return Choosing(seat, moves, _ODDS[pattern])

    @cached_property
    def at_random(self) -> list[dict[int, Fraction]]:
        """By node: how likely each node is next in random play."""
        shares: list[dict[int, Fraction]] = []
        for node in self.nodes:
            weights, total = node.parts(("random", "random"))
            shares.append({later: Fraction(weight, total) for later, weight in weights.items()})
        return shares

    def mean(self, values: list[Fraction]) -> Fraction:
        """The mean of a value by node over the starts."""
        return add_up((share, values[start]) for start, share in self.starts.items())

    def chance(self, first: str, second: str) -> Fraction:
        """The first seat's exact chance between two players of ours."""
        found: list[tuple[int, int]] = []  # numerators and denominators; reducing them would take longer
        for node in self.nodes:
            if node.winner is not None:
                found.append((int(node.winner is Seat.FIRST), 1))
                continue
            weights, total = node.parts((first, second))
            whole = lcm(*(found[later][1] for later in weights))
            above = sum(
                weight * found[later][0] * (whole // found[later][1]) for later, weight in weights.items()
            )
            total *= whole
            found.append((above // total, 1) if above in (0, total) else (above, total))
        return add_up((share, Fraction(*found[start])) for start, share in self.starts.items())

    def near_chances(self, pairs: Pairs) -> Any:
        """The first seat's chance between pairs of PLAYERS, given as indices, in floating point."""
        import numpy as np

        known: dict[tuple[int, Seat], Any] = {}  # what is done by pair, by the identity of the odds
        by_seat = [[pair[seat] for pair in pairs] for seat in SEATS]

        def parts(choice: Choosing) -> Any:
            key = (id(choice.odds), choice.seat)
            if key not in known:
                made = [choice.odds.policies[one] for one in PLAYERS]
                shares = np.array([[part / total for part in parts] for parts, total in made])
                known[key] = shares[by_seat[choice.seat]]
            return known[key]

        near = self._near.get(pairs, np.zeros((0, len(pairs))))
        begun = len(near)
        near = np.concatenate([near, np.zeros((len(self.nodes) - begun, len(pairs)))])
        for at, node in enumerate(self.nodes[begun:], begun):
            if node.winner is not None:
                near[at] = node.winner is Seat.FIRST
                continue
            later = near[[*node.after.values()]]
            made = "ab"[: len(node.choices)]
            later = later.reshape(*(len(choice.moves) for choice in node.choices), len(pairs))
            terms = ",".join(f"p{move}" for move in made)
            near[at] = np.einsum(f"{terms},{made}p->p", *map(parts, node.choices), later)
        self._near[pairs] = near
        return sum(near[start] * float(share) for start, share in self.starts.items())

    def best_response(self, seat: Seat, player: str = "random") -> Fraction:
        """The win chance of the best possible player in that seat against one of ours in the other."""
        if (seat, player) in self._best:
            return self._best[seat, player]
        values: list[Fraction] = []
        for node in self.nodes:
            if node.winner is not None:
                values.append(Fraction(node.winner is seat))
                continue
            ends: dict[int, list[tuple[Fraction, Fraction]]] = defaultdict(list)  # by the seat's own move
            for made, at in node.after.items():
                own, share = 0, Fraction(1)
                for index, choice in zip(made, node.choices, strict=True):
                    if choice.seat is seat:
                        own = index
                    else:
                        parts, total = choice.odds.policies[player]
                        share = Fraction(parts[index], total)
                ends[own].append((share, values[at]))
            values.append(max(map(add_up, ends.values())))
        self._best[seat, player] = self.mean(values)
        return self._best[seat, player]

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


_ODDS: dict[Hashable, Odds] = {}  # by all that the players look at


def _weigh(moves: tuple[Any, ...], parts: Mapping[Any, Fraction]) -> Weights:
    total = lcm(*(part.denominator for part in parts.values()))
    return tuple([int(parts.get(move, 0) * total) for move in moves]), total


def add_up(parts: Iterable[tuple[Fraction, Fraction]]) -> Fraction:
    """The sum of the products, with one common denominator instead of one for each addition."""
    pairs = [(a.numerator * b.numerator, a.denominator * b.denominator) for a, b in parts]
    total = lcm(*(below for _, below in pairs))
    return Fraction(sum(above * (total // below) for above, below in pairs), total)


def find_starts(game: Game, given: Setup) -> list[tuple[State[Any], Fraction]]:
    """The positions where games start, each with its probability; one for all that no player tells apart.

    Settings that are not given have their default, or all of their values.
    """
    given = settings(game, given)
    return [(game.set_up(deal), share) for deal, share in _share_deals(game.slug, tuple(given.items()))]


@cache  # edited games have the deals of their game
def _share_deals(slug: str, given: tuple[tuple[str, int | str], ...]) -> list[tuple[Setup, Fraction]]:
    game = load(slug)
    found: dict[Hashable, Setup] = {}
    counts: Counter[Hashable] = Counter()
    for deal, count in solver_of(game).deals(game, dict(given)):
        key = solver_of(game).same(game.set_up(deal))
        found.setdefault(key, deal)
        counts[key] += count
    return [(deal, Fraction(counts[key], counts.total())) for key, deal in found.items()]


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


_kept: list[tuple[Game, Setup, Walk]] = []  # the last walk, which a report on a game needs several times


def walk_game(game: Game, given: Setup, progress: Progress | None = None) -> Walk:
    """Walk a game; settings that are not given have their default, or all of their values.

    The last walk is kept and shared, so leave it as it is.
    """
    earlier = None
    for kept, setup, walk in _kept:
        if kept is game and setup == given:
            return walk
        if kept.slug == game.slug:
            earlier = walk
    _kept.clear()  # before the next one takes its memory
    walk = Walk(game, given, progress, earlier)
    _kept.append((game, dict(given), walk))
    return walk
