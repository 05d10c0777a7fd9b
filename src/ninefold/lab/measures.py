"""The measures of a game: exact where all positions can be walked, else estimates with an interval."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import hypot
from typing import Any

import numpy as np

from ninefold.analysis import evaluate
from ninefold.analysis.evaluation import HALF
from ninefold.core.game import Game
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import Setup
from ninefold.lab.sampling import Estimate, Winners, estimate, play, play_out
from ninefold.lab.walk import PLAYERS, Progress, Walk, WalkNode, add_up, find_starts, is_small, walk_game
from ninefold.players import LEVELS
from ninefold.study.facts import chance_of

STEP = Fraction(55, 100)  # what a player of a ladder scores against the one before it, at least
SAMPLES, PAIRED = 20_000, 1_000  # games of random play, and between two players
ALL_PAIRS = tuple(product(range(len(PLAYERS)), range(len(PLAYERS))))
SEED = 2026
BALANCES = {"random": "random", **{f"balance_at_level({k})": f"level:{k}" for k in LEVELS}}

MEANINGS = {
    "perfect": "The first player's chance if both play perfectly.",
    "random": "The first player's chance if both choose at random, among games with a winner.",
    "cut_off": "The share of random games that nobody wins: stopped, or cut off after 200 moves.",
    "length": "Moves in a random game; a challenge and its two numbers are three.",
    "branching": "Legal moves to choose from, on average over all choices of random play.",
    "decisive": "The share of choices in random play where some move is better than another.",
    "random_regret": "The chance to win that a random move gives away, on average.",
    "mastery_first": "How often the best possible first player beats a random one.",
    "mastery_second": "How often the best possible second player beats a random one.",
    "agency": "How far knowing the game lifts you above one half: 0 is pure luck, 1/2 is no luck.",
    "drama": "How far below one half the eventual winner had fallen, on average, in random play.",
    "settled": "The share of a random game's moves made after the last choice that mattered.",
    "ladder": "How many steps of skill there are: each wins 55% or more against the one before.",
    "secrecy": "What hiding the numbers costs the first player: the chance with open ones minus this.",
    **{f"balance_at_level({k})": f"The first player's chance if both are level {k}." for k in LEVELS},
}


Measures = Iterator[tuple[str, Fraction | int | Estimate]]  # by name


def to_data(value: Fraction | int | Estimate) -> dict[str, Any]:
    """A measure as plain data: a fraction as text, or a number; an estimate with its interval."""
    if isinstance(value, Estimate):
        data = {"value": value.value, "exact": False, "low": value.low, "high": value.high}
        return data | ({"bound": "lower"} if value.bound else {})
    return {"value": value if isinstance(value, int) else str(value), "exact": True}


def say_measure(one: dict[str, Any]) -> str:
    """A measure as data, in a few characters: exact ones plain, the others with their interval."""

    def say(number: str | float) -> str:
        return f"{number}" if isinstance(number, int) else f"{float(Fraction(number)):.4f}"

    shown = say(one["value"])
    if one["exact"]:
        return shown
    return f"{'at least ' if 'bound' in one else ''}{shown} ({say(one['low'])} to {say(one['high'])})"


def measure(game: Game, setup: Setup, progress: Progress = lambda _: None) -> dict[str, Any]:
    """All measures of a game as plain data, how they were found and how long that took.

    Settings that are not given are averaged over, or have their default.
    """
    began = time.perf_counter()
    found: dict[str, Any] = {}
    if is_small(game, setup):
        method = "exact, over all positions"
        walk = walk_game(game, setup, lambda share: progress(share / 2))
        for name, value in measure_walk(walk):
            found[name] = to_data(value)
            progress(0.5 + len(found) / len(MEANINGS) / 2)
    else:
        method = f"{SAMPLES:,} random games, {PAIRED:,} for each pair of players, 95% intervals"
        found = {name: to_data(value) for name, value in _measure_samples(game, setup, progress)}
    return {
        "game": game.slug,
        "setup": dict(setup),
        "method": method,
        "seconds": round(time.perf_counter() - began, 1),
        "measures": {name: found[name] for name in MEANINGS if name in found},
    }


def measure_walk(walk: Walk) -> Measures:
    """The exact measures."""
    nodes, visits = walk.nodes, walk.visits()

    def mean(count: Callable[[WalkNode], Fraction | int]) -> Fraction:
        return sum((share * count(node) for node, share in zip(nodes, visits, strict=True)), Fraction(0))

    perfect, choices = walk.mean([node.value for node in nodes]), mean(lambda node: len(node.choices))
    yield "perfect", perfect
    yield "cut_off", Fraction(0)
    yield "length", choices  # each choice is one move
    yield "branching", mean(lambda node: sum(len(one.moves) for one in node.choices)) / choices
    yield "decisive", mean(lambda node: sum(one.decisive for one in node.choices)) / choices
    yield "random_regret", mean(lambda node: sum(one.odds.regret for one in node.choices)) / choices
    first, second = (walk.best_response(seat) for seat in SEATS)
    yield "mastery_first", first
    yield "mastery_second", second
    yield "agency", (first + second) / 2 - HALF
    for name, player in BALANCES.items():
        yield name, walk.chance(player, player)
    behind = walk.tally(_end_ahead, _fall_behind)
    yield "drama", add_up((HALF - low, part) for (_, low), part in behind.items())
    rests = walk.tally(lambda _: (0, None), _go_on)
    yield "settled", add_up((_settled(*rest), part) for rest, part in rests.items())
    between = walk.near_chances(ALL_PAIRS).reshape(len(PLAYERS), -1)
    yield "ladder", climb((between + 1 - between.T) / 2 >= float(STEP))
    if any(len(node.choices) > 1 for node in nodes):
        yield "secrecy", walk.open_value() - perfect


def _end_ahead(node: WalkNode) -> tuple[Seat, Fraction]:
    assert node.winner is not None
    return node.winner, HALF


def _fall_behind(node: WalkNode, later: tuple[Seat, Fraction]) -> tuple[Seat, Fraction]:
    """The winner, and the winner's smallest chance from this node on, one half at most."""
    winner, low = later
    return winner, min(low, 1 - node.value if winner else node.value)


