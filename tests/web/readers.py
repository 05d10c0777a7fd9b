"""A reader of a hub's events that can be slow."""

from __future__ import annotations

import asyncio

from ninefold.store.sql.database import SavedEvent


class KeptEvents:
    """Keeps the numbers of the events that it gets."""

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.ended = False
        self._ready = asyncio.Event()
        self._ready.set()

    def pause(self) -> None:
        self._ready.clear()

    def resume(self) -> None:
        self._ready.set()

    @property
    def paused(self) -> bool:
        return not self._ready.is_set()

    async def drain(self) -> None:
        await self._ready.wait()

    def write(self, event: SavedEvent) -> None:
        assert not self.paused
        self.numbers.append(event.number)

    def end(self) -> None:
        self.ended = True
