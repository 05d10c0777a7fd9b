"""Matches as files: found again, never half written, never played twice at once."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from ninefold.core.errors import NinefoldError
from ninefold.match import Match, RecordError
from ninefold.store.files import matches as files
from ninefold.store.files.matches import (
    ID_LENGTH,
    ID_LETTERS,
    Matches,
    MatchFile,
    StoreError,
    data_folder,
    read_match,
)
from tests.match.tables import new_match, play


def cross(*moves: str) -> Match:
    return play(new_match("cross", {"grid": "123456789"}), *moves)


@pytest.fixture
def matches(tmp_path: Path) -> Matches:
    return Matches(tmp_path / "matches")


def save(matches: Matches, id: str, match: Match, *, changed: int | None = None) -> Path:
    """Save a match in the folder under an id of our choice, not being played."""
    path = matches.folder / f"{id}.json"
    with MatchFile(id, path) as saved:
        saved.save(match.shared_record())
    if changed is not None:
        os.utime(path, (changed, changed))
    return path


def moves_in(path: Path) -> list[str]:
    return [str(played.move) for played in read_match(path).played]


# Where


def test_matches_are_kept_in_the_xdg_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "ninefold"
    assert Matches().folder == tmp_path / "ninefold" / "matches"


@pytest.mark.parametrize("value", ["", "data", "./data", "../data", "~/data"])
def test_a_relative_xdg_data_folder_is_ignored(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, value: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", value)
    assert data_folder() == tmp_path / ".local" / "share" / "ninefold"


def test_without_an_xdg_data_folder_it_is_below_the_home(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert data_folder() == tmp_path / ".local" / "share" / "ninefold"


# Saving and finding


def test_a_new_match_has_an_id_that_is_easy_to_type_and_writes_nothing_yet(matches: Matches) -> None:
    saved = matches.new()
    assert len(saved.id) == ID_LENGTH
    assert set(saved.id) <= set(ID_LETTERS)
    assert not set(ID_LETTERS) & set("il1o0")
    assert not matches.folder.exists()


def test_an_id_that_is_taken_is_not_given_again(
    matches: Matches, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(matches, "aaaaa", cross())
    letters = iter("aaaaaaaaab")
    monkeypatch.setattr("secrets.choice", lambda _: next(letters))
    assert matches.new().id == "aaaab"


def test_a_saved_match_is_resumed_as_it_was(matches: Matches) -> None:
    match = cross("Row1", "Col2")
    with matches.new() as saved:
        saved.save(match.shared_record())
    again, read = matches.resume(saved.id)
    with again:
        assert again.id == saved.id
        assert read.played == match.played
        assert read.state == match.state
        read.submit(read.state.movers[0], "Row3")
        again.save(read.shared_record())
    assert moves_in(saved.path) == ["Row1", "Col2", "Row3"]


def test_a_file_is_a_record_and_nothing_else_is_in_the_folder(matches: Matches) -> None:
    match = cross("Row1")
    with matches.new() as saved:
        for _ in range(3):
            saved.save(match.shared_record())
        assert saved.path.read_text(encoding="utf-8") == match.shared_record().to_json()
        assert list(matches.folder.iterdir()) == [saved.path]


@pytest.mark.parametrize("name", ["abcde", "abc", "a", "ABCDE", "Abc", "  abc "])
def test_a_match_is_found_by_its_id_or_the_first_letters_of_it(matches: Matches, name: str) -> None:
    path = save(matches, "abcde", cross())
    save(matches, "bcdea", cross())
    assert matches.find(name) == path


@pytest.mark.parametrize(
    "name", ["abd", "abcdef", "", " ", "*", "a*", "../abcde", "abcde.json", "x" * 999]
)
def test_an_unknown_match_is_refused_in_a_sentence(matches: Matches, name: str) -> None:
    save(matches, "abcde", cross())
    with pytest.raises(StoreError, match=r"There is no match .*ninefold history"):
        matches.find(name)
    with pytest.raises(StoreError):
        matches.resume(name)


def test_letters_that_fit_several_matches_are_refused_with_their_ids(matches: Matches) -> None:
    for id in ("abcde", "abcdf", "bcdef"):
        save(matches, id, cross())
    with pytest.raises(StoreError, match=r'"abc" could mean several matches: abcde, abcdf\.'):
        matches.find("abc")


def test_a_whole_id_is_found_even_if_another_begins_with_it(matches: Matches) -> None:
    path = save(matches, "abc", cross())
    save(matches, "abcde", cross())
    assert matches.find("abc") == path


def test_a_folder_that_is_not_there_holds_no_matches(matches: Matches) -> None:
    assert matches.entries() == []
    with pytest.raises(StoreError, match="no match"):
        matches.find("abcde")


def test_a_regular_file_in_place_of_the_folder_holds_no_matches(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    matches = Matches(tmp_path / "file" / "matches")
    assert matches.entries() == []
    with pytest.raises(OSError, match=r"Not a directory|File exists"):
        matches.new().save(cross().shared_record())


def test_a_folder_that_cannot_be_had_is_no_reason_not_to_begin(tmp_path: Path) -> None:
    matches = Matches(tmp_path / ("x" * 300))
    saved = matches.new()
    with pytest.raises(OSError, match="too long"):
        saved.save(cross().shared_record())
    assert matches.entries() == []


# The list


def test_matches_are_listed_from_the_last_played(matches: Matches) -> None:
    for id, changed in (("aaaaa", 2000), ("bbbbb", 3000), ("ccccc", 1000), ("ddddd", 3000)):
        save(matches, id, cross("Row1"), changed=changed)
    assert [entry.id for entry in matches.entries()] == ["bbbbb", "ddddd", "aaaaa", "ccccc"]
    first = matches.entries()[0]
    assert first.changed == 3000
    assert first.problem == ""
    assert first.match is not None
    assert [str(played.move) for played in first.match.played] == ["Row1"]


DAMAGED = {
    "empty": (b"", "not valid JSON"),
    "cut off": (cross("Row1").shared_record().to_json().encode()[:-20], "not valid JSON"),
    "not text": (b"\xff\xfe\x00", "not text"),
    "another object": (b"{}", "not a match record"),
    "an illegal move": (
        cross("Row1", "Row2").shared_record().to_json().encode().replace(b"Row2", b"Row1"),
        "Move 2",
    ),
    "very deep": (b"[" * 100_000, "not valid JSON"),
}


@pytest.mark.parametrize(("content", "problem"), DAMAGED.values(), ids=DAMAGED.keys())
def test_a_damaged_file_is_listed_as_damaged_and_harms_no_other(
    matches: Matches, content: bytes, problem: str
) -> None:
    save(matches, "bbbbb", cross("Row1"), changed=1000)
    damaged = matches.folder / "aaaaa.json"
    damaged.write_bytes(content)
    os.utime(damaged, (2000, 2000))
    first, second = matches.entries()
    assert (first.id, first.path, first.match) == ("aaaaa", damaged, None)
    assert problem in first.problem
    assert second.match is not None
    with pytest.raises(RecordError, match=problem):
        matches.resume("aaaaa")
    assert damaged.read_bytes() == content


def test_a_damaged_match_is_not_left_locked(matches: Matches) -> None:
    path = save(matches, "aaaaa", cross("Row1"))
    good = path.read_bytes()
    path.write_bytes(b"{}")
    with pytest.raises(RecordError):
        matches.resume("aaaaa")
    path.write_bytes(good)
    saved, _ = matches.resume("aaaaa")
    saved.close()


def test_a_folder_named_like_a_match_is_listed_as_damaged(matches: Matches) -> None:
    (matches.folder / "aaaaa.json").mkdir(parents=True)
    (entry,) = matches.entries()
    assert entry.match is None
    assert "Cannot read" in entry.problem
    with pytest.raises(StoreError, match="Cannot read"):
        matches.resume("aaaaa")


def test_a_link_that_leads_nowhere_is_passed_over(matches: Matches) -> None:
    save(matches, "bbbbb", cross())
    (matches.folder / "aaaaa.json").symlink_to(matches.folder / "nowhere")
    assert [entry.id for entry in matches.entries()] == ["bbbbb"]
    with pytest.raises(StoreError, match="Cannot open"):
        matches.resume("aaaaa")


def test_hidden_and_other_files_are_no_matches(matches: Matches) -> None:
    save(matches, "bbbbb", cross())
    for name in (".aaaaa.json", ".bbbbb.123", "notes.txt", "bbbbb.json.bak"):
        (matches.folder / name).write_text("{}")
    assert [entry.id for entry in matches.entries()] == ["bbbbb"]


# All or nothing


def full(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def break_writing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        def __init__(self, path: Path, *_: object, **__: object) -> None:
            path.touch()

        def __enter__(self) -> Full:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        write = full

    monkeypatch.setattr(files, "open", Full, raising=False)


def break_opening(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "open", full, raising=False)


def break_syncing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", full)


def break_replacing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "replace", full)


def break_locking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_lock", full)


BREAKS = [break_opening, break_writing, break_syncing, break_locking, break_replacing]
Break = Callable[[pytest.MonkeyPatch], None]


@pytest.mark.parametrize("break_it", BREAKS)
def test_a_save_that_fails_leaves_the_match_as_it_was(matches: Matches, break_it: Break) -> None:
    path = save(matches, "aaaaa", cross("Row1"))
    before = path.read_bytes()
    saved, match = matches.resume("aaaaa")
    match.submit(match.state.movers[0], "Row2")
    open_files = len(os.listdir("/proc/self/fd"))
    with pytest.MonkeyPatch.context() as broken:
        break_it(broken)
        for _ in range(3):
            with pytest.raises(OSError, match="No space left"):
                saved.save(match.shared_record())
    assert path.read_bytes() == before
    assert list(matches.folder.iterdir()) == [path]
    assert len(os.listdir("/proc/self/fd")) == open_files
    with pytest.raises(StoreError, match="another window"):
        matches.resume("aaaaa")
    saved.save(match.shared_record())
    saved.close()
    assert moves_in(path) == ["Row1", "Row2"]


@pytest.mark.parametrize("break_it", BREAKS)
def test_a_first_save_that_fails_leaves_nothing(matches: Matches, break_it: Break) -> None:
    saved = matches.new()
    with pytest.MonkeyPatch.context() as broken:
        break_it(broken)
        with pytest.raises(OSError, match="No space left"):
            saved.save(cross().shared_record())
    assert list(matches.folder.iterdir()) == []
    saved.save(cross("Row1").shared_record())
    saved.close()
    assert moves_in(saved.path) == ["Row1"]


def test_a_save_that_is_interrupted_leaves_the_match_as_it_was(
    matches: Matches, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save(matches, "aaaaa", cross("Row1"))

    def ctrl_c(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", ctrl_c)
    with MatchFile("aaaaa", path) as saved, pytest.raises(KeyboardInterrupt):
        saved.save(cross("Row1", "Row2").shared_record())
    assert moves_in(path) == ["Row1"]
    assert list(matches.folder.iterdir()) == [path]


def test_a_record_is_on_disk_before_it_takes_the_place_of_the_old_one(
    matches: Matches, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order that survives a loss of power: the file's content, the renaming, the folder."""
    steps: list[str] = []
    sync, replace = os.fsync, os.replace

    def noted_sync(descriptor: int) -> None:
        steps.append("sync " + Path(os.readlink(f"/proc/self/fd/{descriptor}")).name)
        sync(descriptor)

    def noted_replace(source: Path, target: Path) -> None:
        steps.append(f"replace {target.name}")
        replace(source, target)

    monkeypatch.setattr(os, "fsync", noted_sync)
    monkeypatch.setattr(os, "replace", noted_replace)
    with matches.new() as saved:
        saved.save(cross().shared_record())
    written, renamed, folder = steps
    assert written.startswith(f"sync .{saved.id}.")
    assert renamed == f"replace {saved.id}.json"
    assert folder == "sync matches"


