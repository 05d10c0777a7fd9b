"""A model is an ordinary program: it sits wherever a player can be named."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest

import ninefold
from ninefold import NinefoldError, Seat
from ninefold.commands import main
from ninefold.envs import evaluate_agent
from ninefold.players import kind, policy_of, seat_player
from ninefold.players.program import ProgramPlayer
from ninefold.show.moves import say_kind
from ninefold.study.answers import record_data
from tests.text.conftest import SECRET


def test_the_names_of_models() -> None:
    assert kind(" Chat:org/llama3:8b ") == "chat:org/llama3:8b"
    assert kind("chat@120:m --list") == "chat@120:m --list"
    assert say_kind("chat@120:m --list") == "m"
    assert policy_of("chat:m") is None
    for wrong in ("chat", "chat:", "chat@x:m"):
        with pytest.raises(NinefoldError, match="chat:MODEL"):
            kind(wrong)


def test_the_key_is_in_no_command_line(endpoint: str) -> None:
    player = seat_player("chat@7:m --list", Random())
    assert isinstance(player, ProgramPlayer)
    assert player._command.endswith(" -m ninefold chat m --list")
    assert player._seconds == 7
    assert SECRET not in player._command + endpoint


def chat(words: list[str], requests: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr("sys.stdin", StringIO("".join(json.dumps(one) + "\n" for one in requests)))
    return main(["chat", *words])


def test_it_speaks_the_protocol(
    endpoint: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    state = ninefold.load("cross").start(grid="792415863")
    record = record_data(state, [], Seat.FIRST)
    asked = {"id": 7, "game": "cross", "seat": "first", "seconds": 5, "record": record}
    assert chat(["random", "--list"], [asked, {**asked, "id": 8}], monkeypatch) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["id"] for one in answers] == [7, 8]
    assert answers[0]["move"] in map(str, state.moves())
    # Without the list, the stand-in does not know this position.
    assert chat(["random"], [asked], monkeypatch) == 0
    assert "is not a move" in json.loads(capsys.readouterr().out)["move"]
    assert chat(["random"], [{**asked, "record": None}], monkeypatch) == 1


def test_it_plays_whole_games_in_a_process_of_its_own(endpoint: str) -> None:
    report = evaluate_agent("chat:random --list", "conquest", 1, "random", positions=0)
    assert (report.games, report.forfeits) == (1, 0)
    assert report.moves > 3


def test_it_sits_at_a_terminal(endpoint: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["play", "cross", "--grid", "792415863", "--p1", "random", "--seed", "1"]
    assert main([*words, "--p2", "chat:random --list"]) == 0
    assert " wins, " in capsys.readouterr().out
    saved = "".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    assert '"chat:random --list"' in saved
    assert SECRET not in saved
