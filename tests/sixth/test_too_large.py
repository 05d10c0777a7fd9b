"""Where a game is too large to search, everything that needs values says so, and the rest goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from ninefold import SEATS, load
from ninefold.analysis import NoValues, evaluate, search
from ninefold.envs.gymnasium import GameEnv
from ninefold.games import GAMES
from ninefold.match import Match, Player
from ninefold.players import PlayerFailed, agrees_to_stop
from ninefold.store.files.matches import Matches
from ninefold.web.jobs import Jobs, Lane
from tests.cli.session import only_saved, run
from tests.players.test_players import seat_named
from tests.web.inside import inside

SLUGS = ("garden", "auction")
MOVE = {"garden": "plant:A1", "auction": "bid:two"}
SETUP = {"garden": ("--season", "spring"), "auction": ("--prizes", "123")}
REASON = "There are no exact values for this position of "
every_game = pytest.mark.parametrize("slug", SLUGS)


async def in_this_process(
    _: Jobs, lane: Lane, work: Any, given: tuple[Any, ...], client: str | None
) -> Any:
    """Worker processes know nothing of the small limit."""
    return await asyncio.to_thread(work, *given)


@pytest.fixture(autouse=True)
def _too_large(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    for slug in SLUGS:
        monkeypatch.setitem(GAMES, slug, f"tests.sixth.{slug}")
    monkeypatch.setattr(search, "MOST", 3)
    monkeypatch.setattr(search, "_VALUES", {})
    monkeypatch.setattr(search, "_REFUSED", set())
    monkeypatch.setattr(Jobs, "_run", in_this_process)
    yield
    search._VALUES.clear()


@every_game
@pytest.mark.parametrize("command", ["analyze", "solve", "puzzle"])
def test_a_command_says_it(slug: str, command: str) -> None:
    done = run(command, slug, *(SETUP[slug] if command != "puzzle" else ("--seed", "1")))
    assert done.status in (1, 2)
    assert REASON in done.err
    assert "Traceback" not in done.err


def test_solving_all_games_goes_on_with_the_others() -> None:
    done = run("solve", "all", typed=[])
    assert (done.status, done.err.count(REASON)) == (0, len(SLUGS))
    assert all(load(slug).title in done.out for slug in GAMES if slug not in SLUGS)


@every_game
def test_a_match_goes_on_without_hints(slug: str) -> None:
    done = run("play", slug, "--p2", "random", *SETUP[slug], typed=["hint", "eval", MOVE[slug], "resign"])
    assert (done.status, done.err) == (0, "")
    assert done.out.count(REASON) == 2
    assert "To see it again: " in done.out
    assert "Accuracy" not in done.out
    assert only_saved().outcome is not None
    saved = run("review", Matches().entries()[0].id)
    assert (saved.status, saved.out) == (1, "")
    assert REASON in saved.err


@every_game
@pytest.mark.parametrize("kind", ["level:3", "sight:2", "perfect"])
def test_a_computer_that_needs_values_loses_with_the_reason(slug: str, kind: str) -> None:
    state = load(slug).set_up(load(slug).example.setup)
    with pytest.raises(PlayerFailed, match=REASON):
        seat_named(kind, Random(1)).choose(state, state.movers[0])
    assert agrees_to_stop(state)
    done = run("play", slug, "--p2", kind, *SETUP[slug], typed=[MOVE[slug]])
    assert done.status == 0
    assert "You win." in done.out
    assert REASON in done.out
    outcome = only_saved().outcome
    assert outcome is not None
    assert str(outcome.reason) == "forfeit"


def test_an_environment_without_values_says_so() -> None:
    with pytest.raises(NoValues, match=REASON):
        evaluate(load("garden").start())
    env = GameEnv("garden", opponent="random", truth=True)
    with pytest.raises(NoValues, match=REASON):
        env.reset(seed=1)


@every_game
def test_the_server_says_it(slug: str, tmp_path: Path) -> None:
    setup = dict(load(slug).example.setup)

    async def work(client: httpx.AsyncClient, server: Any) -> None:
        body = {"game": slug, "setup": setup, "first": {"kind": "person"}, "second": {"kind": "person"}}
        made = (await client.post("/api/v1/matches", json=body)).json()
        id, mover = made["match"], str(load(slug).set_up(setup).movers[0])
        token = next(held["token"] for held in made["held"] if held["seat"] == mover)
        bearer = {"Authorization": f"Bearer {token}"}
        query = {"game": slug, **{name: str(value) for name, value in setup.items()}}
        asked = [
            await client.get(f"/api/v1/matches/{id}/hint", headers=bearer),
            await client.get(f"/api/v1/matches/{id}/evaluation", headers=bearer),
            await client.get("/api/v1/evaluation", params=query),
            await client.get(f"/api/v1/puzzles/{slug}/1"),
            await client.get(f"/puzzle/{slug}/1"),
            await client.get(f"/explore/{slug}", params=setup),
        ]
        (await client.post(f"/api/v1/matches/{id}/resign", headers=bearer)).raise_for_status()
        asked += [
            await client.get(f"/api/v1/matches/{id}/review"),
            await client.get(f"/m/{id}/review"),
        ]
        for answer in asked:
            assert (answer.status_code, str(answer.url)) == (422, str(answer.url))
            assert REASON in answer.text

    inside(tmp_path, work)


@every_game
def test_the_page_of_a_match_says_it_beside_the_board(slug: str, tmp_path: Path) -> None:
    setup = {name: str(value) for name, value in load(slug).example.setup.items()}

    async def work(client: httpx.AsyncClient, server: Any) -> None:
        form = {"against": "here", "side": "first", "name": "Ann", "other": "Ben", **setup}
        made = await client.post(f"/new/{slug}", data=form)
        path, ready = made.headers["location"].partition("#")[0], {"ready": "first"}
        for asked in ({"eval": "1"}, {"hint": "0"}):
            page = await client.get(path, params={**asked, **ready})
            assert page.status_code == 200
            assert REASON in page.text
        for other in ("/", "/about", f"/rules/{slug}", "/puzzle", "/explore"):
            assert (await client.get(other)).status_code == 200

    inside(tmp_path, work)


@every_game
def test_a_computer_on_a_server_loses_with_the_reason(slug: str, tmp_path: Path) -> None:
    setup = dict(load(slug).example.setup)

    async def work(client: httpx.AsyncClient, server: Any) -> None:
        body = {"game": slug, "setup": setup, "first": {"kind": "level:3"}, "second": {"kind": "level:3"}}
        id = (await client.post("/api/v1/matches", json=body)).json()["match"]
        while (await client.get(f"/api/v1/matches/{id}")).json()["status"] != "over":
            await asyncio.sleep(0.01)
        page = await client.get(f"/m/{id}")
        assert page.status_code == 200
        assert REASON in page.text

    inside(tmp_path, work)


@every_game
def test_full_screen_says_it(slug: str) -> None:
    from ninefold.show.exploring import follow
    from ninefold.tui.screens.explorer import Explorer
    from ninefold.tui.screens.review import ReviewScreen
    from tests.tui.pilot import Seen, rest, sit_down
    from tests.tui.pilot import run as run_screen

    state = load(slug).set_up(load(slug).example.setup)
    match = Match(state, (Player("Ann", SEATS[0]), Player("Ben", SEATS[1])))
    match.submit(state.movers[0], MOVE[slug])
    match.resign(SEATS[0])

    async def test(pilot: Seen) -> None:
        for screen in (sit_down(state), Explorer(follow(state, [])), ReviewScreen(match, None)):
            await pilot.app.push_screen(screen)
            await rest(pilot)
            for key in ("enter", "h"):
                await pilot.press(key)
                await rest(pilot)
            assert REASON in " ".join(pilot.text.split())

    run_screen(test, (120, 40))