def _go_on(node: WalkNode, later: tuple[int, int | None]) -> tuple[int, int | None]:
    """How many moves follow, and how many of them follow the last decisive choice, if there is one."""
    length, after = later
    if after is None and any(choice.decisive for choice in node.choices):
        after = length
    return length + len(node.choices), after


def _settled(length: int, after: int | None) -> Fraction:
    return Fraction(length if after is None else after, length)


def climb(beats: Sequence[Sequence[bool]]) -> int:
    """The length of the longest ladder: a subsequence in which each beats the one before it."""
    longest: list[int] = []
    for at in range(len(beats)):
        longest.append(1 + max((longest[k] for k in range(at) if beats[at][k]), default=0))
    return max(longest)


def perfect_value(game: Game, setup: Setup) -> Fraction:
    """V of the start, averaged over the setups that are left open; an endless game counts as one half."""
    return add_up(
        (share, chance_of(evaluate(start).value, Seat.FIRST)) for start, share in find_starts(game, setup)
    )


def follow_games(game: Game) -> dict[str, list[float]]:
    """The eventual winner's chance before each move, averaged over games that are still going on.

    By player; a move is left out where fewer than one game in twenty is still going on.
    """
    found = {}
    for player in ("random", "level:5", "perfect"):
        played = play(game, {}, (player, player), PAIRED, SEED)
        winners = np.where(played.winners == 0, 1.0, 0.0)[played.won]
        if not len(winners):
            continue
        first = played.chances[played.won]
        chances = np.where(winners[:, None] == 1, first, 1 - first)
        going = (~np.isnan(chances)).mean(axis=0) >= 1 / 20
        found[player] = [float(one) for one in np.nanmean(chances[:, going], axis=0)]
    return found


def _measure_samples(game: Game, setup: Setup, progress: Progress) -> Measures:
    """The measures of a game that is too large to walk."""
    seeds = iter(range(SEED + 1, SEED + 1000))
    count = len(PLAYERS)

    def sample(first: str, second: str, games: int = PAIRED) -> Winners:
        seed = next(seeds)
        progress((seed - SEED) / count**2)
        return play_out(game, setup, (first, second), games, seed)

    progress(0)
    perfect = perfect_value(game, setup)
    yield "perfect", perfect
    random = play(game, setup, ("random", "random"), SAMPLES, SEED)
    yield "random", random.chance(0)
    yield "cut_off", estimate(~random.won) if game.endless else Fraction(0)
    yield "length", estimate(random.lengths)
    yield "branching", estimate(random.legal, random.lengths)
    yield "decisive", estimate(random.decisive, random.lengths)
    yield "random_regret", estimate(random.regret, random.lengths)
    low = random.behind[range(SAMPLES), random.winners * random.won]
    yield "drama", estimate((0.5 - low) * random.won, random.won)
    yield "settled", estimate((random.lengths - random.last) / random.lengths)
    for name, player in [*BALANCES.items()][1:]:
        yield name, sample(player, player).chance(0)
    masteries = []
    for seat, pair in zip(SEATS, (("perfect", "random"), ("random", "perfect")), strict=True):
        if perfect == (0 if seat else 1):  # whoever can force the win beats a random player always
            masteries.append(Estimate(1.0, 1.0, 1.0))
            yield f"mastery_{seat}", Fraction(1)
        else:  # in the other seat, perfect play is a bound
            masteries.append(replace(sample(*pair, SAMPLES).chance(seat), bound=True))
            yield f"mastery_{seat}", masteries[-1]
    agency, half = sum(one.value for one in masteries) / 2 - 0.5, _half_width(*masteries)
    yield "agency", Estimate(agency, agency - half, agency + half, bound=True)
    beats = [[[False] * count for _ in range(count)] for _ in range(3)]
    for at in range(count):
        for k in range(at):
            better, worse = PLAYERS[at], PLAYERS[k]
            one, other = sample(better, worse).score, sample(worse, better).score
            score, half = (one.value + 1 - other.value) / 2, _half_width(one, other)
            for table, seen in zip(beats, (score, score - half, score + half), strict=True):
                table[at][k] = seen >= STEP
    steps, fewest, most = map(climb, beats)
    yield "ladder", Estimate(steps, fewest, most)


def _half_width(one: Estimate, other: Estimate) -> float:
    """Half of the interval around the mean of two independent estimates."""
    return hypot(one.high - one.low, other.high - other.low) / 4
