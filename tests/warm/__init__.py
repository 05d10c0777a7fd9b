"""Processes of the program that start at once: forks of one that has loaded all modules and waits.

To load them takes ten times as long as most of what a test does with a server or a command afterwards.
Each fork is a process like any other, with an environment, a session and files of its own, and a child of
the test's process. Tests of the start itself, and tests with another environment of Python, start
`tests.program.PROGRAM` as it is.
"""

from __future__ import annotations

import atexit
import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile

from tests.program import PROGRAM

ROOT = Path(__file__).parents[2]
PATIENCE = 300.0  # seconds, on a busy machine
ADOPT = 36  # PR_SET_CHILD_SUBREAPER: children of children that have ended become ours
# What Python reads once, when it starts.
READ_AT_START = ("PYTHON", "LC_", "LANG")
READ_LATER = {"PYTHONWARNINGS"}  # a fork does what it says
AT_FIRST = dict(os.environ)  # before a test has changed it


class Process:
    """A started process, with what `subprocess.Popen` has for it."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        if self.returncode is None and (ended := os.waitpid(self.pid, os.WNOHANG)) != (0, 0):
            self.returncode = os.waitstatus_to_exitcode(ended[1])
        return self.returncode

    def wait(self, timeout: float) -> int:
        """Raises `subprocess.TimeoutExpired`."""
        deadline, pause = time.monotonic() + timeout, 0.001
        while (status := self.poll()) is None:
            if time.monotonic() > deadline:
                raise subprocess.TimeoutExpired(PROGRAM, timeout)
            time.sleep(pause)
            pause = min(2 * pause, 0.02)
        return status

    def send_signal(self, number: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)


class Mother:
    """The process that has loaded everything, and forks."""

    def __init__(self) -> None:
        ours, its = socket.socketpair()
        with its:
            words = [sys.executable, "-m", "tests.warm", PROGRAM[-1], str(its.fileno())]
            self._process = subprocess.Popen(
                words,
                cwd=ROOT,
                env=AT_FIRST,
                pass_fds=[its.fileno()],
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        self._socket = ours
        self._lock = threading.Lock()
        self._libc = ctypes.CDLL(None)
        atexit.register(self.end)

    def fork(
        self, words: Sequence[str], files: tuple[int, int, int], env: Mapping[str, str], folder: str
    ) -> int:
        """Start the program on three open files. Returns its process number."""
        wanted = json.dumps({"words": [*words], "env": {**env}, "folder": folder}).encode()
        with self._lock:
            self._libc.prctl(ADOPT, 1, 0, 0, 0)
            try:
                socket.send_fds(self._socket, [len(wanted).to_bytes(4, "big")], files)
                self._socket.sendall(wanted)
                pid = int.from_bytes(self._socket.recv(4), "big")
            finally:
                self._libc.prctl(ADOPT, 0, 0, 0, 0)
        assert pid, "the process that forks has ended"
        return pid

    def end(self) -> None:
        self._socket.close()
        self._process.wait()


_mothers: dict[int, Mother] = {}  # at most one, of this process


def can_fork(words: Sequence[str], env: Mapping[str, str]) -> bool:
    """Whether these words start the program, in an environment that is to Python as ours was."""

    def read(environment: Mapping[str, str]) -> dict[str, str]:
        found = {name: text for name, text in environment.items() if name.startswith(READ_AT_START)}
        return {name: text for name, text in found.items() if name not in READ_LATER}

    return sys.platform == "linux" and [*words[: len(PROGRAM)]] == PROGRAM and read(env) == read(AT_FIRST)


def fork(
    words: Sequence[str],
    files: tuple[int, int, int],
    env: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> int:
    """Start the program with these arguments on three open files, in a session of its own.

    If the first is a terminal, it becomes the session's. Returns the number of the process, a child
    of this one.
    """
    mother = _mothers.get(os.getpid()) or _mothers.setdefault(os.getpid(), Mother())
    return mother.fork(words, files, os.environ if env is None else env, str(folder or Path.cwd()))


def start(words: Sequence[str], output: int, env: Mapping[str, str]) -> Process | subprocess.Popen[bytes]:
    """Start a program in a session of its own: without input, and with all output to an open file."""
    if can_fork(words, env):
        nothing = os.open(os.devnull, os.O_RDONLY)
        try:
            return Process(fork(words[len(PROGRAM) :], (nothing, output, output), env))
        finally:
            os.close(nothing)
    return subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=env, start_new_session=True
    )


def run(words: Sequence[str], typed: bytes, folder: Path | None) -> subprocess.CompletedProcess[bytes]:
    """Run a program with what is typed in a pipe, until its end."""
    if not can_fork(words, os.environ):
        return subprocess.run(
            words, input=typed, capture_output=True, timeout=PATIENCE, check=False, cwd=folder
        )
    with TemporaryFile() as out, TemporaryFile() as err:
        read, write = os.pipe()
        try:
            pid = fork(words[len(PROGRAM) :], (read, out.fileno(), err.fileno()), folder=folder)
        finally:
            os.close(read)
        with suppress(BrokenPipeError), open(write, "wb") as pipe:  # it may not read all
            pipe.write(typed)
        status = Process(pid).wait(PATIENCE)
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(words, status, out.read(), err.read())
