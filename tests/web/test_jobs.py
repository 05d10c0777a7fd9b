"""Work that takes long: in processes of its own, bounded, and never in the way of a move."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn, TypeVar

import httpx
import pytest
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from ninefold import MalformedMove, load
from ninefold.core import errors
from ninefold.match import Match
from ninefold.show.board import Drawing
from ninefold.web.computing import compute
from ninefold.web.jobs import EACH, PROCESSES, QUEUE, RETRY, Jobs, Lane
from ninefold.web.page import lobby
from ninefold.web.page.example import draw_match
from ninefold.web.server import Server
from tests.setups import GAMES, setups_of
from tests.web.inside import inside
from tests.web.support import API, PATIENCE, PERSON, bearer, got

T = TypeVar("T")


def with_jobs(work: Callable[[Jobs], Awaitable[T]], processes: int = 1) -> T:
    async def run() -> T:
        jobs = Jobs(processes)
        try:
            async with asyncio.timeout(PATIENCE):
                return await work(jobs)
        finally:
            jobs.stop()

    return asyncio.run(run())


def wait_for_file(path: str) -> None:
    while not os.path.exists(path):
        pass


def die(*_: object) -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def test_a_job_runs_elsewhere_and_its_answer_or_error_comes_back() -> None:
    async def work(jobs: Jobs) -> None:
        assert await jobs.run_for("ann", os.getpid) != os.getpid()
        with pytest.raises(MalformedMove, match="xyzzy"):
            await jobs.run_for("ann", load("shadow").parse, "xyzzy")  # a game is sent by its name

    with_jobs(work)


def test_every_error_that_a_player_may_see_survives_the_way_back() -> None:
    kinds = [one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, Exception)]
    for kind in kinds:
        error = pickle.loads(pickle.dumps(kind("A sentence.")))
        assert (type(error), str(error)) == (kind, "A sentence.")


def test_jobs_per_client_and_all_waiting_jobs_are_bounded_and_computers_come_first(
    tmp_path: Path,
) -> None:
    blocked = str(tmp_path / "go")

    async def work(jobs: Jobs) -> None:
        order: list[str] = []

        async def run(name: str, job: Awaitable[Any]) -> None:
            await job
            order.append(name)

        def start(name: str, job: Awaitable[Any]) -> asyncio.Task[None]:
            return asyncio.create_task(run(name, job))

        tasks = [start("blocking", jobs.run_for("eve", wait_for_file, blocked))]
        await asyncio.sleep(0)
        tasks += [start("eve", jobs.run_for("eve", int)) for _ in range(EACH - 1)]
        await asyncio.sleep(0)
        with pytest.raises(HTTPException) as refusal:
            await jobs.run_for("eve", int)
        assert refusal.value.status_code == 429
        others = [start("other", jobs.run_for(f"other {k}", int)) for k in range(QUEUE - EACH + 1)]
        await asyncio.sleep(0)
        with pytest.raises(HTTPException) as refusal:
            await jobs.run_for("ben", int)
        assert refusal.value.status_code == 503
        assert refusal.value.headers == {"Retry-After": "2"}
        others.pop().cancel()  # its client leaves, which makes room for another
        await asyncio.sleep(0)
        last = start("last", jobs.run(Lane.NOBODY, int))
        tasks += [start("ben", jobs.run_for("ben", int)), *others, last]
        tasks += [start("computer", jobs.run(Lane.OPPONENT, int)) for _ in range(QUEUE)]
        await asyncio.sleep(0)
        Path(blocked).touch()
        await asyncio.gather(*tasks)
        clients = ["eve"] * (EACH - 1) + ["other"] * (QUEUE - EACH) + ["ben"]
        assert order == ["blocking", *["computer"] * QUEUE, *clients, "last"]
        assert jobs.waiting == 0
        assert await jobs.run_for("eve", int) == 0

    with_jobs(work)


def test_a_job_that_runs_counts_for_its_client_even_if_the_client_leaves(tmp_path: Path) -> None:
    blocked = str(tmp_path / "go")

    async def work(jobs: Jobs) -> None:
        tasks = [asyncio.create_task(jobs.run_for("eve", wait_for_file, blocked)) for _ in range(EACH)]
        while jobs.waiting or not all(worker._process for worker in jobs._workers):
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with pytest.raises(HTTPException):
            await jobs.run_for("eve", int)
        Path(blocked).touch()

    with_jobs(work, PROCESSES)


def test_a_job_that_waits_is_dropped_when_its_client_disconnects(tmp_path: Path) -> None:
    blocked = str(tmp_path / "go")

    async def work(jobs: Jobs) -> None:
        disconnected = asyncio.Event()

        async def receive() -> dict[str, Any]:
            await disconnected.wait()
            return {"type": "http.disconnect"}

        scope = {"type": "http", "ninefold": SimpleNamespace(jobs=jobs), "client": ("10.0.0.1", 1)}
        blocking = asyncio.create_task(jobs.run_for("ann", wait_for_file, blocked))
        waiting = asyncio.create_task(compute(Request(scope, receive), int))
        while not jobs.waiting:
            await asyncio.sleep(0)
        disconnected.set()
        with pytest.raises(ClientDisconnect):
            await waiting
        await asyncio.sleep(0)
        assert jobs.waiting == 0
        Path(blocked).touch()
        await blocking

    with_jobs(work)


def test_a_process_that_dies_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(client: httpx.AsyncClient, _: Server) -> None:
        asked = f"{API}/evaluation?game=cross&grid=123456789"
        with monkeypatch.context() as patch:
            patch.setattr("ninefold.web.api.study._make_evaluation", die)
            answer = await client.get(asked)
        assert answer.status_code == 503
        assert answer.headers["retry-after"] == RETRY["Retry-After"]
        assert "Try again in a moment." in answer.json()["detail"]
        got(await client.get(asked))

    inside(tmp_path, work)


def forbid(*_: object) -> NoReturn:
    raise AssertionError("a position is evaluated in the server's own process")


async def ask_for_everything(client: httpx.AsyncClient, slug: str) -> int:
    """Hints, values, reviews, puzzles and the explorer, by the API and on the page.

    Returns how many of the answers everybody may see.
    """
    setup = setups_of(GAMES[slug])[0]
    query = "&".join(f"{name}={value}" for name, value in setup.items())
    wanted = {"game": slug, "setup": setup, "first": PERSON, "second": PERSON}
    created = got(await client.post(f"{API}/matches", json=wanted), 201)
    token, id = created["held"][0]["token"], created["match"]
    path = f"{API}/matches/{id}"
    got(await client.get(f"{path}/hint", headers=bearer(token)))
    got(await client.get(f"{path}/evaluation", headers=bearer(token)))
    page = await client.get(f"/m/{id}?hint=0&eval=1", headers={"Cookie": f"ninefold={token}"})
    assert page.status_code == 200
    move = {"move": str(GAMES[slug].set_up(setup).moves()[0]), "ply": 0}
    got(await client.post(f"{path}/moves", json=move, headers=bearer(token)))
    got(await client.post(f"{path}/resign", headers=bearer(token)))
    found = got(await client.get(f"{path}/review"))
    got(await client.get(f"{API}/evaluation?game={slug}&{query}"))
    got(await client.get(f"{API}/puzzles/{slug}/1?show=1"))
    pages = [f"/m/{id}/review", f"/explore/{slug}?{query}", f"/puzzle/{slug}/1"]
    if found["deciding"]:
        pages.append(f"/m/{id}/review?find={found['deciding']}")
    for address in pages:
        first, again = [await client.get(address) for _ in range(2)]
        assert first.status_code == 200, address
        assert again.content == first.content
    assert (await client.get("/puzzle")).status_code == 200
    return 3 + len(pages)


def test_the_server_s_own_process_evaluates_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(client: httpx.AsyncClient, server: Server) -> None:
        monkeypatch.setattr("ninefold.analysis.solver_of", forbid)
        answers = sum([await ask_for_everything(client, slug) for slug in GAMES])
        assert len(server.answers._answers) == answers  # each once

    inside(tmp_path, work)


def test_a_list_of_many_matches_draws_a_board_only_when_it_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Match] = []

    def draw(match: Match) -> Drawing:
        drawn.append(match)
        return draw_match(match)

    async def no_card(_: object) -> None:
        """Today's puzzle would start a process."""

    async def work(client: httpx.AsyncClient, _: Server) -> None:
        for slug in GAMES:
            made = await client.post(f"/new/{slug}", data={"against": "here"})
            assert made.status_code == 303
        monkeypatch.setattr(lobby, "draw_match", draw)
        monkeypatch.setattr(lobby, "find_card", no_card)
        home = await client.get("/")
        assert home.status_code == 200
        assert "data-late" in home.text, "it is filled in later"
        assert drawn == [], "the home page shows no board of them"
        first = await client.get("/games")
        assert first.text.count('class="picture') == len(drawn) == len(GAMES)
        assert (await client.get("/games")).text == first.text
        assert len(drawn) == len(GAMES)
        path = made.headers["location"]
        state = GAMES[slug].set_up(setups_of(GAMES[slug])[0])
        move = {"seat": str(state.movers[0]), "ply": "0", "move": str(state.moves()[0])}
        moved = await client.post(f"{path}/move", data=move)
        assert moved.status_code == 303
        assert (await client.get("/games")).text != first.text
        assert len(drawn) == len(GAMES) + 1

    inside(tmp_path, work)
