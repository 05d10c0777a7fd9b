"""Printing lines and asking for them, at a terminal or through a pipe.

On a terminal, text is wrapped to its width, and a question survives Ctrl-Z. A pipe gets every line as
it is.
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
from functools import partial
from typing import NoReturn, TextIO

from ninefold.cli.markdown import render
from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.show.layout import ANSI, Screen, columns, table, wrap
from ninefold.show.progress import ProgressLine
from ninefold.store.files.settings import read_settings

BYTE_ORDER_MARK = "\ufeff"  # some editors put it at the start of a file
PLAYER_COLORS = ("36", "35")  # cyan for Player 1, magenta for Player 2
PAGERS = ("less", "more")
PAGER_PROMPT = r"?e(END) .Space\: more   b\: back   q\: leave"  # as `less` writes prompts
AGAIN = 0.1  # seconds until an open question is interrupted once more
PROMPT_LINES = 3  # below what was asked for: a blank line, the next question, its answer


class EndOfInput(Exception):
    """There are no more lines to read."""


class Interrupted(Exception):
    """The open question is no longer to be answered."""


class _Suspended(Exception):
    """Ctrl-Z was pressed at a question."""


class _Redraw(Exception):
    """The question has to be shown again: after Ctrl-Z and `fg`, or because of a notification."""


def width_of_terminal(stream: TextIO) -> int | None:
    """How many columns a stream's terminal has; None if it is no terminal."""
    try:
        return max(os.get_terminal_size(stream.fileno()).columns, 20) if stream.isatty() else None
    except (OSError, ValueError):
        return None


