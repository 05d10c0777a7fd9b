"""Any program as a player: it reads one JSON object per line and answers each with a move."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any

from ninefold.core.errors import MalformedMove, NinefoldError, quote
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.core.view import as_data
from ninefold.players import SECONDS, Failure, PlayerFailed, SeenRecord

LINE_LIMIT = 1000  # characters that are read of an answer


def chat_command(model: str) -> str:
    """The command that lets a model play; options may follow its name."""
    return f"{shlex.quote(sys.executable)} -m ninefold chat {model}"


class ProgramPlayer:
    """Runs a command and asks it for every move.

    The program gets `{"id", "game", "seat", "seconds", "view", "moves", "record"}` on standard input: the
    number of the request, what its seat may see, its legal moves, and the match so far (or None). It
    answers with a move in any notation that the game reads, which answers the newest
    request, or with `{"id": 7, "move": "5@1,1"}`; a `move` that is null resigns. An answer to an older
    request, or one that came before the request, is ignored.

    PlayerFailed is raised if the program cannot be started, stops, takes too long or answers anything
    else. Unless its answer was a move, it is started again for the next request, so that nothing it says
    late can be taken for an answer.
    """

    def __init__(self, command: str, seconds: float = SECONDS) -> None:
        self._command = command
        self._seconds = seconds
        self._process: subprocess.Popen[str] | None = None
        self._asked = 0  # requests so far

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
            if error.failure is not Failure.RESIGNED:
                self.close()
            raise
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
        assert process.stdin is not None
        while not self._lines.empty():  # what was said before the request does not answer it
            if not self._lines.get():
                raise self._stopped()
        until = monotonic() + self._seconds
        try:
            process.stdin.write(request + "\n")
            process.stdin.flush()
        except OSError:
            raise self._stopped() from None
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, until - monotonic()))
            except Empty:
                why = f"The program did not answer within {self._seconds:g} seconds."
                raise PlayerFailed(why, Failure.LATE) from None
            if not line:
                raise self._stopped()
            if (answer := self._read_line(line.strip())) is not None:
                return answer

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
        try:
            process = subprocess.Popen(
                shlex.split(self._command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                errors="replace",
                start_new_session=os.name == "posix",  # Ctrl-C is meant for us, not for the program
            )
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            shown = quote(" ".join(self._command.split()))
            why = f"The program {shown} could not be started: {why}."
            raise PlayerFailed(why, Failure.CRASHED) from None
        self._lines: SimpleQueue[str] = SimpleQueue()  # of this process alone
        self._reader = Thread(target=_read, args=(process, self._lines), daemon=True)
        self._reader.start()
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
        process.wait()
        self._reader.join(timeout=1)
        for stream in (process.stdin, process.stdout):
            assert stream is not None
            with suppress(OSError):  # closing flushes what is unsent, and nobody reads it any more
                stream.close()


def _read(process: subprocess.Popen[str], lines: SimpleQueue[str]) -> None:
    assert process.stdout is not None
    while line := process.stdout.readline(LINE_LIMIT):
        lines.put(line)
    lines.put("")  # the program has closed its output


def _unreadable(line: str, why: str) -> PlayerFailed:
    return PlayerFailed(
        f"The program's answer {quote(line)} is unreadable. {why} Log to standard error: each line of "
        "standard output answers a request.",
        Failure.UNREADABLE,
    )