def test_a_folder_that_was_removed_is_made_again(matches: Matches) -> None:
    with matches.new() as saved:
        saved.save(cross().shared_record())
        saved.path.unlink()
        matches.folder.rmdir()
        saved.save(cross("Row1").shared_record())
    assert moves_in(saved.path) == ["Row1"]


# One window at a time


def test_a_match_being_played_cannot_be_resumed_in_another_window(matches: Matches) -> None:
    with matches.new() as saved:
        saved.save(cross().shared_record())
        for _ in range(2):
            with pytest.raises(StoreError, match=f"Match {saved.id} is being played in another window"):
                matches.resume(saved.id)
        saved.save(cross("Row1").shared_record())  # a new file, which must be locked as well
        with pytest.raises(StoreError, match="another window"):
            matches.resume(saved.id)
    again, match = matches.resume(saved.id)
    with again:
        assert [str(played.move) for played in match.played] == ["Row1"]
        with pytest.raises(StoreError, match="another window"):
            matches.resume(saved.id)


def test_a_match_being_played_is_still_listed_and_readable(matches: Matches) -> None:
    with matches.new() as saved:
        saved.save(cross("Row1").shared_record())
        (entry,) = matches.entries()
        assert entry.match is not None
        assert moves_in(saved.path) == ["Row1"]


