"""Matches as files, one each, in the user's data folder.

Saving writes a temporary file, forces it to disk and renames it over the old one, so a crash or a full
disk leaves the match as it last was. The file of a match being played is locked, so that a second
window cannot play it at the same time.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ninefold.core.errors import NinefoldError, quote
from ninefold.core.seat import Seat
from ninefold.match import Match, Record, RecordError
from ninefold.store.files.atomic import replace_file

try:
    import fcntl
except ImportError:  # not on this system: matches are saved without a lock
    fcntl = None  # type: ignore[assignment]

ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that look alike
ID_LENGTH = 5
MOST_SEATS = 200


class StoreError(NinefoldError):
    """There is no such match, or its file cannot be used."""


def data_folder() -> Path:
    """`$XDG_DATA_HOME/ninefold`, by default `~/.local/share/ninefold`."""
    base = os.environ.get("XDG_DATA_HOME", "")
    # The XDG specification says to ignore a relative path.
    root = Path(base) if os.path.isabs(base) else Path(os.path.expanduser("~/.local/share"))
    return root / "ninefold"


@dataclass(frozen=True, slots=True)
class Entry:
    """A match in a list of matches. If its file is damaged, `match` is None and `problem` says why."""

    id: str
    path: Path
    changed: float  # when the file was last written, in seconds since 1970
    match: Match | None
    problem: str = ""
    link: str = ""  # for a match on a server
    you: Seat | None = None  # your seat in a match on a server

    @property
    def unfinished(self) -> bool:
        """Whether the match can be continued."""
        return self.match is not None and not self.match.over

    @property
    def studied(self) -> bool:
        """Whether the match may be looked into: not while it is still being played on a server."""
        return not (self.link and self.unfinished)


class MatchFile:
    """The file of a match that this process plays, locked from the first save until it is closed.

    Use it as a context manager.
    """

    def __init__(self, id: str, path: Path, lock: int | None = None) -> None:
        self.id = id
        self.path = path
        self._lock = lock  # the file descriptor that holds the lock

    def __enter__(self) -> MatchFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the lock. Another window can play the match then."""
        self._change_lock(None)

    def save(self, record: Record) -> None:
        """Replace the file with this record. It survives a loss of power from now on. Raises OSError."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        temporary = self.path.with_name(f".{self.id}.{os.getpid()}")
        try:
            with open(temporary, "w", encoding="utf-8") as file:
                file.write(record.to_json())
                file.flush()
                os.fsync(file.fileno())
            lock = _lock(temporary)
            try:
                os.replace(temporary, self.path)
            except OSError:
                os.close(lock)
                raise
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
        self._change_lock(lock)
        _sync_folder(self.path.parent)

    def update(self, match: Match) -> None:
        """Save a match, or delete its file if nothing has happened in it yet. Raises OSError."""
        if match.begun:
            self.save(match.shared_record())
        else:
            self.delete()

    def delete(self) -> None:
        """Delete the file, if there is one. Raises OSError."""
        self.path.unlink(missing_ok=True)
        self.close()

    def _change_lock(self, descriptor: int | None) -> None:
        if self._lock is not None:
            os.close(self._lock)
        self._lock = descriptor


class Matches:
    """The folder of the matches played on this machine."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder if folder is not None else data_folder() / "matches"

    def new(self) -> MatchFile:
        """A file for a new match, with an unused id. Nothing is written yet."""
        while True:
            id = "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))
            if not os.path.lexists(self._path(id)):
                return MatchFile(id, self._path(id))

    def entries(self) -> list[Entry]:
        """All matches, the most recently played first."""
        return _sort(self._read_entries())

    def find(self, name: str) -> Path:
        """The path of the match whose id is `name`, or the only one whose id starts with it.

        Raises StoreError if there is none, or several.
        """
        wanted = name.strip().lower()
        ids = [path.stem for path in self._paths()]
        found = [id for id in ids if id.lower() == wanted] or [
            id for id in ids if wanted and id.lower().startswith(wanted)
        ]
        if not found:
            raise StoreError(f"There is no match {quote(name)}. `ninefold history` lists your matches.")
        if len(found) > 1:
            raise StoreError(f"{quote(name)} could mean several matches: {', '.join(sorted(found))}.")
        return self._path(found[0])

    def resume(self, name: str) -> tuple[MatchFile, Match]:
        """Open a match to continue it: its file, locked, and the match.

        Raises StoreError if it is not found or is being played in another window, and RecordError if its
        file is damaged.
        """
        path = self.find(name)
        try:
            file = MatchFile(path.stem, path, _lock(path))
        except BlockingIOError:
            raise _in_another_window(path.stem) from None
        except OSError as error:
            raise StoreError(f"Cannot open {quote(str(path), 200)}: {error.strerror}.") from None
        for temporary in path.parent.glob(f".{path.stem}.*"):  # of a process that was killed in a save
            with contextlib.suppress(OSError):
                temporary.unlink()
        try:
            return file, read_match(path)
        except NinefoldError:
            file.close()
            raise

    def _path(self, id: str) -> Path:
        return self.folder / f"{id}.json"

    def _paths(self) -> list[Path]:
        try:
            return [path for path in self.folder.glob("*.json") if not path.name.startswith(".")]
        except OSError:
            return []

    def _read_entries(self) -> Iterator[Entry]:
        for path in self._paths():
            try:
                changed = path.stat().st_mtime
            except OSError:  # deleted in the meantime
                continue
            try:
                yield self._read_entry(path, changed)
            except NinefoldError as error:
                yield Entry(path.stem, path, changed, None, str(error))

    def _read_entry(self, path: Path, changed: float) -> Entry:
        return Entry(path.stem, path, changed, read_match(path))


