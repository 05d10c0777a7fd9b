"""How many of our modules are entered on the way of a move and of a puzzle's answer.

python -m benchmarks.ways [--list]

From the moment the input is there until the answer is, with the computer's reply to the key. Imports do
not count, calls do.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import re
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, TextIO, cast

GRID = "792415863"


class Ways:
    """Collects the modules whose functions are called while it is open, in later threads, too."""

    def __init__(self) -> None:
        self.entered: set[str] = set()
        self._open = False
        threading.setprofile(self._note)

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        name = frame.f_globals.get("__name__", "")
        if (
            self._open
            and event == "call"
            and name.startswith("ninefold.")
            and frame.f_code.co_name != "<module>"
        ):
            self.entered.add(name)

    def open(self) -> None:
        self._open = True
        sys.setprofile(self._note)

    def close(self) -> None:
        self._open = False
        sys.setprofile(None)


class Typed:
    """Lines that are typed. The way of the one before the last is watched."""

    def __init__(self, lines: list[str], ways: Ways) -> None:
        self.lines, self.ways = lines[::-1], ways

    def readline(self) -> str:
        if len(self.lines) == 2:
            self.ways.open()
        if len(self.lines) == 1:
            self.ways.close()
        return f"{self.lines.pop()}\n" if self.lines else ""

    def isatty(self) -> bool:
        return False


def type_lines(words: list[str], lines: list[str]) -> set[str]:
    """What is entered by the line before the last, in a session of line mode."""
    from ninefold.commands import main

    ways, stdin = Ways(), sys.stdin
    sys.stdin = cast(TextIO, Typed(lines, ways))
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            main(words)
    finally:
        ways.close()
        sys.stdin = stdin
    return ways.entered


def type_move() -> set[str]:
    return type_lines(["play", "battle", "--grid", GRID], ["Ann", "Ben", "0,0", "0,1", "quit"])


def answer_puzzle() -> set[str]:
    return type_lines(["puzzle", "shadow", "--seed", "1"], ["5@1,1", "quit"])


def click_cell() -> set[str]:
    """The form of a click on a cell, and the page that follows."""
    from httpx import ASGITransport, AsyncClient

    from ninefold.store.sql.database import Database
    from ninefold.web.app import make_app
    from ninefold.web.limits import Limits
    from ninefold.web.server import Server

    async def click(folder: str) -> set[str]:
        ways, database = Ways(), Database(f"sqlite:///{folder}/matches.db", 5.0)
        database.open()
        server = Server(database, Limits(rate=0))
        transport = ASGITransport(make_app(server))
        origin = "http://localhost"
        async with AsyncClient(
            transport=transport, base_url=origin, headers={"Origin": origin}
        ) as browser:
            wanted = {"game": "battle", "setup": {"grid": GRID}, "second": {"kind": "person"}}
            made = (await browser.post("/api/v1/matches", json=wanted)).json()
            token = made["held"][0]["token"]
            await browser.post(f"/m/{made['match']}/hold", data={"token": token})
            page = (await browser.get(f"/m/{made['match']}")).text
            form = dict(re.findall(r'<input type="hidden" name="(ply|seat)" value="(\w*)">', page))
            ways.open()
            answer = await browser.post(f"/m/{made['match']}/move", data={**form, "move": "0,0"})
            await browser.get(answer.headers["location"])
            ways.close()
        await server.computers.stop()
        database.close()
        assert answer.status_code == 303, answer.text
        return ways.entered

    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(click(folder))


def press_key() -> set[str]:
    """Enter on a cell in full screen."""
    from textual.pilot import Pilot

    from ninefold.tui.app import Ninefold

    async def rest(pilot: Pilot[Any]) -> None:
        """Wait until all is done, the computer's move too."""
        await pilot.pause()
        while len(pilot.app.workers):
            await pilot.app.workers.wait_for_complete()
            await pilot.pause()

    async def press() -> set[str]:
        ways, app = Ways(), Ninefold()
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("2")  # the second game
            await pilot.pause()
            for _ in range(9):  # down the form, to its button
                await pilot.press("down")
            await pilot.press("enter")
            await rest(pilot)
            ways.open()
            await pilot.press("enter")
            await rest(pilot)
            ways.close()
        return ways.entered

    return asyncio.run(press())


WAYS: dict[str, Callable[[], set[str]]] = {
    "a typed move": type_move,
    "a click": click_cell,
    "a key": press_key,
    "a puzzle's answer": answer_puzzle,
}


@contextlib.contextmanager
def own_folder() -> Iterator[None]:
    """Files go to a folder of their own."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
            os.environ[name] = str(Path(folder) / name)
        yield


def main() -> None:
    with own_folder():
        for name, walk in WAYS.items():
            entered = walk()
            print(f"{name:20}{len(entered):4}")
            if "--list" in sys.argv[1:]:
                print("".join(f"    {one}\n" for one in sorted(entered)))


if __name__ == "__main__":
    main()