def test_a_file_that_was_replaced_while_it_was_being_locked_does_not_count(
    matches: Matches, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other window saves between our opening the file and our locking it."""
    lock = fcntl.flock
    with matches.new() as saved:
        saved.save(cross().shared_record())

        def late_lock(descriptor: int, how: int) -> None:
            monkeypatch.setattr(fcntl, "flock", lock)
            saved.save(cross("Row1").shared_record())
            lock(descriptor, how)

        monkeypatch.setattr(fcntl, "flock", late_lock)
        with pytest.raises(StoreError, match="another window"):
            matches.resume(saved.id)


PLAYING = """
import sys
from pathlib import Path
from ninefold.store.files.matches import Matches
saved, match = Matches(Path(sys.argv[1])).resume("aaaaa")
print("held", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, None], ids=["kill -9", "kill", "exit"])
def test_the_lock_goes_with_the_process(matches: Matches, end: signal.Signals | None) -> None:
    save(matches, "aaaaa", cross())
    window = subprocess.Popen(
        [sys.executable, "-c", PLAYING, str(matches.folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with window:
        assert window.stdout is not None
        assert window.stdout.readline() == b"held\n"
        with pytest.raises(StoreError, match="another window"):
            matches.resume("aaaaa")
        if end is not None:
            window.send_signal(end)
    saved, _ = matches.resume("aaaaa")
    saved.close()


def test_where_there_are_no_locks_matches_are_kept_all_the_same(
    matches: Matches, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "fcntl", None)
    with matches.new() as saved:
        saved.save(cross().shared_record())
        again, _ = matches.resume(saved.id)
        again.close()


# kill -9

# Saves one more move each time, without end; says so after each save, as the table does by asking.
SAVING = """
import sys
from pathlib import Path
from random import Random
import ninefold
from ninefold.match import Match, Player
from ninefold.store.files.matches import MatchFile

path, name = Path(sys.argv[1]), f"player {sys.argv[2]}"
players = (Player(name, ninefold.Seat.FIRST), Player("other", ninefold.Seat.SECOND))
saved = MatchFile(path.stem, path)
match = Match(ninefold.load("pattern").start(), players)
rng = Random(0)
while True:
    saved.save(match.shared_record())
    print(len(match.played), flush=True)
    moves = [m for m in match.state.moves() if match.state.play(m).outcome is None]
    match.submit(match.state.movers[0], rng.choice(moves or match.state.moves()))
"""


def test_a_kill_at_any_moment_loses_no_move_that_was_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "aaaaa.json"
    rng = Random(9)
    for attempt in range(20):
        with subprocess.Popen(
            [sys.executable, "-c", SAVING, str(path), str(attempt)], stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            acknowledged = b""
            for _ in range(rng.randrange(1, 12)):
                acknowledged = process.stdout.readline()
            # The next saves are under way. A save takes some ten milliseconds: hit any part of it.
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(rng.uniform(0, 0.02))
            process.kill()
            acknowledged = (process.stdout.read().splitlines(keepends=True) or [acknowledged])[-1]
        match = read_match(path)
        assert match.players[0].name == f"player {attempt}"
        if acknowledged.endswith(b"\n"):
            assert len(match.played) >= int(acknowledged)


def test_reading_a_match_that_is_gone_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(NinefoldError, match=r"Cannot read .*No such file"):
        read_match(tmp_path / "nothing.json")