class OnlineMatches(Matches):
    """Copies of the matches that were played on servers from this machine, to list and to review.

    A file is the record as the player's seat may see it, with the match's link and the seat added.
    """

    def __init__(self) -> None:
        super().__init__(data_folder() / "online")

    def save(self, id: str, link: str, seat: Seat, record: Record) -> None:
        """Save a copy in place of the last one. Raises OSError."""
        data = {**json.loads(record.to_json()), "online": {"link": link, "seat": str(seat)}}
        replace_file(self._path(id), json.dumps(data, ensure_ascii=False))

    def _read_entry(self, path: Path, changed: float) -> Entry:
        match = read_match(path)
        online = json.loads(_read_text(path)).get("online")
        if not isinstance(online, dict):
            raise RecordError("This is not the record of a match on a server.")
        link, seat = str(online.get("link", "")), Seat.named(online.get("seat"))
        return Entry(path.stem, path, changed, match, "", link, seat)


def all_entries() -> list[Entry]:
    """Every match, those on servers included, the most recently played first."""
    return _sort([*Matches().entries(), *OnlineMatches().entries()])


def _sort(entries: Iterable[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda entry: (-entry.changed, entry.id))


def delete_entry(entry: Entry) -> None:
    """Delete a match for good. Raises StoreError if it is being played in another window."""
    try:
        with MatchFile(entry.id, entry.path, _lock(entry.path)) as file:
            file.delete()
    except BlockingIOError:
        raise _in_another_window(entry.id) from None
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreError(f"Cannot delete {quote(str(entry.path), 200)}: {error.strerror}.") from None


def _in_another_window(id: str) -> StoreError:
    return StoreError(f"Match {id} is being played in another window.")


def read_match(path: Path) -> Match:
    """The match in a file. Raises StoreError if it cannot be read, RecordError if it is damaged."""
    return Match.of(Record.from_json(_read_text(path)))


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise RecordError("This is not a match record: it is not text.") from None
    except OSError as error:
        raise StoreError(f"Cannot read {quote(str(path), 200)}: {error.strerror}.") from None


def _lock(path: Path) -> int:
    """Lock a file. The lock lasts as long as the file descriptor that is returned.

    Raises BlockingIOError if another process holds the lock.
    """
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
    """Force a rename in a folder to disk, on systems that can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


class Seats:
    """The seats taken on servers from this machine, so that their players can return to them.

    A seat is the address of its match and a secret token. Only the user can read the file.
    """

    def __init__(self) -> None:
        self._path = data_folder() / "seats"

    def tokens(self, address: str) -> list[str]:
        """The tokens of the seats taken in a match, in the order they were taken."""
        pairs = (line.rpartition(" ") for line in self._lines())
        return [token for saved, _, token in pairs if saved == address]

    def links(self) -> list[str]:
        """Every seat as a link with its token, the most recently taken first."""
        return ["#".join(line.rsplit(" ", 1)) for line in reversed(self._lines()) if " " in line]

    def _lines(self) -> list[str]:
        try:
            return self._path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return []

    def add(self, address: str, token: str) -> None:
        """Save a seat. Beyond 200, the oldest is dropped. Raises OSError."""
        if token in self.tokens(address):
            return
        lines = [*self._lines(), f"{address} {token}"][-MOST_SEATS:]
        replace_file(self._path, "".join(f"{line}\n" for line in lines))
