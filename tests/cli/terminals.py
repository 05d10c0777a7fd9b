"""Programs on terminals of their own, without the pauses that pexpect makes by default."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from typing import Any

import pexpect  # type: ignore[import-untyped]


def spawn(words: Sequence[str], **more: Any) -> Any:
    """Start a program on a terminal."""
    child = pexpect.spawn(words[0], list(words[1:]), encoding="utf-8", **more)
    child.delaybeforesend = None
    child.ptyproc.delayafterclose = 0
    return child


def end(child: Any) -> None:
    """Kill a program. Closing its terminal would only ask it to end, and wait."""
    if child.isalive():
        child.kill(signal.SIGKILL)
        child.wait()
    child.close()
