"""A stand-in endpoint that all tests of a module share, and the command in the test's own process."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from examples.stand_in import StandIn, serve

from ninefold.commands import main
from ninefold.text.endpoint import ADDRESS, KEY

GAMES = ["cross", "conquest"]
COUNT = 4
SECRET = "sk-very-secret-1234"


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """A stand-in for a model, which knows the positions of the small sets."""
    server = serve(0, COUNT, GAMES)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    StandIn.pause = 0.5
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def endpoint(address: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """The environment names the stand-in, and a key."""
    monkeypatch.setenv(ADDRESS, address)
    monkeypatch.setenv(KEY, SECRET)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return address


@pytest.fixture
def evaluate(endpoint: str, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Run `ninefold evaluate --json` on the small sets; returns what it prints."""

    def run(player: str, *words: str, games: list[str] = GAMES, count: int = COUNT) -> Any:
        sets = ["--games", *games, "--positions", str(count)]
        status = main(["evaluate", "--player", player, *sets, "--json", *words])
        out, err = capsys.readouterr()
        assert SECRET not in out + err
        assert status == 0, err
        return json.loads(out)

    return run
