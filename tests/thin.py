"""Slow tests that take every game take a few of them, unless all long tests are run."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection
from zlib import crc32

import pytest


def finder(games: Collection[str]) -> re.Pattern[str]:
    """What finds a game in the parameters of a test."""
    names = "|".join(sorted(games, key=len, reverse=True))  # some begin like others
    return re.compile(rf"(?<![^-/ ])(?:{names})(?![^-/ ])")  # the names of pages have games in them, too


def thin_out(items: list[pytest.Item], games: Collection[str], kept: int) -> None:
    """Mark tests as long: of those that differ only in the game, all but as many as are `kept`.

    The tests of a file take the games in turn, so each game keeps its share of them.
    """
    find = finder(games)
    alike: defaultdict[str, list[tuple[str, pytest.Item]]] = defaultdict(list)
    for item in items:
        test, _, parameters = item.nodeid.partition("[")
        if len(taken := find.findall(parameters := parameters.rstrip("]"))) == 1:
            rest = test + find.sub("", parameters).replace("--", "-").strip("-")
            alike[rest].append((taken[0], item))
    turns: Counter[tuple[str, str]] = Counter()  # by file and game
    for test, cases in alike.items():
        file = test.partition("::")[0]
        by_turn = {game: (turns[file, game], crc32(f"{test} {game}".encode())) for game, _ in cases}
        ranked = sorted(cases, key=lambda case: by_turn[case[0]])
        turns.update((file, game) for game, _ in ranked[:kept])
        for _, item in ranked[kept:]:
            item.add_marker(pytest.mark.long)


def keep_cases(items: list[pytest.Item], games: Collection[str], kept: int) -> None:
    """Mark tests as long: of one test with the same game, all cases but as many as are `kept`.

    Which ones is decided by the test's name.
    """
    find = finder(games)
    alike: defaultdict[tuple[str, ...], list[tuple[int, pytest.Item]]] = defaultdict(list)
    for item in items:
        test, _, parameters = item.nodeid.partition("[")
        if item.get_closest_marker("long") is None and (taken := find.findall(parameters.rstrip("]"))):
            alike[test, *sorted({*taken})].append((crc32(item.nodeid.encode()), item))
    for ranked in alike.values():
        for _, item in sorted(ranked, key=lambda one: one[0])[kept:]:
            item.add_marker(pytest.mark.long)
