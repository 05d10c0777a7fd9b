"""The dispatcher: every command, and the module that implements it, imported only when it runs.

This is the only place that knows all interfaces.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module

from ninefold.cli import ToMenu, UsageError, add_screen_options

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` itself would take a tenth of the time that --help takes
    from types import ModuleType
    from typing import NoReturn

COMMANDS = {
    "play": "play a game at this terminal",
    "tui": "play in full screen, with keys and mouse",
    "resume": "continue an unfinished match",
    "history": "list the matches saved on this machine",
    "replay": "show a match turn by turn",
    "review": "go over a match: what was best, and which move lost it",
    "puzzle": "solve the puzzle of the day, or any other",
    "analyze": "show the exact value of a position and of every move in it",
    "levels": "say what each level of the computer is like in a game",
    "solve": "say who wins a game under perfect play",
    "host": "start a match on a server, to play someone elsewhere",
    "join": "join a match on a server, or return to it",
    "watch": "watch a match on a server",
    "serve": "run a server for browsers and other machines",
    "admin": "back up, restore and inspect a server's database",
    "evaluate": "measure a player, such as a language model, by exact values",
    "chat": "let a language model play, as a program",
    "dataset": "write positions with exact values, for training and testing",
    "learn": "learn a game by playing: short lessons, step by step",
    "rules": "print the rules of a game",
    "arena": "play contests that settle who is better",
    "lab": "measure a game, and see what other rules would make of it",
    "perft": "count the possible sequences of turns in a game",
    "completion": "print a completion script for your shell",
}

# Commands of other interfaces; each of the rest is a module in `cli.commands`.
MODULES = {
    "serve": "ninefold.web.command",
    "admin": "ninefold.web.admin",
    "tui": "ninefold.tui.command",
    **{name: f"ninefold.text.{name}" for name in ("evaluate", "chat", "dataset")},
    "arena": "ninefold.arena.command",
    "lab": "ninefold.lab.command",
}

# Commands that need an extra, and the `make` target that installs it in a clone.
EXTRAS = {"serve": ("web", "serve"), "admin": ("web", "serve"), "tui": ("tui", "play")}

# Commands that the menu offers only where this package is installed.
NEEDS = {"tui": "textual"}

NARROW = 70  # columns; below that, usage does not list every option

EPILOG = """\
examples:
  ninefold                       choose from a menu
  ninefold tui                   the same in full screen
  ninefold learn shadow          learn a game in three minutes
  ninefold play shadow           two people at one screen
  ninefold resume                continue where you left off
  ninefold rules conquest        read the rules first

Run `ninefold COMMAND --help` to learn more about a command.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command. The exit status: 0 done, 1 failed or not finished, 2 wrong usage, 130 Ctrl-C."""
    words = list(sys.argv[1:] if argv is None else argv)
    _prepare_streams()
    signal.signal(signal.SIGTERM, _terminate)
    try:
        status = _run(words)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        if not isinstance(error, BrokenPipeError):  # which only says that our reader has left
            where = f"{error.filename}: " if error.filename else ""
            print(f"ninefold: {where}{error.strerror or error}", file=sys.stderr)
        # At exit, Python flushes what is still buffered: send it where that cannot fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status


def _prepare_streams() -> None:
    """Make sure that neither a closed stream nor a character it cannot encode causes a crash."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115  (for the life of the process)
        getattr(getattr(sys, name), "reconfigure", lambda **_: None)(errors="replace")


def _terminate(*_: object) -> NoReturn:
    sys.exit(128 + signal.SIGTERM)  # raises SystemExit, so that the terminal's mode is restored


