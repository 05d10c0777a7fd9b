"""What the levels are like in a game, from their policies in random games, and which one to play next."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Any

from ninefold.analysis import evaluate
from ninefold.analysis.evaluation import HALF
from ninefold.core.game import Game
from ninefold.core.outcome import LIMIT
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.games import load
from ninefold.match import Match
from ninefold.match.seating import only_person
from ninefold.players import LEVELS, policy_of
from ninefold.players.policy import Policy
from ninefold.study.facts import chance_of
from ninefold.study.known_levels import KNOWN
from ninefold.study.scores import regrets

GAMES = 30  # random games that positions are taken from
PAIRS = 25  # deals that two levels play, once from each seat
SEED = "levels"
IN_A_ROW = 3  # wins or losses after which another level is suggested

Position = tuple[State[Any], Seat]


@dataclass(frozen=True, slots=True)
class Habits:
    """How a level plays a game. A share is None where no position asks for it."""

    level: int
    misses_win: Fraction | None  # how often it does not win at once where it could
    allows_win: Fraction | None  # how often it lets the opponent win at once where it need not
    gives_away: Fraction  # of its chance to win, in a decision, on average
    beats_next: Fraction | None  # its score against the next level


def known_habits(game: Game) -> list[Habits]:
    """The habits of every level as they are known without computing; empty for most games but ours."""
    return [
        Habits(level, _percent(misses), _percent(allows), Fraction(away, 100), _percent(beats))
        for level, (misses, allows, away, beats) in enumerate(KNOWN.get(game.slug, ()), LEVELS[0])
    ]


def _percent(number: int | None) -> Fraction | None:
    return None if number is None else Fraction(number, 100)


def find_habits(game: Game, *, pairs: int = PAIRS) -> list[Habits]:
    """The habits of every level, from the lowest. Raises NoValues if the game is too large."""
    return list(_find_habits(game.slug, pairs))


@lru_cache(maxsize=32)
def _find_habits(slug: str, pairs: int) -> tuple[Habits, ...]:
    game = load(slug)
    positions = _draw_positions(game)
    wins, threats = _find_moves(positions, own=True), _find_moves(positions, own=False)
    found = []
    for level in LEVELS:
        policy = policy_of(f"level:{level}")
        following = policy_of(f"level:{level + 1}") if level < LEVELS[-1] else None
        assert policy is not None
        lost = [
            sum((part * costs[game.index(move)] for move, part in policy(*one).items()), Fraction(0))
            for one in positions
            if any((costs := regrets(*one)).values())
        ]
        missed, allowed = _share(policy, wins), _share(policy, threats)
        found.append(
            Habits(
                level,
                None if missed is None else 1 - missed,
                allowed,
                sum(lost, Fraction(0)) / max(1, len(lost)),
                play_pairs(game, (policy, following), pairs) if following and pairs else None,
            )
        )
    return tuple(found)


def _draw_positions(game: Game) -> list[Position]:
    """Every position of some random games, with each seat that chooses there."""
    rng, found = Random(f"{SEED} {game.slug}"), []
    for _ in range(GAMES):
        state = game.set_up({}, rng)
        for _ in range(LIMIT):
            if not state.movers or state.dead:
                break
            found += [(state, seat) for seat in state.movers if not state.pending]
            seat = state.movers[0]
            state = state.after(rng.choice(state.moves(seat)), seat)
    return found


def _find_moves(positions: list[Position], *, own: bool) -> list[tuple[Position, set[Any]]]:
    """The moves that win at once, or let the opponent do so, where other moves do not."""
    found = []
    for state, seat in positions:
        choices = evaluate(state).choices_of(seat)
        if state.secret:
            continue
        moves = {
            choice.move
            for choice in choices
            if choice.value.plies == (0 if own else 1) and chance_of(choice.value, seat) == own
        }
        if 0 < len(moves) < len(choices):
            found.append(((state, seat), moves))
    return found


def _share(policy: Policy, found: list[tuple[Position, set[Any]]]) -> Fraction | None:
    """How often a policy makes one of these moves; None if there is no position."""
    if not found:
        return None
    parts = [part for one, moves in found for move, part in policy(*one).items() if move in moves]
    return sum(parts, Fraction(0)) / len(found)


def play_pairs(game: Game, policies: tuple[Policy, Policy], pairs: int) -> Fraction:
    """The first policy's share of games, two for each deal with the seats swapped; a stop is a half."""
    total = Fraction(0)
    for number in range(2 * pairs):
        rng, mine = Random(f"{SEED} {number}"), SEATS[number % 2]
        state = game.set_up({}, Random(f"{SEED} {number // 2}"))
        for _ in range(LIMIT):
            if not state.movers or state.dead:
                break
            seat = state.movers[0]
            parts = policies[seat is not mine](state.open_state, seat)
            (move,) = rng.choices([*parts], [float(part) for part in parts.values()])
            state = state.after(move, seat)
        total += HALF if state.outcome is None else state.outcome.winner is mine
    return total / (2 * pairs)


def level_of(match: Match) -> int | None:
    """The level that one person plays in a match; None for other opponents."""
    you = only_person(match)
    kind = "" if you is None else match.player(you.other).kind
    name, _, rest = kind.partition(":")
    return int(rest) if name == "level" else None


def suggest_level(matches: Iterable[Match]) -> tuple[int, int] | None:
    """The level after the latest matches, and how they went: above 0 for wins, below 0 for losses.

    They are the matches of one game, the latest first. Only a row of wins or losses against one level
    suggests another: `IN_A_ROW` of them, or twice as many, and so on.
    """
    level, count = None, 0
    for match in matches:
        you = only_person(match)
        if match.outcome is None or you is None or level_of(match) is None:
            break
        won = 1 if match.outcome.winner is you else -1
        if (level is not None and level_of(match) != level) or count * won < 0:
            break
        level, count = level_of(match), count + won
    if level is None or not count or count % IN_A_ROW:
        return None
    other = level + (1 if count > 0 else -1)
    return (other, count) if other in LEVELS else None
