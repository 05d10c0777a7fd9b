"""The puzzle of a day: made of the date alone, never twice within a year, no easier through the week."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

import pytest

from ninefold.core.puzzles import Source, Week
from ninefold.games import GAMES
from ninefold.study.puzzles import NoSuchPuzzle, Puzzle, Task, daily, key_of, labels
from ninefold.study.puzzles.days import rotation
from ninefold.study.puzzles.labels import Label
from tests.sixth import garden
from tests.study.puzzles.checks import check, texts_of

START = date(2026, 1, 1)
WEEKS = {game.slug: week for game, week in rotation(START)}
DECADE = (date(2036, 1, 1) - START).days
STAY = {
    "2026-01-01": (
        "pattern",
        "9@2,1 7@1,1 5@2,3 2@2,1 4@3,2 1@3,2 6@3,1 8@3,1 3@3,3",
        "return@3,2",
    ),
    "2026-01-02": (
        "conquest",
        "claim:1 claim:10 claim:5 claim:2 challenge:10 bid:4 bid:1 claim:12 claim:15 claim:16 claim:8"
        " challenge:10",
        "c",
    ),
}


def days(count: int, start: date = START) -> list[tuple[date, Puzzle]]:
    return [(day, daily(day)) for day in (start + timedelta(n) for n in range(count))]


def assert_no_position_comes_back(found: list[tuple[date, Puzzle]]) -> None:
    last: dict[object, date] = {}
    for day, one in found:
        key = key_of(one.state)
        assert key not in last or (day - last[key]).days > 366, (day, one)
        last[key] = day


def test_five_weeks_bring_every_game_on_every_day_of_the_week() -> None:
    found = days(35)
    assert len({(day.weekday(), one.game) for day, one in found}) == 35
    assert all(a[1].game != b[1].game for a, b in pairwise(found))
    for day, one in found:
        source = WEEKS[one.game].days[day.weekday()]
        assert (one.task, one.grade, len(one.moves) in source.plies) == (source.task, source.grade, True)
        assert all(len(one.state.moves(seat)) > 2 for seat in one.state.movers)
    for _, one in found[: len(WEEKS)]:  # each game's; the long test checks all days
        check(one)
    assert_no_position_comes_back(found)


def test_no_day_of_a_week_is_easier_than_the_one_before() -> None:
    for week in WEEKS.values():
        grades = [source.grade or 0 for source in week.days]
        assert len(week.days) == 7
        assert grades == sorted(grades)
        assert grades[0] < grades[-1]
        assert sum(source.task is Task.WIN and source.grade == 1 for source in week.days) <= 2


def test_a_rare_kind_is_not_repeated_within_a_month() -> None:
    """A game has the same day of the week again after as many weeks as there are games."""
    assert 7 * len(WEEKS) > 31
    for week in WEEKS.values():
        kinds = [(source.task, source.grade) for source in week.days if source.rare]
        assert len(kinds) == len({*kinds})


def test_a_day_opens_at_midnight_utc_and_the_library_does_not_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(labels, "today", lambda: START)
    assert Label(day=START).find() == daily(START)
    tomorrow = START + timedelta(1)
    with pytest.raises(NoSuchPuzzle) as refused:
        Label(day=tomorrow).find()
    assert str(refused.value) == "The puzzle of 2026-01-02 opens on that day, at midnight UTC."
    assert daily(tomorrow).game


def test_some_days_stay_what_they_are() -> None:
    """Yesterday's puzzle must be the same tomorrow, and everywhere."""
    assert {day.isoformat(): (one.game, *texts_of(one)) for day, one in days(2)} == STAY


@pytest.mark.parametrize("years", [1, pytest.param(3, marks=pytest.mark.long)])
def test_the_same_days_of_a_year_are_all_different(years: int) -> None:
    """Tuesdays and Thursdays with quick games: whole years of each."""
    quick = [
        START + timedelta(n)
        for n in range(years * 366)
        if (START + timedelta(n)).toordinal() % 5 in (1, 4) and (START + timedelta(n)).weekday() in (1, 3)
    ]
    found = [(day, daily(day)) for day in quick]
    assert {one.game for _, one in found} == {"battle", "cross"}
    assert_no_position_comes_back(found)


def add_garden(monkeypatch: pytest.MonkeyPatch, week: Week | None) -> None:
    """Put one of the tests' own games into the registry, with this week of puzzles."""
    puzzles = replace(garden.GAME.puzzles, week=week)
    monkeypatch.setattr(garden, "GAME", replace(garden.GAME, puzzles=puzzles))
    monkeypatch.setitem(GAMES, garden.GAME.slug, garden.__name__)


def turns(count: int) -> list[str]:
    """Whose turn it is on each day from START on."""
    every = (START + timedelta(n) for n in range(count))
    return [rotation(day)[day.toordinal() % len(rotation(day))][0].slug for day in every]


def test_a_game_that_joins_leaves_all_earlier_days_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    since = START + timedelta(600)
    before, rotations = days(6, since - timedelta(6)), turns(600)
    add_garden(monkeypatch, Week(since, (Source(Task.KIND, None, (0, 1, 2, 3)),) * 7))
    assert days(6, since - timedelta(6)) == before
    assert turns(600) == rotations
    joined = days(6, since)
    assert {one.game for _, one in joined} == {*WEEKS, garden.GAME.slug}
    assert all(rotation(START + timedelta(n)) == rotation(START) for n in range(-9000, 600, 7))


def test_a_game_without_a_week_has_no_daily_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    add_garden(monkeypatch, None)
    assert {game.slug for game, _ in rotation(date.max)} == set(WEEKS)


@pytest.mark.long
def test_ten_years_bring_no_position_twice_within_a_year() -> None:
    found = days(DECADE)
    assert_no_position_comes_back(found)
    for _, one in found:
        check(one)