class Console:
    """Standard input and output, as a terminal or as pipes.

    `terminal` is whether lines come from a terminal, and `interactive` whether output goes to one, too.
    """

    def __init__(
        self, *, color: bool, plain: bool, simple: bool = False, own_voice: bool = False
    ) -> None:
        self.terminal = sys.stdin.isatty()
        self.interactive = self.terminal and sys.stdout.isatty()
        self.color = color and not plain
        self.plain = plain
        self.own_voice = own_voice  # between two people, too, who else get the rule book's words
        self._simple = plain or simple  # no line editing, and nothing on the screen is erased
        self.screen = Screen(lambda: self.width or 80, plain)
        self._announced = False  # how to get help
        self._asking = False  # a question is open
        self._ended = False  # whether something ends it before it is answered
        self._finished = False  # the line that Ctrl-C left open
        self._held: list[str] | None = None  # what is said to be paged together
        self._notices: list[str] = []  # to be said before the open question is asked again
        if self.interactive and not self._simple:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401  (line editing for input())

    @property
    def width(self) -> int | None:
        """How many columns the output has; None for a pipe."""
        return width_of_terminal(sys.stdout)

    def say(self, *lines: str) -> None:
        """Print lines, wrapped to the terminal."""
        self.recite(*(part for line in lines for part in wrap(line, self.width)))

    def recite(self, *lines: str) -> None:
        """Print lines that must not be wrapped: the rule books' own, links, JSON."""
        if self._held is not None:
            self._held += lines
            return
        for line in lines:
            print(line)

    def say_columns(self, rows: Iterable[Sequence[str]]) -> None:
        self.recite(*columns(rows, self.width))

    def say_table(
        self, head: Sequence[str], rows: Sequence[Sequence[str]], spare: Sequence[str] = ()
    ) -> None:
        """Print a table. The columns of the headings in `spare` are left out where there is no room."""
        self.recite(*table(head, rows, self.width, plain=self.plain, spare=spare))

    def say_rules(self, game: Game) -> bool:
        """Show the rules of a game, in a pager if they do not fit the screen. Returns whether in one."""
        return self._page(render(game.rules, self.width, self.bold))

    @contextlib.contextmanager
    def paged(self) -> Iterator[None]:
        """Print what is said meanwhile together, through the pager if it does not fit the screen."""
        self._held = []
        try:
            yield
        finally:
            held, self._held = self._held, None
            self._page(held)

    def _page(self, lines: Sequence[str]) -> bool:
        pager = self._pager()
        if pager and len(lines) > os.get_terminal_size(sys.stdout.fileno()).lines - PROMPT_LINES:
            sys.stdout.flush()
            text = "".join(f"{line}\n" for line in lines)
            secure = {"LESSSECURE": "1", "MORESECURE": "1", "PAGERSECURE": "1"}  # writes no files
            try:
                before = signal.signal(signal.SIGINT, lambda *_: None)  # Ctrl-C is for the pager
                try:
                    subprocess.run(pager, input=text, text=True, env={**os.environ, **secure})
                    return True
                finally:
                    signal.signal(signal.SIGINT, before)
            except OSError:
                pass  # there is no such program
        self.recite(*lines)
        return False

    def _pager(self) -> list[str]:
        """The command in `PAGER`, or a pager that most systems have. Empty for none."""
        if not self.interactive or self._simple or self.width is None:
            return []
        wanted = os.environ.get("PAGER")
        command: list[str] = []
        if wanted is None:
            import shutil

            command = [found for name in PAGERS if (found := shutil.which(name))][:1]
        else:
            with contextlib.suppress(ValueError):
                command = shlex.split(wanted)
        if command and os.path.basename(command[0]) == "less":
            return [*command, "-R", f"-P{PAGER_PROMPT}"]
        return command

    def warn(self, text: str) -> None:
        """Print on stderr what is not part of the game."""
        sys.stdout.flush()
        warn(text)

    def notify(self, text: str, *, ends: bool = False) -> None:
        """Print something at once, from any thread. An open question is asked again after it.

        If that `ends` the question, it raises Interrupted instead.
        """
        if self._asking:
            self._ended = ends
            self._notices += [text] if text else []
            # Again and again: a signal that comes just before readline begins to wait does not wake it.
            while self._asking and (self._notices or self._ended):
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGCONT)
                time.sleep(AGAIN)
        elif text:
            self.warn(text)

    def bold(self, text: str) -> str:
        return f"\x1b[1m{text}\x1b[0m" if self.color else text

    def announce_help(self) -> None:
        """Say how to get help, once, at a terminal."""
        if self.interactive and not self._announced:
            self.say("(Type ? for help.)")
        self._announced = True

    def ask(self, prompt: str, *, secret: bool = False) -> str:
        """Ask for a line. Returns it without its line end. Raises EndOfInput.

        A secret is not echoed, and not kept in the input history. A line from a pipe is printed after
        the prompt, so that the output reads like a session at a terminal.
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
        """Ask until there is an answer. After Ctrl-Z and `fg`, what was typed so far is still there."""
        begun = ""
        while True:
            sys.stdout.flush()  # getpass writes to the terminal itself, past sys.stdout
            while self._notices:
                warn(self._notices.pop(0))
            try:
                with self._interruptible():
                    if secret:
                        return getpass.getpass(f"{prompt.rstrip()} (not shown) ")
                    with _prefilled(begun):
                        return input(ANSI.sub(lambda code: f"\001{code[0]}\002", prompt))
            except _Suspended:
                begun = "" if secret else _typed_so_far()
                self.recite("")
                os.kill(os.getpid(), signal.SIGTSTP)  # this time it suspends the process
            except _Redraw:
                begun = "" if secret else _typed_so_far()
                print("\n" if self._simple else "\r\x1b[K", end="", flush=True)
                if self._ended:
                    self._ended = False
                    raise Interrupted from None

    def finish_line(self) -> None:
        """End the line that Ctrl-C left open, once, so that the next output starts on a new line."""
        if not self._finished:
            self.recite("")
        self._finished = True

    @contextlib.contextmanager
    def _interruptible(self) -> Iterator[None]:
        """While a question is open, make Ctrl-Z and `fg` raise _Suspended and _Redraw.

        Leaving the question that way restores the terminal's mode, which a secret changes and which the
        shell does not restore.
        """

        def suspend(*_: object) -> NoReturn:
            raise _Suspended

        def redraw(*_: object) -> None:
            if self._asking:
                self._asking = False  # once is enough
                raise _Redraw

        if not hasattr(signal, "SIGTSTP"):  # a system without job control
            yield
            return
        before = {
            signal.SIGTSTP: signal.signal(signal.SIGTSTP, suspend),
            signal.SIGCONT: signal.signal(signal.SIGCONT, redraw),
        }
        self._asking = True
        try:
            yield
        finally:
            self._asking = False
            for number, handler in before.items():
                signal.signal(number, handler)

    def read_typed(self) -> str | None:
        """A line typed at the terminal without a question, if there is one. Raises EndOfInput."""
        descriptor = sys.stdin.fileno()
        if not select.select([descriptor], [], [], 0)[0]:
            return None
        line = os.read(descriptor, 4096)  # one line, not through sys.stdin, whose buffer input() ignores
        if not line:
            raise EndOfInput
        return line.decode(errors="replace").rstrip("\r\n")

    @contextlib.contextmanager
    def keys(self) -> Iterator[Callable[[], str]]:
        """Read single keys at a terminal, without echo: a function that returns those pressed since.

        Keys that were not read are discarded in the end, so that they do not reach the shell.
        """
        if not self.interactive:
            yield lambda: ""
            return
        import termios
        import tty

        descriptor = sys.stdin.fileno()
        mode = termios.tcgetattr(descriptor)

        def set_mode(*_: object) -> None:
            tty.setcbreak(descriptor)

        def read_keys() -> str:
            ready, _, _ = select.select([descriptor], [], [], 0)
            return os.read(descriptor, 4096).decode(errors="replace") if ready else ""

        set_mode()
        before = signal.signal(signal.SIGCONT, set_mode)  # the shell resets it after Ctrl-Z
        try:
            yield read_keys
        finally:
            signal.signal(signal.SIGCONT, before)
            termios.tcsetattr(descriptor, termios.TCSAFLUSH, mode)

    def painter(self, player1: Seat) -> Callable[[Seat, str], str]:
        """What puts text in the color of a seat's player, if colors are on."""
        return partial(_paint, player1) if self.color else lambda _, text: text


