"""Screens as text, as they were found good: to see what changes when something changes.

    NINEFOLD_GOLDEN=write python -m pytest tests/tui/test_screens.py

writes them again; look at the difference before you commit it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import ninefold
from tests.tui.pilot import Seen, run, sit_down

GOLDEN = Path(__file__).parents[1] / "golden" / "tui"

# A position in the middle of each game: the setup and the moves.
POSITIONS: dict[str, tuple[dict[str, int | str], str]] = {
    "shadow": ({"target": 15}, "5@2,2 7@1,2 4@3,1 6@1,3"),
    "battle": ({"grid": "792415863"}, "0,1 2,0 0,0"),
    "pattern": ({}, "5@2,2 9@1,1 1@1,3"),
    "conquest": ({"size": 4}, "claim:6 claim:7 claim:10 claim:11 challenge:11 bid:4 bid:2"),
    "cross": ({"grid": "792415863"}, "Row2 Col1"),
}
SIZES = ((80, 24), (100, 40), (60, 20), (48, 18))
KEYS = {  # from the menu on
    "home": "",
    "setup": "1",
    "settings": "s",
    "host": "1 right right",
    "join": "o j",
    "watch": "o w",
    "help": "1 question_mark",
}


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
    table = sit_down(game.set_up(setup))
    for text in moves.split():
        match = table.sitting.match
        match.submit(match.state.movers[0], text)

    async def test(pilot: Seen) -> None:
        await pilot.app.push_screen(table)
        await pilot.pause()
        check(f"{slug}-{size[0]}x{size[1]}", pilot.text)

    run(test, size)


@pytest.mark.parametrize("name", KEYS)
def test_a_screen(name: str) -> None:
    async def test(pilot: Seen) -> None:
        for key in KEYS[name].split():
            await pilot.press(key)
            await pilot.pause()
        check(name, pilot.text)

    run(test)


def test_a_window_that_is_too_small() -> None:
    async def test(pilot: Seen) -> None:
        check("small", pilot.text)

    run(test, (36, 12))
