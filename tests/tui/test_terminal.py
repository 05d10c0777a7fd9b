"""Full screen on a real pseudo-terminal: signals, sizes, and terminals that cannot do it."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from ninefold.store.files.matches import all_entries
from tests.cli.test_terminal import CTRL_Z, SGR, Terminal
from tests.program import PROGRAM

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")

LEFT = "\x1b[?1049l"  # what a program writes that gives the screen back
INSTEAD = "Play in line mode instead: ninefold, or ninefold play GAME."


@contextmanager
def full_screen(rows: int = 24, columns: int = 80) -> Iterator[Terminal]:
    terminal = Terminal([*PROGRAM, "tui"], (rows, columns))
    try:
        terminal.see("Number Cross")
        yield terminal
    finally:
        terminal.child.close(force=True)


def begin(terminal: Terminal) -> None:
    """A game of two people, and its first move."""
    terminal.child.send("2")
    terminal.see("Your opponent")
    terminal.child.send("\x1b[C")
    terminal.see("someone here")
    terminal.child.send("\r")
    terminal.see("Take a number.")
    terminal.child.send("7")
    terminal.see("took the 7")


def moves_kept() -> list[int]:
    return [len(entry.match.played) for entry in all_entries() if entry.match is not None]


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP], ids=lambda by: by.name)
def test_a_killed_terminal_loses_no_move(by: signal.Signals) -> None:
    with full_screen() as terminal:
        begin(terminal)
        os.kill(terminal.child.pid, by)
        status = terminal.leave()  # reads to the end: a program cannot end before that
        assert moves_kept() == [1]
        if by is signal.SIGTERM:
            assert status == 128 + signal.SIGTERM
            assert LEFT in terminal.screen


def test_a_suspended_game_comes_back_as_it_was() -> None:
    with full_screen() as terminal:
        begin(terminal)
        terminal.child.send(CTRL_Z)
        terminal.see(LEFT)
        _, status = os.waitpid(terminal.child.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        os.kill(terminal.child.pid, signal.SIGCONT)
        terminal.see("took the 7")
        terminal.child.send("8")
        terminal.see("took the 8")
        assert moves_kept() == [2]


def test_a_window_that_becomes_too_small_offers_line_mode() -> None:
    with full_screen() as terminal:
        begin(terminal)
        terminal.child.setwinsize(14, 36)
        terminal.see("too small")
        terminal.child.setwinsize(24, 80)
        terminal.see(" undo")  # which has no room in a small window
        terminal.child.setwinsize(14, 36)
        terminal.see("too small")
        terminal.child.send("l")
        terminal.see(LEFT)
        terminal.see("1 move so far")
        assert moves_kept() == [1]


def test_the_menu_of_line_mode_starts_full_screen_and_quitting_gives_the_screen_back() -> None:
    terminal = Terminal(PROGRAM, (40, 80))
    terminal.see("Your choice: ")
    terminal.type("f")
    terminal.see("\x1b[?1049h")
    terminal.see("Number Cross")
    terminal.child.send("q")
    terminal.see(LEFT)
    terminal.see("Your choice: ")
    terminal.type("q")
    terminal.child.close()


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"TERM": "dumb"}, "This terminal cannot draw a full screen (TERM is dumb)."),
        (
            {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
            "Full screen needs a terminal with UTF-8.",
        ),
    ],
    ids=["dumb", "no UTF-8"],
)
def test_where_it_cannot_work_it_says_how_to_play(
    changed: dict[str, str], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in changed.items():
        monkeypatch.setenv(name, value)
    terminal = Terminal([*PROGRAM, "tui"], (24, 200))
    terminal.see(f"{reason} {INSTEAD}")
    assert terminal.leave() == 1


def test_a_pipe_is_refused() -> None:
    done = subprocess.run([*PROGRAM, "tui"], input="q", capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == f"ninefold: Full screen needs a terminal, not a pipe or a file. {INSTEAD}\n"


def test_without_colors_there_are_none_and_the_cursor_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    with full_screen() as terminal:
        terminal.see("quit")
        begin(terminal)
        codes = {code for found in SGR.findall(terminal.screen) for code in found[2:-1].split(";")}
        assert codes <= {"0", "1", "2", "4", "7", "39", "49"}  # attributes, and the terminal's own colors
        assert "7" in codes


def test_sixteen_colors_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "linux")
    monkeypatch.delenv("COLORTERM", raising=False)
    with full_screen() as terminal:
        begin(terminal)
        codes = {code for found in SGR.findall(terminal.screen) for code in found[2:-1].split(";")}
        assert {"36", "35"} <= codes  # the players' colors
        assert not {"38", "48"} & codes


@pytest.mark.parametrize("words", [("--plain", "tui"), ("tui", "--plain")])
def test_plain_is_not_ignored(words: tuple[str, ...]) -> None:
    terminal = Terminal([*PROGRAM, *words], (24, 80))
    assert terminal.leave() == 1
    assert "Full screen is not for screen readers, and plain is on." in " ".join(terminal.screen.split())
