"""What is forked for a test does what a started program does."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from ninefold import Seat
from tests import warm
from tests.program import PROGRAM
from tests.web.support import Server, got, sqlite_url

LONG_TEXT = b"Row1\r\nx\xff\n" * 20_000  # more than a pipe holds


@pytest.mark.parametrize(
    ("words", "typed"),
    [
        (("play", "cross", "--grid", "123456789"), b"Row1\nCol1\nquit\n"),
        (("play", "cross", "--grid", "123456789"), LONG_TEXT),
        (("play", "chess"), b""),
        (("rules", "cross"), b""),
        (("levels", "cross"), b""),
        (("admin", "stats", "--database", "sqlite:///none.db"), b""),
    ],
    ids=["played", "too much", "refused", "rules", "levels", "no database"],
)
def test_a_fork_says_what_a_started_program_says(
    words: tuple[str, ...], typed: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("forked", "started"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "forked"))
    forked = warm.run([*PROGRAM, *words], typed, tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "started"))
    started = subprocess.run(
        [*PROGRAM, *words], input=typed, capture_output=True, check=False, cwd=tmp_path
    )
    assert forked.returncode == started.returncode
    assert without_id(forked.stdout) == without_id(started.stdout)
    assert without_id(forked.stderr) == without_id(started.stderr)
    assert forked.stdout or forked.stderr


def without_id(said: bytes) -> list[bytes]:
    return [line.partition(b"ninefold resume ")[0] for line in said.splitlines()]


def test_a_fork_is_a_child_with_a_session_of_its_own_and_dies_of_signals(tmp_path: Path) -> None:
    with Server(tmp_path, sqlite_url(tmp_path)).start() as server:
        assert isinstance(server.process, warm.Process)
        pid = server.process.pid
        assert os.getsid(pid) == os.getpgid(pid) == pid
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
        assert f"PPid:\t{os.getpid()}\n" in status
        assert {file.name for file in Path(f"/proc/{pid}/fd").iterdir()} >= {"0", "1", "2"}
        server.process.send_signal(signal.SIGKILL)
        assert server.process.wait(60) == -signal.SIGKILL


def test_a_server_that_is_started_answers_and_computes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warm, "can_fork", lambda *_: False)
    with Server(tmp_path, sqlite_url(tmp_path)).start() as server:
        assert isinstance(server.process, subprocess.Popen)
        table = server.create("cross")
        assert got(table.get("/evaluation", Seat.FIRST))["text"]
        assert server.stop() == 0
    assert "Traceback" not in server.log()


def test_another_environment_of_python_is_not_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert warm.can_fork([*PROGRAM, "rules"], os.environ)
    assert warm.can_fork([*PROGRAM, "rules"], {**os.environ, "NO_COLOR": "1", "PYTHONWARNINGS": "ignore"})
    assert not warm.can_fork([*PROGRAM, "rules"], {**os.environ, "PYTHONIOENCODING": "ascii"})
    assert not warm.can_fork([*PROGRAM, "rules"], {**os.environ, "LC_ALL": "other"})
    assert not warm.can_fork(["/bin/sh", "-c", "true"], os.environ)
    monkeypatch.setenv("PYTHONUTF8", "0")
    assert not warm.can_fork([*PROGRAM, "rules"], os.environ)
