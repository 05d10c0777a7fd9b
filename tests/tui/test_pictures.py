"""The pictures in the documents are drawn by the program itself, and show what it draws now.

NINEFOLD_GOLDEN=write python -m pytest tests/tui/test_pictures.py
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import ninefold
from ninefold.core.seat import Seat
from ninefold.match import Match, Player
from ninefold.show.exploring import follow
from ninefold.tui.board.position import PositionWidget
from ninefold.tui.screens.explorer import Explorer
from ninefold.tui.screens.review import ReviewScreen
from ninefold.tui.screens.screen import Leaf
from tests.tui.pilot import Seen, go_to, rest, run, sit_down

DOCS = Path(__file__).parents[2] / "docs"
FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)  # fetched from elsewhere: any other will do
DUEL = "5@2,2 7@1,2 4@3,1 6@1,3"
LOST = "5@2,2 7@1,2 4@3,1 6@1,3 8@1,1 2@3,3 3@2,1"


def match_of(moves: str) -> Match:
    players = (Player("Ann", Seat.FIRST), Player("Ben", Seat.SECOND))
    match = Match(ninefold.load("shadow").start(target=15), players)
    for text in moves.split():
        match.submit(match.state.movers[0], text)
    return match


def duel() -> Leaf:
    screen = sit_down(ninefold.load("shadow").start(target=15))
    for text in DUEL.split():
        screen.table.match.submit(screen.table.match.state.movers[0], text)
    return screen


def explorer() -> Leaf:
    start = ninefold.load("shadow").start(target=15)
    return Explorer(follow(start, DUEL.split()))


def review() -> Leaf:
    return ReviewScreen(match_of(LOST), None, at=5)


PICTURES = {"screen-duel": duel, "screen-explorer": explorer, "screen-review": review}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLORTERM", "truecolor")

    async def test(pilot: Seen) -> None:
        await pilot.app.push_screen(PICTURES[name]())
        await pilot.pause()
        if name != "screen-review":
            await pilot.press("8")
            await go_to(pilot, pilot.app.screen.query_one(PositionWidget), "c-0-0")
        await rest(pilot)
        drawn = FONTS.sub("", pilot.app.export_screenshot(title="ninefold tui"))
        path = DOCS / f"{name}.svg"
        if os.environ.get("NINEFOLD_GOLDEN") == "write":
            path.write_text(drawn, encoding="utf-8")
        assert drawn == path.read_text(encoding="utf-8")

    run(test)
