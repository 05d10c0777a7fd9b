"""Matches as files, one each, in the user's data folder.

A file is replaced as a whole: the new one is written beside it, forced to disk, and renamed over it. So
a crash or a full disk leaves the match as it last was. The file of a match in play is locked, so that
it cannot be continued in a second window at the same time.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ninefold.core.errors import NinefoldError, quoted
from ninefold.core.seat import Seat
from ninefold.match import Match, Record, RecordError

try:
    import fcntl
except ImportError:  # not on this system: matches are kept without the lock
    fcntl = None  # type: ignore[assignment]

ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that look alike
ID_LENGTH = 5
SEATS_KEPT = 200  # the most recent ones, see Seats


class StoreError(NinefoldError):
    """There is no such match, or its file cannot be used now."""


def data_folder() -> Path:
    """`$XDG_DATA_HOME/ninefold`, by default `~/.local/share/ninefold`."""
    base = os.environ.get("XDG_DATA_HOME", "")
    # The XDG specification says that relative paths must be ignored.
    root = Path(base) if os.path.isabs(base) else Path(os.path.expanduser("~/.local/share"))
    return root / "ninefold"


@dataclass(frozen=True, slots=True)
class Entry:
    """A match in the list. `match` is None if its file is damaged; `problem` then says how."""

    id: str
    path: Path
    changed: float
    match: Match | None
    problem: str = ""
    link: str = ""  # only for a match on a server
    you: Seat | None = None  # the user's seat in a match on a server

    @property
    def unfinished(self) -> bool:
        """Whether the match can be continued."""
        return self.match is not None and not self.match.over


class Saved:
    """The file of a match that this process plays, with its lock. Use it as a context manager."""

    def __init__(self, id: str, path: Path, held: int | None = None) -> None:
        self.id = id
        self.path = path
        self._held = held  # the descriptor that carries the lock

    def __enter__(self) -> Saved:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._hold(None)

    def save(self, record: Record) -> None:
        """Replace the file with this record, forced to disk. Raises OSError."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        beside = self.path.with_name(f".{self.id}.{os.getpid()}")
        try:
            with open(beside, "w", encoding="utf-8") as file:
                file.write(record.to_json())
                file.flush()
                os.fsync(file.fileno())
            held = _lock(beside)
            try:
                os.replace(beside, self.path)
            except OSError:
                os.close(held)
                raise
        except BaseException:
            with contextlib.suppress(OSError):
                beside.unlink()
            raise
        self._hold(held)
        _sync_folder(self.path.parent)

    def keep(self, match: Match) -> None:
        """Save a match that has begun; delete the file of one that has not. Raises OSError."""
        if match.begun:
            self.save(match.shared_record())
        else:
            self.discard()

    def discard(self) -> None:
        """Delete the file and release the lock. Raises OSError."""
        self.path.unlink(missing_ok=True)
        self.close()

    def _hold(self, descriptor: int | None) -> None:
        if self._held is not None:
            os.close(self._held)
        self._held = descriptor