def _run(words: list[str]) -> int:
    from ninefold.core.errors import NinefoldError

    if words[:1] == ["--complete"]:  # from a shell's completion script
        from ninefold.cli.commands.completion import complete

        print(*complete(words[1:], tuple(COMMANDS), build_parser), sep="\n")
        return 0
    parser = build_parser(next((word for word in words if not word.startswith("-")), None))
    arguments = parser.parse_args(words)
    if arguments.command is None and not (sys.stdin.isatty() and sys.stdout.isatty()):
        parser.error("name a command; the menu needs a terminal (try ninefold --help)")
    module = _load_module(arguments.command or "menu")
    from importlib.util import find_spec

    # So that an interface can run another one's command without importing it.
    arguments.start = _run
    arguments.offered = [name for name in COMMANDS if name not in NEEDS or find_spec(NEEDS[name])]
    try:
        try:
            return int(module.run(arguments))
        except ToMenu:
            return int(_load_module("menu").run(arguments))
    except UsageError as error:
        message, status = f"ninefold {arguments.command}: {error}", 2
    except NinefoldError as error:
        message, status = f"ninefold: {error}", 1
    except ModuleNotFoundError as error:
        if arguments.command not in EXTRAS or (error.name or "ninefold").startswith("ninefold"):
            raise
        install = _say_install(*EXTRAS[arguments.command])
        message, status = f"ninefold {arguments.command} needs {error.name}. {install}", 1
    from ninefold.cli.console import warn

    warn(message)
    return status


def _say_install(extra: str, target: str) -> str:
    """How to install an extra: in a clone of the project with its own tools, else from a registry."""
    from pathlib import Path

    clone = Path(__file__).parents[2]
    if (clone / "Makefile").exists() and (clone / "pyproject.toml").exists():
        return f"In {clone}, `make {target}` installs it, and so does `pip install '.[{extra}]'`."
    return f"To install it: pip install 'ninefold[{extra}]'"


def _load_module(command: str) -> ModuleType:
    return import_module(MODULES.get(command, f"ninefold.cli.commands.{command}"))


def build_parser(command: str | None) -> argparse.ArgumentParser:
    """Build the parser with the options of one command, so that only its module is imported."""
    parser = _Parser(
        prog="ninefold",
        description="Five two-player number-grid games: play them, study them.",
        epilog=EPILOG,
        formatter_class=_Formatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "--version", action=_Version, help="show the version and whether the C kernel is in use"
    )
    add_screen_options(parser)
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name, summary in COMMANDS.items():
        subparser = subparsers.add_parser(
            name,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            formatter_class=_Formatter,
            allow_abbrev=False,
        )
        if name == command:
            _load_module(name).configure(subparser)
            add_screen_options(subparser)
    return parser


class _Parser(argparse.ArgumentParser):
    """A parser whose error messages are wrapped to the terminal."""

    def error(self, message: str) -> NoReturn:
        from ninefold.cli.console import warn

        if wrong := re.match(r"argument COMMAND: invalid choice: '(\S*)'", message):
            from difflib import get_close_matches

            close = get_close_matches(wrong[1], COMMANDS, 1)
            instead = f"Did you mean {close[0]}?" if close else f"Choose from {', '.join(COMMANDS)}."
            message = f"there is no command {wrong[1]!r}. {instead}"
        self.print_usage(sys.stderr)
        warn(f"{self.prog}: error: {message}")
        sys.exit(2)


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Help whose paragraphs are wrapped to the terminal. Indented lines stay lines of their own.

    On a narrow terminal, usage says only `[options]`; they are listed below it.
    """

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        listed = list(actions)
        if usage is None and self._width < NARROW and any(one.option_strings for one in listed):
            positional = (str(one.metavar) for one in listed if not one.option_strings)
            usage = " ".join(["%(prog)s [options]", *positional])
        super().add_usage(usage, listed, groups, prefix)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if not sys.stdout.isatty():
            return text
        from textwrap import fill

        paragraphs = re.sub(r"(?<=\S)\n(?=\S)", " ", text).splitlines()
        return "".join(
            fill(
                line,
                width,
                subsequent_indent="    " if line.startswith(" ") else "",
                break_long_words=False,
                break_on_hyphens=False,
            )
            + "\n"
            for line in paragraphs
        )


class _Version(argparse.Action):
    """Prints the version. The kernel is imported only then, because that takes time."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str) -> None:
        super().__init__(option_strings, dest=argparse.SUPPRESS, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from ninefold import __version__
        from ninefold.analysis.placing.kernel import NAME

        print(f"ninefold {__version__} ({NAME})")
        parser.exit()
