"""Plays for the computers' seats: thinks in worker processes, and submits moves like everybody else."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from random import SystemRandom
from typing import Any

from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.match.kinds import is_computer
from ninefold.players import PlayerFailed, seat_player
from ninefold.store.sql import queries
from ninefold.store.sql.database import Database, NoSuchMatch, Room, SavedEvent, Transaction
from ninefold.web.actions import changes, play
from ninefold.web.jobs import Jobs, Lane

log = logging.getLogger("ninefold.web")
SWEEP = 5.0  # seconds between checks for matches that wait for a computer


class Computers:
    def __init__(
        self, database: Database, jobs: Jobs, publish: Callable[[list[SavedEvent]], Awaitable[None]]
    ) -> None:
        self._database = database
        self._jobs = jobs
        self._publish = publish
        self._thoughts: dict[str, asyncio.Task[None]] = {}
        self._sweeping: asyncio.Task[None] | None = None
        self._stopping = False

    @property
    def thinking(self) -> int:
        return len(self._thoughts)

    async def start(self) -> None:
        """Start checking for matches that wait for a computer, such as after a restart."""
        self._sweeping = asyncio.create_task(self._sweep())

    async def stop(self) -> None:
        """Drop the moves in progress, and start no more. The next start continues."""
        self._stopping = True
        if self._sweeping is not None:
            self._sweeping.cancel()
        thoughts = tuple(self._thoughts.values())
        for thought in thoughts:
            thought.cancel()
        await asyncio.gather(*thoughts, return_exceptions=True)

    def think(self, room: Room) -> None:
        """Have the computer of this match move, unless it is thinking already."""
        if room.id not in self._thoughts and not self._stopping:
            task = asyncio.create_task(self._play(room))
            self._thoughts[room.id] = task
            task.add_done_callback(lambda _: self._thoughts.pop(room.id, None))

    async def _play(self, room: Room) -> None:
        """Make moves for as long as it is a computer's turn."""
        while room.due and not self._stopping:
            seat = changes.computer_to_move(room)
            if seat is None:
                return
            lane = Lane.NOBODY if all(map(is_computer, room.kinds)) else Lane.OPPONENT
            given = room.kinds[seat], room.match.open_state, seat
            try:
                text = await self._jobs.run(lane, _choose_move, *given)
                work: Callable[[Transaction], Room] = partial(
                    play.computer_move, seen=room, seat=seat, text=text
                )
            except PlayerFailed as error:
                work = partial(play.forfeit, id=room.id, seat=seat, why=str(error))
            except Exception:
                log.exception("a computer failed")
                return
            try:
                room, events = await self._database.run_async(work)
            except NoSuchMatch:  # it has been aborted
                return
            except Exception as error:  # the database may be away: the next sweep tries again
                log.warning("a computer's move could not be saved: %s", type(error).__name__)
                return
            await self._publish(events)

    async def _sweep(self) -> None:
        due = partial(self._database.find, None, queries.DUE)
        while True:
            try:
                for room in await asyncio.wrap_future(self._database.read(due)):
                    self.think(room)
            except Exception:
                log.warning("could not look for computers' turns; trying again")
            await asyncio.sleep(SWEEP)


def _choose_move(kind: str, state: State[Any], seat: Seat) -> str:
    player = seat_player(kind, SystemRandom())
    assert player is not None
    try:
        return str(player.choose(state, seat))
    finally:
        player.close()
