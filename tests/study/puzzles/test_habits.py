"""No habit solves puzzles: measured for every game, task and grade."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from ninefold import Game, every_game
from ninefold.core.puzzles import Source, Task
from ninefold.study.puzzles.census import sample
from ninefold.study.puzzles.habits import RANDOM, score_habits
from ninefold.study.puzzles.making import search

MANY = 100
MOST = Fraction(15, 100)  # that a habit may do better than random choice
KINDS = [(game, source) for game in every_game() for source in game.puzzles.sources]
# Of each task of a game, the kind that is quickest to find, but no win at once; the long test takes all.
QUICK = list(
    {
        (game.slug, source.task): (game, source)
        for game, source in sorted(KINDS, key=lambda kind: kind[1].grade == 1)[::-1]
    }.values()
)


def name(kind: tuple[Game, Source]) -> str:
    game, source = kind
    return f"{game.slug}-{source.task}-{source.grade}"


def check_habits(game: Game, source: Source, count: int) -> None:
    scores = score_habits(sample(game, source, count))
    chance = scores.pop(RANDOM)
    if source.task is Task.WIN and source.grade == 1:  # a win at once may be greedy
        assert scores.pop("greedy") == 1
    noise = 0 if count >= MANY else 1 / count**0.5  # two standard deviations, in a small sample
    beaten = {
        name: float(score - chance) for name, score in scores.items() if score > chance + MOST + noise
    }
    assert not beaten


@pytest.mark.parametrize(("game", "source"), QUICK, ids=map(name, QUICK))
def test_no_habit_beats_random_choice_by_much(game: Game, source: Source) -> None:
    if source.grade is not None:  # else it is a mixture of kinds
        check_habits(game, source, 12)


@pytest.mark.long
@pytest.mark.parametrize(("game", "source"), KINDS, ids=map(name, KINDS))
def test_no_habit_beats_random_choice_by_more_than_fifteen_points(game: Game, source: Source) -> None:
    if source.grade is not None:
        check_habits(game, source, MANY)


def test_a_habit_that_always_works_would_be_seen() -> None:
    """In the games of sums, the only winning move was always the largest: such puzzles are not made."""
    for slug in ("battle", "cross"):
        tasks = {source.task for game, source in KINDS if game.slug == slug}
        assert Task.WIN not in tasks
    found = score_habits(next(search(game, one, Random(1))) for game, one in KINDS if one.grade == 1)
    assert found["greedy"] > found[RANDOM] + MOST
