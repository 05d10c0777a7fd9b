"""Line mode: the terminal, one question at a time."""

from __future__ import annotations

import argparse
import os
import sys


class UsageError(Exception):
    """The arguments of a command are wrong. The message says what is allowed."""


class ToMenu(Exception):
    """Somebody wants to go to the menu."""


def program() -> str:
    """What to type to run this program: its name, or its path if the shell would not find it."""
    from shlex import quote
    from shutil import which

    called = sys.argv[0]
    if os.path.basename(called) != "ninefold" or which("ninefold"):
        return "ninefold"
    return quote(called)


def add_screen_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how to draw. They may stand before a command or after it."""
    parser.add_argument(
        "--no-color", action="store_true", default=argparse.SUPPRESS, help="turn off colors"
    )
    parser.add_argument(
        "--plain",
        action="store_true",
        default=argparse.SUPPRESS,
        help="for screen readers: boards in words, no colors, no line editing",
    )
