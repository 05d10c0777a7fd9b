"""`ninefold tui`: full screen, where the terminal can."""

from __future__ import annotations

import argparse
import locale
import os
import sys

from ninefold.core.errors import NinefoldError
from ninefold.store.files.settings import read_settings

INSTEAD = "Play in line mode instead: ninefold, or ninefold play GAME."

EPILOG = """\
Everything that line mode has, on one screen, by keys and mouse; ? lists the keys. It needs a terminal of
at least 40x16 characters. For screen readers, and where a terminal cannot do it, play in line mode.

examples:
  ninefold tui
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG


def run(arguments: argparse.Namespace) -> int:
    refuse(plain=getattr(arguments, "plain", False) or read_settings().plain)
    from ninefold.tui.app import Ninefold

    if getattr(arguments, "no_color", False):
        os.environ["NO_COLOR"] = "1"
    app = Ninefold()
    words = app.run()
    return app.return_code or 0 if words is None else int(arguments.start(words))


def refuse(*, plain: bool = False) -> None:
    """Raise NinefoldError where full screen cannot work, and say how to play instead."""
    reason = ""
    if plain:
        reason = "Full screen is not for screen readers, and plain is on."
    elif not (sys.stdin.isatty() and sys.stdout.isatty()):
        reason = "Full screen needs a terminal, not a pipe or a file."
    elif os.environ.get("TERM", "dumb") in ("", "dumb"):
        reason = "This terminal cannot draw a full screen (TERM is dumb)."
    elif "utf" not in locale.getpreferredencoding(False).lower():
        reason = "Full screen needs a terminal with UTF-8."
    if reason:
        raise NinefoldError(f"{reason} {INSTEAD}")
