"""Counts puzzles: `python -m ninefold.study.puzzles.census` prints the tables of docs/puzzles.md.

With a date and a number, like `2026-01-01 365`, it counts the daily puzzles from that date on; with
`habits 200`, it measures how much habits solve, with that many puzzles of each kind.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from random import Random

from ninefold.core.game import Game
from ninefold.core.puzzles import POSED, Source, Theme
from ninefold.games import every_game
from ninefold.study.puzzles.days import daily, key_of, rotation
from ninefold.study.puzzles.habits import RANDOM, score_habits
from ninefold.study.puzzles.making import search
from ninefold.study.puzzles.tasks import GRADES, Puzzle


def tabulate(head: Sequence[object], rows: Iterator[Sequence[object]]) -> list[str]:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(map(str, line))} |" for line in lines]


def list_kinds() -> list[str]:
    """The kinds of puzzles that there are: the grades of every task, by game. Rare ones have a star."""

    def row(game: Game) -> Iterator[str]:
        yield game.slug
        for task in POSED:
            found = [one for one in game.puzzles.sources if one.task is task and one.grade]
            yield " ".join(f"{one.grade}{'*' if one.rare else ''}" for one in found)

    return tabulate(["game", *POSED], map(list, map(row, every_game())))


def sample(game: Game, source: Source, count: int) -> Iterator[Puzzle]:
    """This many puzzles of a kind, always the same."""
    for number in range(count):
        rng = Random(f"{game.slug} {source.task} {source.grade} {number}")
        yield next(search(game, source, rng))


def measure_habits(count: int) -> list[str]:
    """What random choice and the best habit solve of each kind, in percent."""

    def rows() -> Iterator[Sequence[object]]:
        for game in every_game():
            for source in game.puzzles.sources:
                scores = score_habits(sample(game, source, count))
                chance = scores.pop(RANDOM)
                best = max(scores, key=lambda name: scores[name])
                figures = f"{float(100 * chance):.0f}", best, f"{float(100 * scores[best]):.0f}"
                yield game.slug, source.task, source.grade, *figures

    return tabulate(["game", "task", "grade", "random choice", "best habit", "it solves"], rows())


def count_days(start: date, days: int) -> list[str]:
    """The puzzles of this many days, counted by game, task, grade and theme."""
    found = [daily(start + timedelta(n)) for n in range(days)]
    tables: list[tuple[Sequence[object], list[tuple[str, object]]]] = [
        (POSED, [(one.game, one.task) for one in found]),
        (GRADES, [(one.game, one.grade) for one in found]),
        (list(Theme), [(one.game, theme) for one in found for theme in one.themes]),
    ]
    lines = [f"{days:,} days from {start}, {len({key_of(one.state) for one in found}):,} positions."]
    for names, pairs in tables:
        counts = Counter(pairs)
        games = [game.slug for game, _ in rotation(start + timedelta(days - 1))]
        rows = ([slug, *(counts[slug, name] or "" for name in names)] for slug in games)
        lines += ["", *tabulate(["game", *names], rows)]
    return lines


def main(arguments: Sequence[str]) -> list[str]:
    match arguments:
        case []:
            return list_kinds()
        case ["habits", count]:
            return measure_habits(int(count))
        case [start, days]:
            return count_days(date.fromisoformat(start), int(days))
    raise SystemExit(__doc__)


if __name__ == "__main__":
    print("\n".join(main(sys.argv[1:])))
