"""The files of a SQLite database: readable by their owner alone, and used by one server at a time."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from pathlib import Path

from ninefold.core.errors import NinefoldError

try:
    import fcntl
except ImportError:  # not on this system: nothing prevents two servers on one file there
    fcntl = None  # type: ignore[assignment]

log = logging.getLogger("ninefold.store")
SUFFIXES = ("", "-wal", "-shm", "-journal")  # of the database file and those SQLite keeps beside it


def keep_private(path: Path) -> None:
    """Let only the owner read a database file. Creates it if there is none.

    Missing folders are created for the owner alone, too. A folder that exists is never changed; if others
    may write in it, that is logged. So is a file whose permissions cannot be changed.
    """
    path = Path(os.path.realpath(path))
    _make_folder(path.parent)
    with suppress(OSError):  # it exists, or opening it will say why it cannot be created
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    for suffix in SUFFIXES:
        file = path.with_name(path.name + suffix)
        try:
            if file.stat().st_mode & 0o077:
                file.chmod(0o600)
        except FileNotFoundError:
            continue
        except OSError:
            log.warning("others can read %s, and it cannot be changed", file)


def lock_file(path: Path) -> int | None:
    """Lock a database against other servers, until the returned descriptor is closed.

    Returns None where the system has no locks. Raises NinefoldError if another server has the lock.
    """
    if fcntl is None:
        return None
    _make_folder(path.parent)
    # The real path, so that there is one lock however many links lead to the file.
    descriptor = os.open(f"{os.path.realpath(path)}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise NinefoldError(f"Another server is using {path}.") from None
    os.set_inheritable(descriptor, False)
    return descriptor


def _make_folder(folder: Path) -> None:
    for one in reversed([folder, *folder.parents]):
        if not one.exists():
            with suppress(FileExistsError):
                one.mkdir(mode=0o700)
    mode = folder.stat().st_mode
    if mode & 0o022 and not mode & 0o1000:
        log.warning("others can write in the folder %s, and so replace the database", folder)