class Matches:
    """The folder of matches."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder if folder is not None else data_folder() / "matches"

    def new(self) -> Saved:
        """A file for a new match. Nothing is written yet."""
        while True:
            id = "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))
            if not os.path.lexists(self._path(id)):
                return Saved(id, self._path(id))

    def entries(self) -> list[Entry]:
        """All matches, the last played first."""
        return sorted(self._read(), key=lambda entry: (-entry.changed, entry.id))

    def find(self, name: str) -> Path:
        """The file of the match whose id is, or uniquely begins with, `name`."""
        wanted = name.strip().lower()
        ids = [path.stem for path in self._paths()]
        found = [id for id in ids if id.lower() == wanted] or [
            id for id in ids if wanted and id.lower().startswith(wanted)
        ]
        if not found:
            raise StoreError(f"There is no match {quoted(name)}. `ninefold history` lists your matches.")
        if len(found) > 1:
            raise StoreError(f"{quoted(name)} could mean several matches: {', '.join(sorted(found))}.")
        return self._path(found[0])

    def resume(self, name: str) -> tuple[Saved, Match]:
        """A match to continue, locked. Raises StoreError if it is being played in another window."""
        path = self.find(name)
        try:
            saved = Saved(path.stem, path, _lock(path))
        except BlockingIOError:
            raise StoreError(f"Match {path.stem} is being played in another window.") from None
        except OSError as error:
            raise StoreError(f"Cannot open {quoted(str(path), 200)}: {error.strerror}.") from None
        for left in path.parent.glob(f".{path.stem}.*"):  # by a process that was killed while saving
            with contextlib.suppress(OSError):
                left.unlink()
        try:
            return saved, read_match(path)
        except NinefoldError:
            saved.close()
            raise

    def _path(self, id: str) -> Path:
        return self.folder / f"{id}.json"

    def _paths(self) -> list[Path]:
        try:
            return [path for path in self.folder.glob("*.json") if not path.name.startswith(".")]
        except OSError:
            return []

    def _read(self) -> Iterator[Entry]:
        for path in self._paths():
            try:
                changed = path.stat().st_mtime
            except OSError:  # deleted in the meantime
                continue
            try:
                yield self._entry(path, changed)
            except NinefoldError as error:
                yield Entry(path.stem, path, changed, None, str(error))

    def _entry(self, path: Path, changed: float) -> Entry:
        return Entry(path.stem, path, changed, read_match(path))


class OnlineMatches(Matches):
    """Copies of the user's matches on servers, to list and to review.

    A file is the record as the user's seat may see it, with the match's link and the seat added.
    """

    def __init__(self) -> None:
        super().__init__(data_folder() / "online")

    def keep(self, id: str, link: str, seat: Seat, record: Record) -> None:
        """Save a copy in place of the previous one. Raises OSError."""
        data = {**json.loads(record.to_json()), "online": {"link": link, "seat": str(seat)}}
        self.folder.mkdir(parents=True, exist_ok=True)
        beside = self.folder / f".{id}.{os.getpid()}"
        beside.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
        os.replace(beside, self._path(id))

    def _entry(self, path: Path, changed: float) -> Entry:
        match = read_match(path)
        online = json.loads(_read_text(path)).get("online")
        if not isinstance(online, dict):
            raise RecordError("This is not the record of a match on a server.")
        link, seat = str(online.get("link", "")), Seat.named(online.get("seat"))
        return Entry(path.stem, path, changed, match, "", link, seat)


def all_entries() -> list[Entry]:
    """Every match, those on servers included, the last played first."""
    entries = [*Matches().entries(), *OnlineMatches().entries()]
    return sorted(entries, key=lambda entry: (-entry.changed, entry.id))


def delete_entry(entry: Entry) -> None:
    """Delete a match for good. Raises StoreError if it is being played in another window."""
    try:
        with Saved(entry.id, entry.path, _lock(entry.path)) as saved:
            saved.discard()
    except BlockingIOError:
        raise StoreError(f"Match {entry.id} is being played in another window.") from None
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreError(f"Cannot delete {quoted(str(entry.path), 200)}: {error.strerror}.") from None


def read_match(path: Path) -> Match:
    """The match in a file. Raises StoreError if it cannot be read, RecordError if it is damaged."""
    return Match.of(Record.from_json(_read_text(path)))


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise RecordError("This is not a match record: it is not text.") from None
    except OSError as error:
        raise StoreError(f"Cannot read {quoted(str(path), 200)}: {error.strerror}.") from None


def _lock(path: Path) -> int:
    """Lock a file until the returned descriptor is closed. Raises BlockingIOError if it is locked."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        if fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not os.path.samestat(os.fstat(descriptor), os.stat(path)):
            raise BlockingIOError("replaced while it was being locked")
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _sync_folder(folder: Path) -> None:
    """Force a rename in this folder to disk, on systems that can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def replace_file(path: Path, text: str) -> None:
    """Replace a file, readable by its owner alone. If it raises OSError, the file is as it was."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(descriptor)
    os.replace(beside, path)


class Seats:
    """The user's seats on servers, so that the user can return to them.

    A seat is the address of its match and a secret token. Only the user can read the file.
    """

    def __init__(self) -> None:
        self._path = data_folder() / "seats"

    def tokens(self, address: str) -> list[str]:
        """The tokens that hold seats of a match, the first taken first."""
        pairs = (line.rpartition(" ") for line in self._lines())
        return [token for kept, _, token in pairs if kept == address]

    def links(self) -> list[str]:
        """Every seat as a link with its token, the last taken first."""
        return ["#".join(line.rsplit(" ", 1)) for line in reversed(self._lines()) if " " in line]

    def _lines(self) -> list[str]:
        try:
            return self._path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return []

    def keep(self, address: str, token: str) -> None:
        """Remember a seat; beyond SEATS_KEPT, forget the oldest. Raises OSError."""
        if token in self.tokens(address):
            return
        lines = [*self._lines(), f"{address} {token}"][-SEATS_KEPT:]
        replace_file(self._path, "".join(f"{line}\n" for line in lines))
