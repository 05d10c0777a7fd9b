"""Line mode: the terminal, one question at a time."""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import sys


class UsageError(Exception):
    """What was typed after a command is wrong; the sentence says what is allowed."""


def program() -> str:
    """How to call this program again: by its name, or as it was called if the shell would not find it."""
    called = sys.argv[0]
    if os.path.basename(called) != "ninefold" or shutil.which("ninefold"):
        return "ninefold"
    return shlex.quote(called)


def add_screen_options(parser: argparse.ArgumentParser) -> None:
    """How to draw. Given before a command or after it."""
    parser.add_argument(
        "--no-color", action="store_true", default=argparse.SUPPRESS, help="turn off colors"
    )
    parser.add_argument(
        "--plain",
        action="store_true",
        default=argparse.SUPPRESS,
        help="for screen readers: boards in words, no colors, no line editing",
    )
