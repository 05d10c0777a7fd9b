"""The clock on the page: chosen with the settings, shown at the match; and who is away."""

from __future__ import annotations

import re
import time
from pathlib import Path

import httpx
from msgspec.structs import replace

from ninefold import Seat
from ninefold.store.sql.database import Room, Transaction
from ninefold.web.actions import changes, matches, play
from ninefold.web.server import Server
from tests.web.inside import inside

HTML = {"Accept": "text/html"}


def test_a_clock_is_chosen_and_shown(tmp_path: Path) -> None:
    async def work(client: httpx.AsyncClient, server: Server) -> None:
        form = (await client.get("/new/battle", headers=HTML)).text
        assert re.findall(r'name="clock" value="(\d+)"', form) == ["30", "120", "600", "86400"]
        chosen = {"game": "battle", "against": "here", "clock": "120"}
        made = await client.post("/new/battle", data=chosen, headers=HTML)
        assert made.status_code == 303, made.text
        room = await server.room(made.headers["location"].rpartition("/")[2])
        assert room.match.clock == 120
        page = (await client.get(made.headers["location"], headers=HTML)).text
        assert f'<time class="clock" datetime="{changes.deadline_text(room)}" data-left="120"' in page

    inside(tmp_path, work)


def test_a_game_can_be_claimed_from_whoever_is_away(tmp_path: Path) -> None:
    async def work(client: httpx.AsyncClient, server: Server) -> None:
        chosen = {"game": "battle", "against": "friend", "side": "second"}
        made = await client.post("/new/battle", data=chosen, headers=HTML)
        path = made.headers["location"]
        id = path.rpartition("/")[2]
        await server.run(lambda tx: matches.join(tx, id, "Ben"))
        assert "is away" not in (await client.get(path, headers=HTML)).text
        await server.run(lambda tx: play.note_presence(tx, id, Seat.FIRST, here=False))
        page = (await client.get(path, headers=HTML)).text
        assert "Ben is away." in page
        assert f'action="{path}/claim"' not in page  # not before ten minutes are over
        answer = await client.post(f"{path}/claim", data={"seat": "second"}, headers=HTML)
        assert answer.status_code == 409
        assert "You can claim the game in 10 min." in answer.text

        def leave_long_ago(tx: Transaction) -> Room:
            room, before = tx.room(id), time.time() - 601
            return tx.save(replace(room, away=(before, None), touched=before), [])

        await server.run(leave_long_ago)
        assert f'action="{path}/claim"' in (await client.get(path, headers=HTML)).text
        await client.post(f"{path}/claim", data={"seat": "second"}, headers=HTML)
        assert "You win." in (await client.get(path, headers=HTML)).text

    inside(tmp_path, work)
