"""Any program as a player: it reads one JSON object per line and answers with one move per line."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from ninefold.core.errors import NinefoldError, quote
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.core.view import as_data
from ninefold.players import PlayerFailed

SECONDS = 10.0  # for each move
LINE_LIMIT = 1000  # characters that are read of an answer


class ProgramPlayer:
    """Runs a command and asks it for every move.

    The program gets `{"game", "seat", "view", "moves"}` on standard input: what its seat may see, and the
    legal moves. It answers with one of these moves, in any notation that the game reads. PlayerFailed is
    raised if the program cannot be started, stops, takes too long or answers anything else.
    """

    def __init__(self, command: str, seconds: float = SECONDS) -> None:
        self._command = command
        self._seconds = seconds
        self._process: subprocess.Popen[str] | None = None
        self._answers: SimpleQueue[str] = SimpleQueue()

    def choose(self, state: State[Any], seat: Seat) -> Any:
        moves = state.moves(seat)
        request = {
            "game": state.game.slug,
            "seat": str(seat),
            "view": as_data(state.view(seat)),
            "moves": [str(move) for move in moves],
        }
        answer = self._exchange(json.dumps(request))
        try:
            move = state.game.parse(answer)
            state.play(move, seat)
        except NinefoldError as error:
            raise PlayerFailed(f"The program answered {quote(answer)}. {error}") from None
        return move

    def _exchange(self, request: str) -> str:
        process = self._process or self._start()
        assert process.stdin is not None
        try:
            process.stdin.write(request + "\n")
            process.stdin.flush()
        except OSError:
            raise PlayerFailed(f"The program has stopped{self._status()}.") from None
        try:
            answer = self._answers.get(timeout=self._seconds)
        except Empty:
            raise PlayerFailed(f"The program did not answer within {self._seconds:g} seconds.") from None
        if not answer:
            raise PlayerFailed(f"The program has stopped{self._status()}.")
        return answer.strip()

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
            raise PlayerFailed(f"The program {shown} could not be started: {why}.") from None
        self._reader = Thread(target=self._read, args=(process,), daemon=True)
        self._reader.start()
        self._process = process
        return process

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        while line := process.stdout.readline(LINE_LIMIT):
            self._answers.put(line)
        self._answers.put("")  # tells `_exchange` that the program has closed its output

    def _status(self) -> str:
        assert self._process is not None
        try:
            return f" with status {self._process.wait(timeout=1)}"
        except subprocess.TimeoutExpired:
            return ""

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
