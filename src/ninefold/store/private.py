"""Files that hold running secrets are for their owner alone."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from pathlib import Path

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


def _make_folder(folder: Path) -> None:
    for one in reversed([folder, *folder.parents]):
        if not one.exists():
            with suppress(FileExistsError):
                one.mkdir(mode=0o700)
    mode = folder.stat().st_mode
    if mode & 0o022 and not mode & 0o1000:
        log.warning("others can write in the folder %s, and so replace the database", folder)
