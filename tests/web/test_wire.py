"""What is written in one turn of the event loop leaves at once, in its order, and before the end."""

from __future__ import annotations

import asyncio
from typing import Any

from ninefold.web.wire import Joining


class Noting:
    """A transport that notes what it is asked to do."""

    def __init__(self) -> None:
        self.done: list[Any] = []

    def write(self, data: bytes) -> None:
        self.done.append(data)

    def close(self) -> None:
        self.done.append("closed")

    def is_closing(self) -> bool:
        return "closed" in self.done


def written(*turns: list[bytes], closed: bool = False) -> list[Any]:
    noting = Noting()

    async def write() -> None:
        joining = Joining(noting, asyncio.get_running_loop())  # type: ignore[arg-type]
        for pieces in turns:
            for piece in pieces:
                joining.write(piece)
            if not closed:
                await asyncio.sleep(0)
        if closed:
            joining.close()
            assert joining.is_closing()
        await asyncio.sleep(0)

    asyncio.run(write())
    return noting.done


def test_what_comes_too_late_is_dropped() -> None:
    noting = Noting()

    async def write() -> None:
        joining = Joining(noting, asyncio.get_running_loop())  # type: ignore[arg-type]
        joining.write(b"head")
        noting.close()  # as when the client goes
        await asyncio.sleep(0)

    asyncio.run(write())
    assert noting.done == ["closed"]


def test_a_head_and_its_body_are_one_write() -> None:
    assert written([b"head", b"body"]) == [b"headbody"]


def test_each_turn_has_its_own_write() -> None:
    assert written([b"1", b"2"], [], [b"3"]) == [b"12", b"3"]


def test_what_is_held_goes_out_before_the_end_and_only_once() -> None:
    assert written([b"head", b"body"], closed=True) == [b"headbody", "closed"]
