"""What has been worked out already, and so is answered sooner, depends on nobody's secret."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from ninefold import analysis
from ninefold.analysis import shadow
from ninefold.analysis.placing import tablebase
from ninefold.games.shadow.rules import TARGETS
from ninefold.web.server import Server
from tests.web.inside import inside
from tests.web.support import API, PERSON, bearer, got

Made = list[bytes]  # tablebases, each by what it was made for


def made_for_a_stranger(
    folder: Path, target: int, opponent: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> list[Made]:
    """The tablebases that a server makes for each evaluation, after play in a match with that target.

    Against a person a hint is asked for; a perfect computer makes a move.
    """
    made: Made = []
    solve = tablebase.solve

    def recorded(job: Any, progress: Any) -> Any:
        made.append(job.fits)
        return solve(job, progress)

    monkeypatch.setattr(shadow, "solve", recorded)
    monkeypatch.setattr(shadow, "_tablebases", {})
    monkeypatch.setattr(analysis, "_together", False)

    async def work(client: httpx.AsyncClient, _: Server) -> list[Made]:
        wanted = {"game": "shadow", "setup": {"target": target}, "first": PERSON, "second": opponent}
        created = got(await client.post(f"{API}/matches", json=wanted), 201)
        token = created["held"][0]["token"]
        path = f"{API}/matches/{created['match']}"
        if opponent == PERSON:
            got(await client.get(f"{path}/hint", headers=bearer(token)))
        else:
            move = {"move": "1@1,1", "ply": 0}
            got(await client.post(f"{path}/moves", json=move, headers=bearer(token)))
            while got(await client.get(path))["ply"] < 2:
                await asyncio.sleep(0)
        assert made, "it needs a tablebase"
        found = []
        for other in TARGETS:
            made.clear()
            got(await client.get(f"{API}/evaluation?game=shadow&target={other}"))
            found.append(list(made))
        return found

    return inside(folder, work)


@pytest.mark.parametrize("opponent", [PERSON, {"kind": "perfect"}], ids=["hint", "computer"])
def test_a_stranger_s_evaluations_take_the_same_work_whatever_target_others_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opponent: dict[str, str]
) -> None:
    worlds = []
    for target in (10, 13, 15, 18):
        with monkeypatch.context() as patch:
            worlds.append(made_for_a_stranger(tmp_path / str(target), target, opponent, patch))
    assert worlds == [worlds[0]] * len(worlds)
