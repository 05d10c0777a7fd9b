"""Files of JSON lines that are only ever appended to, and survive whatever interrupts that.

A line is whole if it ends. One that a crash has cut off is left out and written over; one that is whole
and unreadable is damage, which is never skipped.
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from ninefold.core.errors import NinefoldError

try:
    import fcntl
except ImportError:  # only Unix has it
    fcntl = None  # type: ignore[assignment]


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file, in order; none if there is no file. Raises NinefoldError for damage."""
    if not path.exists():
        return
    with path.open("rb") as file:
        for number, text in enumerate(file, 1):
            if not text.endswith(b"\n"):
                return
            try:
                line = json.loads(text)
            except ValueError:
                line = None
            if not isinstance(line, dict):
                raise NinefoldError(f"{path} is damaged: line {number:,} is not a JSON object.")
            yield line


def open_lines(path: Path) -> IO[bytes]:
    """Open a file for `append_lines`, and make it if there is none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.open("a+b")


def lock_lines(file: IO[bytes], path: Path) -> None:
    """Keep other runs out until the file is closed. Raises NinefoldError if one is at work in `path`."""
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise NinefoldError(f"Another run is writing to {path}.") from None


def cut_torn_line(file: IO[bytes]) -> None:
    """Remove the last line if it has been cut off. Nobody else may be writing."""
    if file.seek(0, 2):
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
            whole = text.rfind(b"\n") + 1
        file.truncate(whole)


def append_lines(file: IO[bytes], lines: Iterable[str]) -> None:
    """Append objects that are already JSON. They are with the system when this returns."""
    file.write("".join(f"{line}\n" for line in lines).encode())
    file.flush()
