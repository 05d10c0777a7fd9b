"""Files that hold running secrets are for their owner alone."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from pathlib import Path

from ninefold.core.errors import NinefoldError

try:
    import fcntl
except ImportError:  # not on this system: it is up to the user not to start two servers on a file
    fcntl = None  # type: ignore[assignment]

log = logging.getLogger("ninefold.store")
COMPANIONS = ("", "-wal", "-shm", "-journal")  # what SQLite keeps beside a database, by what it adds


def keep_private(path: Path) -> None:
    """Let only the owner read a database file, which is made if there is none.

    Folders that are missing are made for the owner alone too. One that is there is never changed: if
    others may write in it, that is logged. What cannot be changed is logged as well.
    """
    path = Path(os.path.realpath(path))
    _make_folder(path.parent)
    with suppress(OSError):  # it is there, or whoever opens it says why it cannot be made
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    for suffix in COMPANIONS:
        beside = path.with_name(path.name + suffix)
        try:
            if beside.stat().st_mode & 0o077:
                beside.chmod(0o600)
        except FileNotFoundError:
            continue
        except OSError:
            log.warning("others can read %s, and it cannot be changed", beside)


def hold(path: Path) -> int | None:
    """Make sure that no other server works on this file, for as long as what is answered stays open.

    None where the system has no locks. Raises NinefoldError.
    """
    if fcntl is None:
        return None
    _make_folder(path.parent)
    # A file has one lock, by whatever link it is reached.
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
