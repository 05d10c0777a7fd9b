"""Screens as text, as they were found good: to see what changes when something changes.

    NINEFOLD_GOLDEN=write python -m pytest tests/tui/test_screens.py

writes them again; look at the difference before you commit it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from textual.screen import Screen

import ninefold
from ninefold import Seat
from ninefold.match import Match
from ninefold.show.examples import example_match
from ninefold.show.exploring import follow
from ninefold.store.files.matches import Matches
from ninefold.store.files.progress import PuzzleProgress
from ninefold.study.puzzles.labels import find_label, read_wanted
from ninefold.tui.forms.explorer import ExplorerForm
from ninefold.tui.forms.puzzle import PuzzleForm
from ninefold.tui.screens.explorer import Explorer
from ninefold.tui.screens.puzzle import Solving
from ninefold.tui.screens.replay import Replay
from ninefold.tui.screens.review import ReviewScreen
from ninefold.tui.screens.rules import Rules
from tests.tui.pilot import Seen, rest, run, sit_down

GOLDEN = Path(__file__).parents[1] / "golden" / "tui"

# A position in the middle of each game: the setup and the moves.
POSITIONS: dict[str, tuple[dict[str, int | str], str]] = {
    "shadow": ({"target": 15}, "5@2,2 7@1,2 4@3,1 6@1,3"),
    "battle": ({"grid": "792415863"}, "0,1 2,0 0,0"),
    "pattern": ({}, "5@2,2 9@1,1 1@1,3"),
    "conquest": ({"size": 4}, "claim:6 claim:7 claim:10 claim:11 challenge:11 bid:4 bid:2"),
    "cross": ({"grid": "792415863"}, "Row2 Col1"),
}
SIZES = ((80, 24), (100, 40), (60, 20), (48, 18), (40, 16), (120, 50))
KEYS = {  # from the menu on
    "home": "",
    "setup": "1",
    "settings": "s",
    "host": "1 right right",
    "join": "o j",
    "watch": "o w",
    "help": "1 question_mark",
}


@pytest.fixture(autouse=True)
def one_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """The puzzle of the day is always the same."""
    for module in ("home", "puzzles", "puzzle"):
        monkeypatch.setattr(f"ninefold.tui.screens.{module}.today", lambda: date(2026, 11, 16))


def check(name: str, text: str) -> None:
    """Compare a screen with the golden one."""
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("NINEFOLD_GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"{text}\n", encoding="utf-8")
    assert f"{text}\n" == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("slug", POSITIONS)
def test_a_table(slug: str, size: tuple[int, int]) -> None:
    setup, moves = POSITIONS[slug]
    game = ninefold.load(slug)
    screen = sit_down(game.set_up(setup))
    for text in moves.split():
        match = screen.table.match
        match.submit(match.state.movers[0], text)

    async def test(pilot: Seen) -> None:
        await pilot.app.push_screen(screen)
        await pilot.pause()
        check(f"{slug}-{size[0]}x{size[1]}", pilot.text)

    run(test, size)


@pytest.mark.parametrize(
    ("name", "size"), [*((name, (80, 24)) for name in KEYS), ("home", (40, 16)), ("help", (40, 16))]
)
def test_a_screen(name: str, size: tuple[int, int]) -> None:
    async def test(pilot: Seen) -> None:
        for key in KEYS[name].split():
            await pilot.press(key)
            await pilot.pause()
        check(name if size == (80, 24) else f"{name}-{size[0]}x{size[1]}", pilot.text)

    run(test, size)


def test_a_window_that_is_too_small() -> None:
    async def test(pilot: Seen) -> None:
        check("small", pilot.text)

    run(test, (36, 12))


# Studying: screens with fixed matches, positions and puzzles, and the keys that are pressed there.


def example(slug: str) -> Match:
    return example_match(ninefold.load(slug))


def puzzle(game: str, task: str) -> Solving:
    label = find_label(ninefold.load(game), "2", read_wanted(task))
    return Solving(label, label.find())


STUDIES: dict[str, tuple[Callable[[], Screen[None]], str]] = {
    "rules": (lambda: Rules(ninefold.load("shadow")), ""),
    "example": (lambda: Rules(ninefold.load("conquest")), "tab right right right right"),
    "replay": (lambda: Replay(example("pattern"), None), "right right right"),
    "review": (lambda: ReviewScreen(example("shadow"), Seat.FIRST), "n"),
    "review-end": (lambda: ReviewScreen(example("conquest"), None), "end"),
    "find": (lambda: ReviewScreen(example("battle"), None), "n f s"),
    "explorer-form": (lambda: ExplorerForm(ninefold.load("battle")), ""),
    "explorer": (lambda: explore("pattern", "5@2,2 9@1,1 1@1,3 4@2,2"), "6"),
    "explorer-secret": (lambda: explore("conquest", "claim:1 challenge:1"), "right"),
    "explorer-lines": (lambda: explore("cross", "Row2 Col1", grid="792415863"), ""),
    "puzzle": (lambda: puzzle("shadow", "win"), ""),
    "puzzle-refuted": (lambda: puzzle("battle", "least"), "1"),
    "puzzle-count": (lambda: puzzle("cross", "count"), "1 2 minus enter"),
    "puzzle-mix": (lambda: puzzle("conquest", "mix"), "1 3 a"),
    "puzzle-last": (lambda: puzzle("battle", "last"), "right"),
    "puzzle-shown": (lambda: puzzle("pattern", "save"), "s"),
    "puzzle-form": (PuzzleForm, "right"),
}


def explore(slug: str, moves: str, **setup: int | str) -> Explorer:
    return Explorer(follow(ninefold.load(slug).set_up(setup), moves.split()))


def test_screens_to_study_at() -> None:
    async def test(pilot: Seen) -> None:
        for name, (screen, keys) in STUDIES.items():
            await pilot.app.push_screen(screen())
            await rest(pilot)
            for key in keys.split():
                await pilot.press(key)
                await rest(pilot)
            check(name, pilot.text)
            while len(pilot.app.screen_stack) > 2:
                await pilot.app.pop_screen()

    run(test)


def test_lists_of_matches_and_puzzles() -> None:
    for number, slug in enumerate(("conquest", "battle")):
        match = example_match(ninefold.load(slug), None if number else 4)
        with Matches().new() as saved:
            saved.update(match)
            os.utime(saved.path, (number, number))
    PuzzleProgress().note("battle/2", wrong="7")

    async def test(pilot: Seen) -> None:
        for name, key in (("matches", "m"), ("puzzles", "p")):
            await pilot.press(key)
            await rest(pilot)
            check(name, re.sub(r"\d{4}-\d\d-\d\d( \d\d:\d\d)?", fixed, pilot.text))
            await pilot.press("q")

    run(test)


def fixed(found: re.Match[str]) -> str:
    """A date and a time that are always the same."""
    return "2026-11-16 12:00"[: len(found[0])]
