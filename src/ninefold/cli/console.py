"""Lines out, lines in: a terminal or a pipe, with the same text on both."""

from __future__ import annotations

import argparse
import contextlib
import getpass
import os
import re
import select
import signal
import sys
import time
from collections.abc import Iterable, Iterator

from ninefold.core.seat import Seat

_ANSI = re.compile("\x1b\\[[0-9;]*m")
BYTE_ORDER_MARK = "\ufeff"  # some editors begin a file with it
PLAYER_COLORS = ("36", "35")  # cyan for Player 1, magenta for Player 2


class EndOfInput(Exception):
    """There are no more lines to read."""


class Console:
    def __init__(self, *, color: bool, plain: bool) -> None:
        self.terminal = sys.stdin.isatty()
        self.interactive = self.terminal and sys.stdout.isatty()
        self.color = color and not plain
        if self.interactive and not plain:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401  (line editing for input())

    def say(self, *lines: str) -> None:
        for line in lines:
            print(line)

    def warn(self, text: str) -> None:
        sys.stdout.flush()
        print(text, file=sys.stderr, flush=True)

    def bold(self, text: str) -> str:
        return f"\x1b[1m{text}\x1b[0m" if self.color else text

    def ask(self, prompt: str, *, secret: bool = False) -> str:
        """The next line typed, without its end. Raises EndOfInput.

        A secret is not echoed, nor kept in the input history. What comes from a pipe is printed
        after the prompt, so that the output reads like the session at a terminal.
        """
        try:
            if self.terminal and secret:
                sys.stdout.flush()  # the prompt goes to the terminal itself, past our output
                with _hidden_after_suspension(prompt):
                    return getpass.getpass(prompt)
            if self.terminal:
                return input(_ANSI.sub(lambda code: f"\001{code[0]}\002", prompt))
        except EOFError:
            self.say("")
            raise EndOfInput from None
        print(prompt, end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            self.say("")
            raise EndOfInput
        answer = line.removeprefix(BYTE_ORDER_MARK).rstrip("\r\n")
        self.say("" if secret else answer)
        return answer

    def typed(self) -> str | None:
        """A line that has been typed at the terminal unasked, if there is one. Raises EndOfInput."""
        descriptor = sys.stdin.fileno()
        if not select.select([descriptor], [], [], 0)[0]:
            return None
        line = os.read(descriptor, 4096)  # past Python's buffer, in which input() would not look
        if not line:
            raise EndOfInput
        return line.decode(errors="replace").rstrip("\r\n")

    def painter(self, player1: Seat) -> Paint:
        return Paint(player1, self.color)


@contextlib.contextmanager
def _hidden_after_suspension(prompt: str) -> Iterator[None]:
    """While a secret is asked for: who suspends us has a terminal that echoes, and it is hidden again
    when we go on, since a shell does not do that for us."""
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError:  # nobody can suspend us
        yield
        return
    import termios

    shown = termios.tcgetattr(terminal)
    hidden = [*shown[:3], shown[3] & ~termios.ECHO, *shown[4:]]

    def hide() -> None:
        with contextlib.suppress(termios.error):  # we are in the background, and will be sent on again
            termios.tcsetattr(terminal, termios.TCSANOW, hidden)

    def suspend(*_: object) -> None:
        termios.tcsetattr(terminal, termios.TCSANOW, shown)
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, suspend)
        hide()  # where nobody could send us on, we have not been stopped

    def go_on(*_: object) -> None:
        hide()
        os.write(terminal, prompt.encode())

    before = {
        signal.SIGTSTP: signal.signal(signal.SIGTSTP, suspend),
        signal.SIGCONT: signal.signal(signal.SIGCONT, go_on),
    }
    try:
        yield
    finally:
        for number, act in before.items():
            signal.signal(number, act)
        os.close(terminal)


class Paint:
    """A seat's color around its text; no color, no change."""

    def __init__(self, player1: Seat, color: bool) -> None:
        self._player1 = player1
        self._color = color

    def __call__(self, seat: Seat, text: str) -> str:
        if not self._color:
            return text
        return f"\x1b[{PLAYER_COLORS[seat != self._player1]}m{text}\x1b[0m"


def console_for(arguments: argparse.Namespace) -> Console:
    """The console that the options and the environment ask for."""
    plain = getattr(arguments, "plain", False)
    color = (
        sys.stdout.isatty()
        and not getattr(arguments, "no_color", False)
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") not in (None, "", "dumb")
    )
    return Console(color=color, plain=plain or os.environ.get("TERM") == "dumb")


def show_progress() -> None:
    """Have whatever makes exact values wait for over a second say on a terminal how far it is."""
    from ninefold.analysis import watch

    if sys.stderr.isatty():
        watch(_Progress())


class _Progress:
    def __init__(self) -> None:
        self._began: float | None = None
        self._shown = False

    def __call__(self, part: float) -> None:
        now = time.monotonic()
        if self._began is None:
            self._began = now
        if part < 1 and now - self._began > 1:
            print(f"\rWorking out exact values: {part:.0%}", end="", file=sys.stderr, flush=True)
            self._shown = True
        elif part >= 1:
            if self._shown:
                print("\r" + " " * 40 + "\r", end="", file=sys.stderr, flush=True)
            self._began, self._shown = None, False


def columns(rows: Iterable[tuple[str, ...]]) -> list[str]:
    """Rows of text as lines with aligned columns."""
    table = list(rows)
    if not table:
        return []
    widths = [max(_width(row[k]) for row in table) for k in range(len(table[0]))]
    return [
        "  ".join(
            text + " " * (width - _width(text)) for text, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in table
    ]


def _width(text: str) -> int:
    """How many characters of a text can be seen: colors take no room."""
    return len(_ANSI.sub("", text))
