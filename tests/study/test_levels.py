"""What is said of the levels is computed: the shares by a second count, the order by their habits."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from ninefold import Seat
from ninefold.analysis import evaluate
from ninefold.analysis.evaluation import HALF
from ninefold.core.outcome import Outcome, Reason
from ninefold.games import load
from ninefold.match import Match, Player
from ninefold.players import LEVELS, policy_of
from ninefold.show.levels import say_habits, say_level, say_suggestion
from ninefold.show.values import percent
from ninefold.study import known_levels, levels
from ninefold.study.levels import find_habits, known_habits

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("slug", ["battle", "cross"])
def test_higher_levels_give_away_less_and_see_what_is_near(slug: str) -> None:
    found = find_habits(load(slug), pairs=0)
    assert [one.level for one in found] == list(LEVELS)
    away = [one.gives_away for one in found]
    assert away == sorted(away, reverse=True)
    assert all(one.allows_win == 0 for one in found[2:])
    assert "Level 3 never overlooks your win in one " in say_habits(found[2])
    assert "Level 1 overlooks your win in one 58% of the time " in say_habits(found[0])


def test_the_shares_are_those_of_the_policies() -> None:
    game = load("battle")
    (first, *_) = find_habits(game, pairs=0)
    policy = policy_of("level:1")
    assert policy is not None
    shares = []
    for state, seat in levels._draw_positions(game):
        ends = {c.move for c in evaluate(state).choices_of(seat) if c.value.plies == 1}
        losing = {
            move
            for move in ends
            if evaluate(state.after(move, seat)).first_wins == (0 if seat is Seat.FIRST else 1)
        }
        if 0 < len(losing) < len(state.moves(seat)):
            parts = policy(state, seat)
            shares.append(sum((parts.get(move, Fraction(0)) for move in losing), Fraction(0)))
    assert first.allows_win == sum(shares, Fraction(0)) / len(shares)


def test_a_level_plays_the_next_one_from_both_seats() -> None:
    (one, *_) = find_habits(load("battle"), pairs=3)
    assert one.beats_next is not None
    assert (one.beats_next * 6) % 1 == 0
    assert f"scores {percent(one.beats_next)} against level 2." in say_habits(one)


# The larger games take long.
known = [
    pytest.param(slug, marks=() if slug in ("battle", "cross") else pytest.mark.long)
    for slug in known_levels.KNOWN
]


@pytest.mark.parametrize("slug", known)
def test_what_is_known_of_a_level_is_what_is_found(slug: str) -> None:
    for said, found in zip(known_habits(load(slug)), find_habits(load(slug), pairs=0), strict=True):
        assert said.level == found.level
        for name in ("misses_win", "allows_win", "gives_away"):
            one, other = getattr(said, name), getattr(found, name)
            assert one == (None if other is None else Fraction(round(other * 100), 100))
            assert (one == 0) == (other == 0)  # never is never


def test_the_known_scores_are_those_of_the_ladder() -> None:
    ladder = (DOCS / "ladder.md").read_text().splitlines()
    (titles,) = ([*map(str.strip, line.split("|"))][2:7] for line in ladder if "score in % of" in line)
    for level in LEVELS[:-1]:
        start = f"| level:{level + 1} against level:{level} "
        (cells,) = (line.split("|")[2:7] for line in ladder if line.startswith(start))
        for slug in known_levels.KNOWN:
            cell = cells[titles.index(load(slug).title)]
            (score,) = re.findall(r"^\W*([\d.]+)", cell)
            beats = known_habits(load(slug))[level - 1].beats_next
            assert beats is not None
            assert abs(100 - Fraction(score) - beats * 100) <= HALF
    assert all(known_habits(load(slug))[-1].beats_next is None for slug in known_levels.KNOWN)


def finished(level: str, *, won: bool) -> Match:
    players = (Player("Ann", Seat.FIRST), Player("Computer", Seat.SECOND, level))
    match = Match(load("battle").start(grid="792415863"), players)
    match._cut_short = Outcome(Seat.FIRST if won else Seat.SECOND, Reason.RESIGNED)
    return match


@pytest.mark.parametrize(
    ("results", "said"),
    [
        ("www", ["3 wins in a row: try level 4."]),
        ("lll", ["3 losses in a row: try level 2."]),
        ("wwwl", ["3 wins in a row: try level 4."]),
        ("wwl", []),
        ("wwww", []),
        ("wwwwww", ["6 wins in a row: try level 4."]),
        ("", []),
    ],
)
def test_another_level_is_suggested_after_three_in_a_row(results: str, said: list[str]) -> None:
    assert say_suggestion(finished("level:3", won=one == "w") for one in results) == said


def test_nothing_is_suggested_beyond_the_levels_or_across_them() -> None:
    assert say_suggestion([finished("level:9", won=True)] * 3) == []
    assert say_suggestion([finished("level:1", won=False)] * 3) == []
    assert say_suggestion([finished("perfect", won=False)] * 3) == []
    mixed = [finished("level:3", won=True), finished("level:3", won=True), finished("level:2", won=True)]
    assert say_suggestion(mixed) == []


def test_a_level_is_said_as_it_is_in_a_game_or_in_any_game() -> None:
    game = load("shadow")
    assert say_level("level:3", game) == say_habits(known_habits(game)[2])
    other = replace(game, slug="other")
    sees = "never lets you win at once when it could prevent that."
    assert say_level("level:3", other) == f"Level 3 makes a mistake in 39% of its moves, and {sees}"
    assert "may let you win at once" in say_level("level:2", other)
    assert say_level("perfect", game) == "Perfect never gives anything away."
