"""Any program as a player: it reads one JSON object per line and answers each with a move."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from atexit import register
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from queue import Empty, Queue
from select import select
from threading import Thread
from time import monotonic
from typing import IO, Any
from uuid import uuid4

from ninefold.core.errors import MalformedMove, NinefoldError, quote
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.core.view import as_data
from ninefold.players import SECONDS, Failure, PlayerFailed, SeenRecord, watchdog

LINE_LIMIT = 1000  # characters that are read of an answer
LINES_AHEAD = 100  # lines that are read before they are needed; a program that says more has to wait
LAST_WORDS = 500  # characters of standard error that a guarded program's failure quotes
PIECE = 4096  # bytes that a pipe takes at once, if it takes any
MARK = "NINEFOLD_PROGRAM"  # in the environment of a guarded program and of all that it starts


@dataclass(frozen=True, slots=True)
class Guard:
    """Limits for a program that is not trusted: megabytes of memory, for each of its processes.

    What it writes to standard error is not shown; the end of it is quoted if the program fails. On
    Linux, the program and whatever it has started are found and killed when it is closed, and when the
    process that runs it is gone, even by `kill -9`.
    """

    megabytes: int


def chat_command(model: str) -> str:
    """The command that lets a model play; options may follow its name."""
    return f"{shlex.quote(sys.executable)} -m ninefold chat {model}"


class ProgramPlayer:
    """Runs a command and asks it for every move.

    The program gets `{"id", "game", "seat", "seconds", "view", "moves", "record"}` on standard input: the
    number of the request, what its seat may see, its legal moves, and the match so far (or None). It
    answers each request with one line: a move in any notation that the game reads, or
    `{"id": 7, "move": "5@1,1"}`, where a `move` that is null resigns and the number of an older request
    makes it ignored.

    PlayerFailed is raised if the program cannot be started, stops, takes too long or answers anything
    else. Unless its answer was a move, it is started again for the next request, so that nothing it says
    late can be taken for an answer.
    """

    def __init__(self, command: str, seconds: float = SECONDS, guard: Guard | None = None) -> None:
        self.guard = guard
        self._command = command
        self._seconds = seconds
        self._process: subprocess.Popen[str] | None = None
        self._asked = 0  # requests so far
        self._errors: deque[str] = deque()  # the end of what it wrote to standard error, if that is kept

    def choose(self, state: State[Any], seat: Seat, record: SeenRecord | None = None) -> Any:
        self._asked += 1
        request = {
            "id": self._asked,
            "game": state.game.slug,
            "seat": str(seat),
            "seconds": self._seconds,
            "view": as_data(state.view(seat)),
            "moves": [str(move) for move in state.moves(seat)],
            "record": None if record is None else record(),
        }
        try:
            answer = self._exchange(json.dumps(request))
            try:
                move = state.game.parse(answer)
            except MalformedMove as error:
                raise _unreadable(answer, str(error)) from None
        except PlayerFailed as error:
            if error.failure is Failure.RESIGNED:
                raise
            self.close()
            words = "".join(self._errors).strip()[-LAST_WORDS:] if self._errors else ""
            said = f" Its last words: {quote(words, LAST_WORDS)}" if words else ""
            raise PlayerFailed(f"{error}{said}", error.failure) from None
        try:
            state.play(move, seat)
        except NinefoldError as error:
            raise PlayerFailed(
                f"The program answered {quote(answer)}. {error}", Failure.ILLEGAL
            ) from None
        return move

    def _exchange(self, request: str) -> str:
        """Send a request and return the text of the move that answers it."""
        process = self._process or self._start()
        until = monotonic() + self._seconds
        try:
            self._send(process, f"{request}\n".encode(), until)
        except OSError:
            raise self._stopped() from None
        while True:
            left = until - monotonic()
            try:
                line = self._lines.get(timeout=left) if left > 0 else self._lines.get_nowait()
            except Empty:
                raise self._late() from None
            if left < 0:
                raise self._late()
            if not line:
                raise self._stopped()
            if (answer := self._read_line(line.strip())) is not None:
                return answer

    def _send(self, process: subprocess.Popen[str], request: bytes, until: float) -> None:
        """Send a request, even to a program that does not read it. Raises OSError, PlayerFailed."""
        assert process.stdin is not None
        pipe = process.stdin.fileno()
        while request:
            if os.name == "posix" and not select([], [pipe], [], max(0.0, until - monotonic()))[1]:
                raise self._late()
            request = request[os.write(pipe, request[:PIECE]) :]

    def _late(self) -> PlayerFailed:
        return PlayerFailed(f"The program did not answer within {self._seconds:g} seconds.", Failure.LATE)

    def _read_line(self, line: str) -> str | None:
        """The text of a move; None if the line answers an older request. Raises PlayerFailed."""
        if not line.startswith("{"):
            return line
        try:
            answer = json.loads(line)
            move, number = answer["move"], answer.get("id", self._asked)
        except (ValueError, LookupError, RecursionError):
            raise _unreadable(line, 'An object needs a "move".') from None
        if isinstance(number, int) and 0 < number < self._asked:
            return None
        if number != self._asked:
            raise _unreadable(line, f"The request was number {self._asked}.")
        if move is None:
            raise PlayerFailed("The program resigned.", Failure.RESIGNED)
        return str(move)

    def _start(self) -> subprocess.Popen[str]:
        guarded: dict[str, Any] = {}
        if self.guard is not None:
            self._mark = f"{_watch()}-{uuid4().hex}"
            name, _, value = self._mark.partition("=")
            guarded = {"stderr": subprocess.PIPE, "env": {**os.environ, name: value}}
            if os.name == "posix":
                guarded["preexec_fn"] = _limit_to(self.guard)
        try:
            process = subprocess.Popen(
                shlex.split(self._command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                errors="replace",
                start_new_session=os.name == "posix",  # Ctrl-C is meant for us, not for the program
                **guarded,
            )
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            shown = quote(" ".join(self._command.split()))
            why = f"The program {shown} could not be started: {why}."
            raise PlayerFailed(why, Failure.CRASHED) from None
        self._lines: Queue[str] = Queue(LINES_AHEAD)  # of this process alone
        self._errors = deque(maxlen=2)
        self._readers = [Thread(target=_read, args=(process, self._lines), daemon=True)]
        if process.stderr is not None:
            self._readers.append(
                Thread(target=_remember, args=(process.stderr, self._errors), daemon=True)
            )
        for reader in self._readers:
            reader.start()
        self._process = process
        return process

    def _stopped(self) -> PlayerFailed:
        assert self._process is not None
        try:
            status = f" with status {self._process.wait(timeout=1)}"
        except subprocess.TimeoutExpired:
            status = ""
        return PlayerFailed(f"The program has stopped{status}.", Failure.CRASHED)

    def close(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(OSError):  # the program may have ended by itself
            if os.name == "posix":
                os.killpg(process.pid, signal.SIGKILL)  # and all processes that it has started
            else:
                process.kill()
        if self.guard is not None:
            watchdog.kill_marked(self._mark)
        process.wait()
        while self._readers[0].is_alive():  # it may wait for room in the queue
            with suppress(Empty):
                self._lines.get(timeout=0.01)
        for reader in self._readers:
            reader.join(timeout=1)
        for stream in filter(None, (process.stdin, process.stdout, process.stderr)):
            with suppress(OSError):  # closing flushes what is unsent, and nobody reads it anymore
                stream.close()


def _read(process: subprocess.Popen[str], lines: Queue[str]) -> None:
    assert process.stdout is not None
    while line := process.stdout.readline(LINE_LIMIT):
        lines.put(line)
    lines.put("")  # the program has closed its output


def _remember(stream: IO[str], errors: deque[str]) -> None:
    while piece := stream.readline(LAST_WORDS):
        errors.append(piece)


def _limit_to(guard: Guard) -> Callable[[], None]:
    """What a new process does before it becomes the program."""
    import resource

    memory = guard.megabytes << 20

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return limit


@cache
def _watch() -> str:
    """What the marks of all guarded programs of this process begin with, once there is a watchdog."""
    mark = f"{MARK}={uuid4().hex}"
    if sys.platform == "linux":
        command = [sys.executable, "-IS", watchdog.__file__, mark]
        dog = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
        register(dog.communicate)
    return mark


def _unreadable(line: str, why: str) -> PlayerFailed:
    return PlayerFailed(
        f"The program's answer {quote(line)} is unreadable. {why} Log to standard error: each line of "
        "standard output answers a request.",
        Failure.UNREADABLE,
    )
