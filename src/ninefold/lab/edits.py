"""What if a rule were different: every listed edit of a game solved, and the most even version of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ninefold.analysis import evaluate
from ninefold.analysis.evaluation import HALF
from ninefold.core.edits import Edit, edit_game, find_edits
from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.games import load
from ninefold.lab.measures import SEED, perfect_value
from ninefold.lab.sampling import play_out, sample_levels
from ninefold.lab.walk import PLAYERS, add_up, find_starts, is_small, walk_game
from ninefold.show.values import percent
from ninefold.study.facts import chance_of

BOOK = "book"
SAMPLED = 200  # games of each level, of an edited game that is too large to walk
EQUAL = tuple((player, player) for player in range(len(PLAYERS) - 1))
LONG = 50  # the same, where games can go on until they are cut off
NEAR = Fraction(3, 100)  # a version is called fair if it is this close to one half under perfect play


@dataclass(frozen=True, slots=True)
class Version:
    """A game by its book, or with edits, and the first player's chances in it."""

    game: Game
    edits: tuple[Edit, ...]
    perfect: Fraction | None  # None if nobody has solved it
    curve: tuple[float, ...] = ()  # random, then the levels; empty where it was not asked for
    exact: bool = True  # whether the curve is, up to rounding

    @property
    def name(self) -> str:
        return "+".join(edit.name for edit in self.edits) or BOOK

    @property
    def about(self) -> str:
        return " ".join(edit.about for edit in self.edits) or "The rules of the book."

    @property
    def distance(self) -> float | None:
        """The mean distance from one half over random play and the levels; None if it is not known."""
        return sum(abs(chance - 0.5) for chance in self.curve) / len(self.curve) if self.curve else None

    def to_data(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "about": self.about,
            "perfect": None if self.perfect is None else str(self.perfect),
            "by_level": [*self.curve] or None,
            "exact": self.exact,
            "mean_distance": self.distance,
        }


def solve_version(slug: str, names: Sequence[str], levels: bool) -> dict[str, Any]:
    """The first player's exact chance under perfect play, and on request by level, as plain data."""
    game = load(slug)
    edited = edit_game(game, find_edits(game, *names)) if names else game
    found: dict[str, Any] = {"perfect": str(perfect_value(edited, {})), "curve": [], "exact": True}
    if levels and is_small(edited, {}):
        # The order of additions depends on what was walked before, and so do the last digits.
        found["curve"] = [round(float(one), 10) for one in walk_game(edited, {}).near_chances(EQUAL)]
    elif levels:
        found["exact"] = False
        found["curve"] = (
            sample_levels(edited, {}, LONG if game.endless else SAMPLED, SEED)
            if names
            else [
                play_out(game, {}, (player, player), SAMPLED, SEED + at).chance(Seat.FIRST).value
                for at, player in enumerate(PLAYERS[:-1])
            ]
        )
    return found


def certify(versions: Sequence[Version]) -> str:
    """What is proven of the most even version."""
    best, count = pick_fairest(versions), sum(one.perfect is not None for one in versions)
    if count == 1:
        return "None of the listed edits has been solved, so there is no fairer version to show."
    if is_decided(versions):
        return (
            f"Perfect play decides each of the {count} versions. From random play through level 9, the "
            f"first player's chance in {best.name} is {best.distance:.4f} from one half on average "
            f"({'computed' if best.exact else 'sampled'}), and no other version comes closer."
        )
    assert best.perfect is not None
    if best.game.endless and best.perfect == HALF:
        found = f"nobody wins {best.name}: neither can force a line, which counts as one half"
    else:
        found = f"the first player wins {best.name} with a chance of exactly {best.perfect}"
        fair = " and counts as fair" if abs(best.perfect - HALF) <= NEAR else ""
        found += f", which is {percent(best.perfect)}{fair}"
    return f"If both play perfectly, {found}. None of the {count} versions comes closer."


def is_decided(versions: Sequence[Version]) -> bool:
    """Whether every version is won by the same player in all its setups, if both play perfectly."""
    return all(one.perfect in (0, 1) for one in versions if one.perfect is not None)


def pick_fairest(versions: Sequence[Version]) -> Version:
    """The most even version: under perfect play, or by level where perfect play is always decided.

    Of equals, the one with fewer edits, then the one that is more even by level, if that is known.
    """
    if is_decided(versions):
        known = [one for one in versions if one.distance is not None]
        return min(known, key=lambda one: (one.distance, len(one.edits)))
    solved = [one for one in versions if one.perfect is not None]
    return min(
        solved, key=lambda one: (abs((one.perfect or 0) - HALF), len(one.edits), one.distance or 0)
    )


def pie_value(game: Game) -> Fraction:
    """The first player's chance if the second may take over the first move, computed from the values.

    The first player makes the move after which the better side is the least good.
    """

    def best(start: State[Any]) -> Fraction:
        chances = [chance_of(choice.value, Seat.FIRST) for choice in evaluate(start).choices]
        return max(min(chance, 1 - chance) for chance in chances)

    return add_up((share, best(start)) for start, share in find_starts(game, {}))


def say_pie(chance: Fraction) -> str:
    return (
        "With the pie rule, the second player may take over the first player's opening move. Computed, "
        f"not played: the first player would win {percent(chance)} of the games if both play perfectly."
    )