def warn(text: str) -> None:
    """Print on stderr, wrapped to its terminal."""
    for line in text.splitlines():
        print(*wrap(line, width_of_terminal(sys.stderr)), sep="\n", file=sys.stderr, flush=True)


def _typed_so_far() -> str:
    """The unfinished line at a question that was interrupted."""
    readline = sys.modules.get("readline")
    return readline.get_line_buffer() if readline else ""


@contextlib.contextmanager
def _prefilled(text: str) -> Iterator[None]:
    """Put this text into the line that is asked for next, as if it had been typed."""
    readline = sys.modules.get("readline")
    if not text or readline is None:
        yield
        return
    readline.set_startup_hook(lambda: readline.insert_text(text))
    try:
        yield
    finally:
        readline.set_startup_hook()


def _paint(player1: Seat, seat: Seat, text: str) -> str:
    return f"\x1b[{PLAYER_COLORS[seat != player1]}m{text}\x1b[0m"


def console_for(arguments: argparse.Namespace) -> Console:
    """The console for these options, the environment and the user's settings."""
    settings = read_settings()
    plain = getattr(arguments, "plain", False) or settings.plain
    color = (
        sys.stdout.isatty()
        and settings.color
        and not getattr(arguments, "no_color", False)
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") not in (None, "", "dumb")
    )
    voice = getattr(arguments, "voice", None) or settings.voice
    dumb = os.environ.get("TERM") == "dumb"
    return Console(color=color, plain=plain, simple=dumb, own_voice=voice == "own")


def show_progress() -> None:
    """From now on, show on a terminal how far exact values are, when they take over a second."""
    from ninefold.analysis import watch

    if sys.stderr.isatty():
        watch(_ValuesProgress())


class _ValuesProgress:
    def __init__(self) -> None:
        self._line: ProgressLine | None = None  # until something is worked out

    def __call__(self, part: float) -> None:
        line = self._line = self._line or ProgressLine(1)
        if part < 1:
            line.show(f"Working out exact values: {part:.0%}")
        else:
            line.clear()
            self._line = None
