"""Lines out, lines in: a terminal or a pipe.

On a terminal our text is wrapped to its width, and questions survive being suspended. A pipe gets every
line as it is.
"""

from __future__ import annotations

import argparse
import contextlib
import getpass
import os
import select
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NoReturn, TextIO

from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.show.layout import ANSI, Screen, columns, render, table, wrap
from ninefold.store.settings import read_settings

BYTE_ORDER_MARK = "\ufeff"  # some editors begin a file with it
PLAYER_COLORS = ("36", "35")  # cyan for Player 1, magenta for Player 2
PAGERS = ("less", "more")


class EndOfInput(Exception):
    """There are no more lines to read."""


class _Suspended(Exception):
    """Ctrl-Z was pressed at a question."""


class _Redraw(Exception):
    """The question has to be shown again: we were suspended, or there is something to say first."""


def width_of_terminal(stream: TextIO) -> int | None:
    """The columns of the terminal that a stream writes to; None if it is not one."""
    try:
        return max(os.get_terminal_size(stream.fileno()).columns, 20) if stream.isatty() else None
    except (OSError, ValueError):
        return None


class Console:
    def __init__(self, *, color: bool, plain: bool, simple: bool = False) -> None:
        self.terminal = sys.stdin.isatty()
        self.interactive = self.terminal and sys.stdout.isatty()
        self.color = color and not plain
        self.plain = plain
        self._simple = plain or simple  # a terminal that only types: no line editing, nothing erased
        self.screen = Screen(lambda: self.width or 80, plain)
        self._announced = False
        self._asking = False
        self._finished = False
        self._news: list[str] = []
        if self.interactive and not self._simple:
            with contextlib.suppress(ImportError):
                import readline  # line editing for input()

                readline.parse_and_bind("set enable-bracketed-paste off")  # pasted lines are lines

    @property
    def width(self) -> int | None:
        """The columns that our text has to fit; None for a pipe, which has no width."""
        return width_of_terminal(sys.stdout)

    def say(self, *lines: str) -> None:
        """Lines of ours, wrapped to the terminal."""
        self.recite(*(part for line in lines for part in wrap(line, self.width)))

    def recite(self, *lines: str) -> None:
        """Lines that stay as they are: a rule book's, links, JSON."""
        for line in lines:
            print(line)

    def say_columns(self, rows: Iterable[Sequence[str]]) -> None:
        self.recite(*columns(rows, self.width))

    def say_table(self, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        self.recite(*table(head, rows, self.width, plain=self.plain))

    def say_rules(self, game: Game) -> None:
        """The rules of a game; a page at a time if they are longer than the screen."""
        self.page(render(game.rules, self.width, self.bold))

    def page(self, lines: Sequence[str]) -> None:
        """Lines to read. What does not fit the screen goes through the reader's pager."""
        pager = self._pager()
        if pager and len(lines) >= os.get_terminal_size(sys.stdout.fileno()).lines:
            sys.stdout.flush()
            text = "".join(f"{line}\n" for line in lines)
            try:
                before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the pager's there
                try:
                    subprocess.run(pager, input=text, text=True, env={"LESS": "R", **os.environ})
                    return
                finally:
                    signal.signal(signal.SIGINT, before)
            except OSError:
                pass  # there is no such program: read it here
        self.recite(*lines)

    def _pager(self) -> list[str]:
        """The command that shows long texts: `PAGER`, or one that most systems have."""
        if not self.interactive or self._simple or self.width is None:
            return []
        wanted = os.environ.get("PAGER")
        if wanted is not None:
            with contextlib.suppress(ValueError):
                return shlex.split(wanted)
            return []
        import shutil

        return [found for name in PAGERS if (found := shutil.which(name))][:1]

    def warn(self, text: str) -> None:
        """Something beside the game, on the stream for errors."""
        sys.stdout.flush()
        warn(text)

    def notify(self, text: str) -> None:
        """Something to say at once, from any thread: a question that is open is asked again after it."""
        if self._asking:
            self._news.append(text)
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGCONT)
        else:
            self.warn(text)

    def bold(self, text: str) -> str:
        return f"\x1b[1m{text}\x1b[0m" if self.color else text

    def announce_help(self) -> None:
        """Say how to get help, once, to whoever sits at a terminal."""
        if self.interactive and not self._announced:
            self.say("(Type ? for help.)")
        self._announced = True

    def ask(self, prompt: str, *, secret: bool = False) -> str:
        """The next line typed, without its end. Raises EndOfInput.

        A secret is not echoed, nor kept in the input history. What comes from a pipe is printed
        after the prompt, so that the output reads like the session at a terminal.
        """
        try:
            if self.terminal:
                return self._ask_terminal(prompt, secret)
        except EOFError:
            self.recite("")
            raise EndOfInput from None
        except KeyboardInterrupt:
            self.finish_line()
            raise
        print(prompt, end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            self.recite("")
            raise EndOfInput
        answer = line.removeprefix(BYTE_ORDER_MARK).rstrip("\r\n")
        self.recite("" if secret else answer)
        return answer

    def _ask_terminal(self, prompt: str, secret: bool) -> str:
        """Ask until there is an answer. Ctrl-Z and `fg` bring the question back, and what was typed."""
        begun = ""
        while True:
            sys.stdout.flush()  # a secret's prompt goes to the terminal itself, past our output
            while self._news:
                warn(self._news.pop(0))
            try:
                with self._interruptible():
                    if secret:
                        return getpass.getpass(prompt)
                    with _prefilled(begun):
                        return input(ANSI.sub(lambda code: f"\001{code[0]}\002", prompt))
            except _Suspended:
                begun = "" if secret else _line_typed()
                self.recite("")
                os.kill(os.getpid(), signal.SIGTSTP)  # its usual effect is back
            except _Redraw:
                begun = "" if secret else _line_typed()
                print("\n" if self._simple else "\r\x1b[K", end="", flush=True)

    def finish_line(self) -> None:
        """After Ctrl-C, once: what is said next, here or in a shell, begins on a line of its own."""
        if not self._finished:
            self.recite("")
        self._finished = True

    @contextlib.contextmanager
    def _interruptible(self) -> Iterator[None]:
        """While a question is open, being suspended and sent on leads out of it, to be asked again.

        Leaving it puts the terminal in order, for a secret too, which a shell does not do for us.
        """

        def suspend(*_: object) -> NoReturn:
            raise _Suspended

        def go_on(*_: object) -> None:
            if self._asking:
                raise _Redraw

        if not hasattr(signal, "SIGTSTP"):  # a system without job control
            yield
            return
        before = {
            signal.SIGTSTP: signal.signal(signal.SIGTSTP, suspend),
            signal.SIGCONT: signal.signal(signal.SIGCONT, go_on),
        }
        self._asking = True
        try:
            yield
        finally:
            self._asking = False
            for number, act in before.items():
                signal.signal(number, act)

    def typed(self) -> str | None:
        """A line that has been typed at the terminal unasked, if there is one. Raises EndOfInput."""
        descriptor = sys.stdin.fileno()
        if not select.select([descriptor], [], [], 0)[0]:
            return None
        line = os.read(
            descriptor, 4096
        )  # one at a time, past Python's buffer, which input() does not see
        if not line:
            raise EndOfInput
        return line.decode(errors="replace").rstrip("\r\n")

    @contextlib.contextmanager
    def keys(self) -> Iterator[Callable[[], str]]:
        """While single keys are read at a terminal, unseen: a function that gives those pressed since.

        What was typed and not read is thrown away in the end, so that no shell gets to see it.
        """
        if not self.interactive:
            yield lambda: ""
            return
        import termios
        import tty

        descriptor = sys.stdin.fileno()
        shown = termios.tcgetattr(descriptor)

        def hide(*_: object) -> None:
            tty.setcbreak(descriptor)

        def pressed() -> str:
            ready, _, _ = select.select([descriptor], [], [], 0)
            return os.read(descriptor, 4096).decode(errors="replace") if ready else ""

        hide()
        before = signal.signal(signal.SIGCONT, hide)
        try:
            yield pressed
        finally:
            signal.signal(signal.SIGCONT, before)
            termios.tcsetattr(descriptor, termios.TCSAFLUSH, shown)

    def painter(self, player1: Seat) -> Paint:
        return Paint(player1, self.color)


def warn(text: str) -> None:
    """Print on the stream for errors, wrapped to its terminal."""
    for line in text.splitlines():
        print(*wrap(line, width_of_terminal(sys.stderr)), sep="\n", file=sys.stderr, flush=True)


def _line_typed() -> str:
    """What has been typed of a line that was interrupted."""
    readline = sys.modules.get("readline")
    return readline.get_line_buffer() if readline else ""


@contextlib.contextmanager
def _prefilled(text: str) -> Iterator[None]:
    """While a line is asked for that is begun with this text."""
    readline = sys.modules.get("readline")
    if not text or readline is None:
        yield
        return
    readline.set_startup_hook(lambda: readline.insert_text(text))
    try:
        yield
    finally:
        readline.set_startup_hook()


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
    """The console that the options, the environment and the kept settings ask for."""
    settings = read_settings()
    plain = getattr(arguments, "plain", False) or settings.plain
    color = (
        sys.stdout.isatty()
        and settings.color
        and not getattr(arguments, "no_color", False)
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") not in (None, "", "dumb")
    )
    return Console(color=color, plain=plain, simple=os.environ.get("TERM") == "dumb")


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
