"""Running full screen without a terminal: at a size, by keys and by mouse, and reading what is drawn."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from textual.geometry import Offset
from textual.pilot import Pilot
from textual.screen import Screen

from ninefold.core.seat import Seat
from ninefold.match import Match, Player
from ninefold.players import PERSON
from ninefold.show.choosing import BUTTON, parts_of
from ninefold.store.files.matches import Matches
from ninefold.table.file import FileTable
from ninefold.tui.app import Ninefold
from ninefold.tui.board.position import PositionWidget
from ninefold.tui.screens.match import MatchScreen

SIZES = ((80, 24), (100, 40), (60, 20))
PATIENCE = 6000  # times that the screen may settle before a test gives up: a minute or more


class Seen(Pilot[Any]):
    """A pilot that can read."""

    @property
    def lines(self) -> list[str]:
        """What stands on the screen."""
        screen: Screen[Any] = self.app.screen
        strips = screen._compositor.render_strips()
        return ["".join(segment.text for segment in strip).rstrip() for strip in strips]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    async def settle(self, done: Callable[[], bool]) -> None:
        """Wait until something is so. Fails with what is drawn."""
        for _ in range(PATIENCE):
            if done():
                return
            await self.pause(0.01)
        raise AssertionError(f"it never came about:\\n{self.text}")

    async def click_part(self, id: str) -> None:
        """Click in the middle of a cell, a line or a number, wherever it is drawn."""
        places = [
            Offset(x, y)
            for y, strip in enumerate(self.app.screen._compositor.render_strips())
            for x, part in enumerate(_metas(strip))
            if part == id
        ]
        assert places, f"{id} is not drawn:\\n{self.text}"
        await self.click(offset=places[len(places) // 2])


def _metas(strip: Any) -> list[str]:
    """By column, the part that is drawn there."""
    found: list[str] = []
    for text, style, _ in strip:
        part = style.meta.get("part", "") if style is not None and style.meta else ""
        found += [part] * len(text)
    return found


def run(
    test: Callable[[Seen], Awaitable[None]], size: tuple[int, int] = (80, 24), app: Ninefold | None = None
) -> None:
    """Run the program for a test."""

    async def running() -> None:
        started = app or Ninefold()
        async with started.run_test(size=size) as pilot:
            await pilot.pause()
            await test(Seen(pilot.app))

    asyncio.run(running())


async def rest(pilot: Seen) -> None:
    """Wait until everything is computed and drawn."""
    await pilot.pause()
    if len(pilot.app.workers):
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()


def sit_down(
    start: Any, kinds: tuple[str, str] = (PERSON, PERSON), names: tuple[str, str] = ("Ann", "Ben")
) -> MatchScreen:
    """A table with a match from a position on; Ann, Player 1, sits first."""
    players = (Player(names[0], Seat.FIRST, kinds[0]), Player(names[1], Seat.SECOND, kinds[1]))
    return MatchScreen(FileTable(Match(start, players), Matches().new(), dict(start.setup)))


async def choose(pilot: Seen, text: str, *, mouse: bool) -> None:
    """Choose a move of the position that is shown, by its parts."""
    position = pilot.app.screen.query_one(PositionWidget)
    scene = position.scene
    assert scene is not None
    move = scene.game.parse(text)
    spot = scene.game.spot(move)
    parts = list(parts_of(scene.drawing))
    if spot.number is not None:
        number = next(part for part in parts if part.id == f"n-{spot.number}")
        await (pilot.click_part(number.id) if mouse else pilot.press(number.key))
        await pilot.pause()
    if spot.cells and (spot.number is None or position.chosen):  # else the number alone was a whole move
        cells = ".".join(map(str, spot.cells))
        cell = next(
            part
            for part in parts
            if part.id.startswith("c-") and part.id.endswith(f"-{cells}") and move in part.moves
        )
        if mouse:
            await pilot.click_part(cell.id)
        else:
            await go_to(pilot, position, cell.id)
            await pilot.press("enter")
        await pilot.pause()
    if position.chosen or (spot.number is None and not spot.cells):  # a button decides
        button = f"{BUTTON}{scene.game.index(move)}"
        if mouse:
            await pilot.click_part(button)
        else:
            await go_to(pilot, position, button)
            await pilot.press("enter")
    await pilot.pause()


async def go_to(pilot: Seen, position: PositionWidget, id: str) -> None:
    """Move the cursor with the arrows until it is there."""
    places = position._places()
    for _ in range(12):
        if position.pointed == id:
            return
        (row, column), (at_row, at_column) = places[id], places[position.pointed]
        key = (
            "down"
            if row > at_row
            else "up"
            if row < at_row
            else "right"
            if column > at_column
            else "left"
        )
        await pilot.press(key)
    raise AssertionError(f"the cursor does not get to {id}")
