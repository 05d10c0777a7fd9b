"""Sessions to test with: the program run in this process or in one of its own, and what it kept."""

from __future__ import annotations

import io
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import ninefold
from ninefold import Seat
from ninefold.cli import main
from ninefold.match import Match, Player
from ninefold.store.files import Matches

COMMAND = [sys.executable, "-m", "ninefold"]
GRID = "123456789"  # the lines of Number Cross: 6, 15, 24 and 12, 15, 18

# Nine numbers placed in Pattern Match without a line of 15, so that recycling begins.
ALL_PLACED = ("6@2,2", "7@3,3", "1@1,3", "4@1,1", "9@3,1", "5@1,3", "8@1,1", "2@3,1", "3@3,2")


@dataclass(frozen=True)
class Session:
    status: int
    out: str
    err: str


def lines(*typed: str) -> bytes:
    return "".join(f"{line}\n" for line in typed).encode("utf-8", "surrogateescape")


def run(*words: str, typed: Sequence[str] | bytes = ()) -> Session:
    """The program in this process, with lines from a pipe. Much quicker than a process of its own.

    Nothing is forced to disk here: that is slow, and tests/store looks after it.
    """
    given = typed if isinstance(typed, bytes) else lines(*typed)
    stdin, stdout, stderr = (
        io.TextIOWrapper(io.BytesIO(content), encoding="utf-8") for content in (given, b"", b"")
    )
    before = signal.getsignal(signal.SIGTERM)
    try:
        with (
            mock.patch.object(sys, "stdin", stdin),
            mock.patch.object(sys, "stdout", stdout),
            mock.patch.object(sys, "stderr", stderr),
            mock.patch("os.fsync"),
        ):
            status = main(words)
    except SystemExit as left:  # argparse leaves like this
        status = left.code if isinstance(left.code, int) else 1
    finally:
        signal.signal(signal.SIGTERM, before)
    return Session(status, written(stdout), written(stderr))


def written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()


def program(
    *words: str, typed: bytes = b"", preexec: Callable[[], Any] | None = None, cwd: Path | None = None
) -> Session:
    """The program in a process of its own."""
    done = subprocess.run(
        [*COMMAND, *words], input=typed, capture_output=True, timeout=60, preexec_fn=preexec, cwd=cwd
    )
    return Session(done.returncode, done.stdout.decode(), done.stderr.decode())


def kept() -> list[Match]:
    """The matches on disk, in the order they were last played. All of them are legal."""
    entries = Matches().entries()
    assert not [entry.problem for entry in entries if entry.match is None]
    return [entry.match for entry in reversed(entries) if entry.match is not None]


def only_kept() -> Match:
    (match,) = kept()
    return match


def moves_of(match: Match) -> list[str]:
    return [played.move for played in match.played]


def only_file() -> Path:
    (path,) = Matches().folder.iterdir()
    return path


def id_in(text: str) -> str:
    """The match that a message says how to resume."""
    found = re.findall(r"ninefold resume (\w+)", text)
    assert found
    return str(found[-1])


def oracle(slug: str, setup: dict[str, int | str], moves: Sequence[str]) -> Match:
    """The same moves through the rules, without a terminal; the challenger's number comes first."""
    players = (Player("Player 1", Seat.FIRST), Player("Player 2", Seat.SECOND))
    match = Match(ninefold.load(slug).set_up(setup), players)
    for move in moves:
        match.submit(match.state.movers[0], move)
    return match
