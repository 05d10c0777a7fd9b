"""Counts the daily puzzles: `python -m ninefold.study.puzzles.census 2026-01-01 3652` prints tables."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta

from ninefold.core.puzzles import Task, Theme
from ninefold.study.puzzles.days import daily, key_of, rotation
from ninefold.study.puzzles.tasks import GRADES


def census(start: date, days: int) -> list[str]:
    """The puzzles of this many days, counted by game, task, grade and theme, as Markdown tables."""
    found = [daily(start + timedelta(n)) for n in range(days)]
    tables: list[tuple[Sequence[object], list[tuple[str, object]]]] = [
        (list(Task), [(one.game, one.task) for one in found]),
        (GRADES, [(one.game, one.grade) for one in found]),
        (list(Theme), [(one.game, theme) for one in found for theme in one.themes]),
    ]
    lines = [f"{days:,} days from {start}, {len({key_of(one.state) for one in found}):,} positions."]
    for names, pairs in tables:
        counts = Counter(pairs)
        lines += ["", f"| game | {' | '.join(map(str, names))} |", f"|---|{'---|' * len(names)}"]
        for game, _ in rotation(start + timedelta(days - 1)):
            row = " | ".join(str(counts[game.slug, name] or "") for name in names)
            lines.append(f"| {game.slug} | {row} |")
    return lines


if __name__ == "__main__":
    print("\n".join(census(date.fromisoformat(sys.argv[1]), int(sys.argv[2]))))
