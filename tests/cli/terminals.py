"""Programs on terminals of their own, without the pauses that pexpect makes by default."""

from __future__ import annotations

import os
import pty
import signal
import termios
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pexpect  # type: ignore[import-untyped]
import ptyprocess  # type: ignore[import-untyped]

from tests.program import PROGRAM
from tests.warm import can_fork, fork


def heed_signals() -> None:
    """Undo what a background job sets: it ignores Ctrl-C, and so would the programs that it starts."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGQUIT, signal.SIGTSTP):
        signal.signal(number, signal.SIG_DFL)


class _Forked(pexpect.spawn):  # type: ignore[misc]
    """The program on a terminal, without the time that it takes to load."""

    def _spawnpty(
        self,
        words: Sequence[bytes],
        *,
        env: Mapping[str, str] | None,
        cwd: None,
        echo: bool,
        preexec_fn: Callable[[], None],
        dimensions: tuple[int, int] = (24, 80),
    ) -> ptyprocess.PtyProcess:
        ours, its = pty.openpty()
        try:
            termios.tcsetwinsize(its, dimensions)
            given = [os.fsdecode(word) for word in words[len(PROGRAM) :]]
            opened = ptyprocess.PtyProcess(fork(given, (its, its, its), env), ours)
        finally:
            os.close(its)
        return opened


def spawn(words: Sequence[str], env: Mapping[str, str] | None = None, **more: Any) -> Any:
    """Start a program on a terminal. It heeds all signals."""
    start = _Forked if can_fork(words, os.environ if env is None else env) else pexpect.spawn
    child = start(words[0], list(words[1:]), encoding="utf-8", env=env, preexec_fn=heed_signals, **more)
    child.delaybeforesend = None
    child.ptyproc.delayafterclose = 0
    return child


def end(child: Any) -> None:
    """Kill a program. Closing its terminal would only ask it to end, and wait."""
    if child.isalive():
        child.kill(signal.SIGKILL)
        child.wait()
    child.close()
