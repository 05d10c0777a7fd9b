"""What is said of the levels is computed: the shares by a second count, the order by their habits."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ninefold import Seat
from ninefold.analysis import evaluate
from ninefold.core.outcome import Outcome, Reason
from ninefold.games import load
from ninefold.match import Match, Player
from ninefold.players import LEVELS, policy_of
from ninefold.show.levels import say_habits, say_level, say_suggestion
from ninefold.study import levels
from ninefold.study.levels import find_habits


@pytest.mark.parametrize("slug", ["battle", "cross"])
def test_higher_levels_give_away_less_and_see_what_is_near(slug: str) -> None:
    found = find_habits(load(slug), pairs=0)
    assert [one.level for one in found] == list(LEVELS)
    away = [one.gives_away for one in found]
    assert away == sorted(away, reverse=True)
    assert all(one.allows_win == 0 for one in found[2:])
    assert "never lets you win at once" in say_habits(found[2])
    assert "lets you win at once" in say_habits(found[0])


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
    assert f"Against level 2 it scores {one.beats_next:.0%}." in say_habits(one)


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


def test_a_level_is_said_as_it_is_in_any_game() -> None:
    said = say_level("level:3")
    sees = "never lets you win at once when it could prevent that."
    assert said == f"Level 3 makes a mistake in 39% of its moves, and {sees}"
    assert "may let you win at once" in say_level("level:2")
    assert say_level("perfect") == "Perfect never gives anything away."
