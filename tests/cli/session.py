"""Sessions to test with: the program run in this process or in one of its own, and what it saved."""

from __future__ import annotations

import io
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import ninefold
from ninefold import Seat
from ninefold.cli.console import Console
from ninefold.commands import main
from ninefold.match import Match, Player
from ninefold.store.files.matches import Matches
from tests import warm
from tests.program import PROGRAM
from tests.setups import Setup

GRID = "123456789"  # the lines of Number Cross: 6, 15, 24 and 12, 15, 18
CROSS = ("play", "cross", "--grid", GRID)
BATTLE = ("play", "battle", "--grid", GRID)
CONQUEST = ("play", "conquest")
NAMES = ("--name1", "Player 1", "--name2", "Player 2")


@dataclass(frozen=True)
class Session:
    """`exchanges` are the questions, each with what was typed and all that was said until the next."""

    status: int
    out: str
    err: str
    exchanges: tuple[str, ...] = field(default=(), compare=False)


def lines(*typed: str) -> bytes:
    return "".join(f"{line}\n" for line in typed).encode("utf-8", "surrogateescape")


class Screen(io.TextIOWrapper):
    """What is shown. It may pass for a terminal, so that there are colors."""

    def __init__(self, colors: bool) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8")
        self._colors = colors

    def isatty(self) -> bool:
        return self._colors

    def shown(self) -> bytes:
        self.flush()
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue()


class Typist:
    """A pipe into which somebody writes each line only when it is wanted."""

    def __init__(self, typed: Iterator[str]) -> None:
        self._typed = typed

    def isatty(self) -> bool:
        return False

    def readline(self) -> str:
        return "".join(f"{line}\n" for line in islice(self._typed, 1))


def run(*words: str, typed: Sequence[str] | Iterator[str] | bytes = (), colors: bool = False) -> Session:
    """The program in this process, with lines from a pipe. Much quicker than a process of its own.

    Nothing is forced to disk here: that is slow, and tests/store looks after it.
    """
    stdin: Typist | io.TextIOWrapper
    if isinstance(typed, Iterator):
        stdin = Typist(typed)
    else:
        given = typed if isinstance(typed, bytes) else lines(*typed)
        stdin = io.TextIOWrapper(io.BytesIO(given), "utf-8")
    stdout, stderr = Screen(colors), Screen(False)
    ask, asked = Console.ask, list[int]()

    def noted(console: Console, prompt: str, *, secret: bool = False) -> str:
        asked.append(len(stdout.shown()))
        return ask(console, prompt, secret=secret)

    before = signal.getsignal(signal.SIGTERM)
    try:
        with (
            mock.patch.object(sys, "stdin", stdin),
            mock.patch.object(sys, "stdout", stdout),
            mock.patch.object(sys, "stderr", stderr),
            mock.patch.object(Console, "ask", noted),
            mock.patch.object(Match, "begun", True),  # tests look at matches from the start
            mock.patch("os.fsync"),
        ):
            status = main(words)
    except SystemExit as left:  # argparse leaves like this
        status = left.code if isinstance(left.code, int) else 1
    finally:
        signal.signal(signal.SIGTERM, before)
    out = stdout.shown()
    parts = tuple(
        out[start:stop].decode() for start, stop in zip(asked, [*asked[1:], len(out)], strict=False)
    )
    return Session(status, out.decode(), stderr.shown().decode(), parts)


def program(
    *words: str, typed: bytes = b"", preexec: Callable[[], Any] | None = None, cwd: Path | None = None
) -> Session:
    """The program in a process of its own."""
    if preexec is None:
        done = warm.run([*PROGRAM, *words], typed, cwd)
    else:
        done = subprocess.run(
            [*PROGRAM, *words], input=typed, capture_output=True, timeout=300, preexec_fn=preexec, cwd=cwd
        )
    return Session(done.returncode, done.stdout.decode(), done.stderr.decode())


def flags(setup: Setup) -> list[str]:
    return [word for name, value in setup.items() for word in (f"--{name}", str(value))]


def saved_matches() -> list[Match]:
    """The matches on disk, in the order they were last played. All of them are legal."""
    entries = Matches().entries()
    assert not [entry.problem for entry in entries if entry.match is None]
    return [entry.match for entry in reversed(entries) if entry.match is not None]


def only_saved() -> Match:
    (match,) = saved_matches()
    return match


def moves_of(match: Match) -> list[str]:
    return [str(played.move) for played in match.played]


def only_file() -> Path:
    (path,) = Matches().folder.iterdir()
    return path


def only_id() -> str:
    return only_file().stem


def id_in(text: str) -> str:
    """The id of the match that a message says how to resume."""
    found = re.findall(r"ninefold resume (\w+)", text)
    assert found
    return str(found[-1])


def oracle(slug: str, setup: Setup, moves: Sequence[str]) -> Match:
    """The match that the rules make of these moves; a challenger's number comes before the defender's."""
    players = (Player("Player 1", Seat.FIRST), Player("Player 2", Seat.SECOND))
    match = Match(ninefold.load(slug).set_up(setup), players)
    for move in moves:
        match.submit(match.state.movers[0], move)
    return match


def at_random(slug: str, setup: Setup, seed: int, moves: int = 40) -> Match:
    """A match of random moves, at most this many."""
    rng = Random(seed)
    match = oracle(slug, setup, [])
    while not match.over and len(match.played) < moves:
        seat = match.state.movers[0]
        match.submit(seat, rng.choice(match.state.moves(seat)))
    return match


def save(match: Match) -> str:
    """Save a match as if it had been left. Returns its id."""
    with Matches().new() as saved, mock.patch("os.fsync"):
        saved.save(match.shared_record())
    return saved.id
