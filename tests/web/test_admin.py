"""What an operator does to a database: check, back up, restore, look into."""

from __future__ import annotations

import getpass
import os
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from unittest import mock

import pytest

from ninefold import SEATS, NinefoldError
from ninefold.web import launch
from ninefold.web.launch import ServerSettings
from tests.cli.session import Session, program, run
from tests.ports import free_port
from tests.web.campaign import Campaign
from tests.web.conftest import Start
from tests.web.postgres import Postgres
from tests.web.support import OPEN, Ended, Server, got, sqlite_url

FIRST, SECOND = SEATS


def admin(folder: Path, *words: str) -> Session:
    return run("admin", *words, "--database", sqlite_url(folder))


def check(address: str, *words: str) -> Session:
    """In a process of its own: it leaves a connection open."""
    with mock.patch.dict(os.environ, NINEFOLD_DATABASE=address):
        return program("serve", "--check", "--port", str(free_port()), *words)


def test_a_backup_made_in_the_middle_of_play_holds_all_that_was_acknowledged_before(
    start: Start, tmp_path: Path
) -> None:
    server = start()
    table = server.create("battle")
    table.play("0,0", "0,1")
    campaign = Campaign(server, clients=3)
    try:
        campaign.go_on(20)
        done = admin(tmp_path, "backup", str(tmp_path / "copy.db"))
        assert done.status == 0, done.err
        assert "written and read back" in done.out
        assert "damaged" not in done.out
        campaign.go_on(20)
    finally:
        campaign.end()
        campaign.close()
    assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600
    refused = admin(tmp_path, "restore", str(tmp_path / "copy.db"))
    assert (refused.status, "Another server is using" in refused.err) == (1, True)
    before = table.seen()
    table.play("0,2")
    assert server.stop() == 0
    done = admin(tmp_path, "restore", str(tmp_path / "copy.db"))
    assert done.status == 0, done.err
    assert "The old database is now" in done.out
    assert not list(tmp_path.glob("*.part*"))
    server.start()
    assert table.seen() == before
    got(table.move(FIRST, "2,2", 2))


def test_a_restore_is_not_corrupted_by_the_files_of_the_old_database(
    start: Start, tmp_path: Path
) -> None:
    """The files that SQLite keeps beside a database belong to it alone."""
    server = start()
    table = server.create("battle")
    assert admin(tmp_path, "backup", str(tmp_path / "copy.db")).status == 0
    table.play("0,0", "0,1", "0,2")
    server.kill()  # leaves a -wal with moves that the copy does not have
    assert (tmp_path / "server.db-wal").stat().st_size
    assert admin(tmp_path, "restore", str(tmp_path / "copy.db")).status == 0
    assert not (tmp_path / "server.db-wal").exists()
    (replaced,) = tmp_path.glob("server.db.replaced-*T??????")
    with closing(sqlite3.connect(replaced)) as old:
        assert old.execute("SELECT count(*) FROM moves").fetchone() == (3,)
    server.start()
    assert table.seen()["moves"] == []


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the database of a server that has stopped, and a copy of it."""
    folder = tmp_path_factory.mktemp("left")
    with Server(folder, sqlite_url(folder)).start() as server:
        for _ in range(20):
            server.create("battle", second=OPEN)
        assert admin(folder, "backup", str(folder / "copy.db")).status == 0
        assert server.stop() == 0
    return folder


@pytest.mark.parametrize("tear", ["cut", "hole", "nothing", "text"])
def test_a_torn_copy_is_refused_and_nothing_changes(left: Path, tmp_path: Path, tear: str) -> None:
    shutil.copytree(left, tmp_path, dirs_exist_ok=True)
    copy = tmp_path / "copy.db"
    content = copy.read_bytes()
    middle = len(content) // 2
    torn = {
        "cut": content[:middle],
        "hole": content[:4096] + b"\0" * (middle - 4096) + content[middle:],
        "nothing": b"",
        "text": b"This is not a database, whatever its name says.",
    }
    copy.write_bytes(torn[tear])
    before = (tmp_path / "server.db").read_bytes()
    done = admin(tmp_path, "restore", str(copy))
    assert done.status == 1
    assert any(word in done.err for word in ("damaged", "not a database", "never been used"))
    assert "Traceback" not in done.err
    assert (tmp_path / "server.db").read_bytes() == before
    assert not list(tmp_path.glob("*.part*"))


def test_a_backup_never_replaces_a_file(start: Start, tmp_path: Path) -> None:
    start()
    (tmp_path / "copy.db").write_text("precious")
    done = admin(tmp_path, "backup", str(tmp_path / "copy.db"))
    assert (done.status, "already exists" in done.err) == (1, True)
    assert (tmp_path / "copy.db").read_text() == "precious"
    missing = admin(tmp_path / "nowhere", "backup", str(tmp_path / "other.db"))
    assert (missing.status, "There is no database" in missing.err) == (1, True)
    assert not (tmp_path / "nowhere").exists()


def test_the_plain_files_of_a_killed_server_are_a_copy_too(start: Start, tmp_path: Path) -> None:
    server = start()
    table = server.create("battle")
    table.play("0,0", "0,1")
    server.kill()
    (tmp_path / "copies").mkdir()
    for name in ("server.db", "server.db-wal"):
        shutil.copy(tmp_path / name, tmp_path / "copies" / name)
    assert admin(tmp_path, "restore", str(tmp_path / "copies" / "server.db")).status == 0
    server.start()
    assert len(table.seen()["moves"]) == 2


def test_stats_says_what_is_in_a_database(start: Start, address: str) -> None:
    server = start(address)
    server.create("battle").play("0,0")
    server.create("cross", second=OPEN)
    done = program("admin", "stats", "--database", address)
    assert done.status == 0, done.err
    lines = [line.strip() for line in done.out.splitlines()]
    for line in ("matches 2", "playing 1", "waiting 1", "battle 1", "cross 1", "moves 1", "events 1"):
        assert line in lines


def test_a_match_can_be_removed_while_the_server_runs(start: Start, address: str) -> None:
    server = start(address)
    table, other = server.create("battle"), server.create("battle")
    with table.stream() as stream:
        done = program("admin", "remove", table.id, "--database", address)
        assert (done.status, f"Match {table.id} has been removed." in done.out) == (0, True), done.err
        with pytest.raises(Ended):
            stream.next()
    assert table.get("").status_code == 404
    assert other.get("").status_code == 200
    done = program("admin", "remove", table.id, "--database", address)
    assert (done.status, "There is no such match." in done.err) == (1, True)


def test_commands_say_what_they_use_and_what_is_missing(instance: Postgres, tmp_path: Path) -> None:
    missing = run("admin", "stats", "--database", sqlite_url(tmp_path))
    assert missing.status == 1
    assert missing.out == f"Using {sqlite_url(tmp_path)} as {getpass.getuser()}.\n"
    assert "There is no database" in missing.err
    address = instance.url("nowhere")
    for done in (run("admin", "stats", "--database", address), check(address)):
        assert done.status == 1
        assert "The database cannot be used: it does not exist" in done.err
        assert "Traceback" not in done.err


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
def test_a_restored_database_belongs_to_whom_the_old_one_did(left: Path, tmp_path: Path) -> None:
    shutil.copytree(left, tmp_path, dirs_exist_ok=True)
    database = tmp_path / "server.db"
    os.chown(database, 12345, 23456)
    database.chmod(0o640)
    assert admin(tmp_path, "restore", str(tmp_path / "copy.db")).status == 0
    found = database.stat()
    assert (found.st_uid, found.st_gid, found.st_mode & 0o777) == (12345, 23456, 0o640)
    assert (tmp_path / "server.db.lock").stat().st_uid == 12345


def test_a_check_finds_proxies_that_are_none_and_addresses_without_tls(tmp_path: Path) -> None:
    settings = ServerSettings(database=sqlite_url(tmp_path), port=free_port())
    for proxies in ("proxy.example", "10.0.0.1,10.0.0.256", "*", "10.0.0.1/8", "::1/64"):
        with pytest.raises(NinefoldError, match="--trusted-proxies takes addresses"):
            launch.check(replace(settings, trusted_proxies=proxies))
    for proxies in ("0.0.0.0/0", "10.0.0.1, ::/0"):
        with pytest.raises(NinefoldError, match="anybody could send any address"):
            launch.check(replace(settings, trusted_proxies=proxies))
    for host in ("0.0.0.0", "::"):
        with pytest.raises(NinefoldError, match="without TLS"):
            launch.check(replace(settings, host=host))
    assert launch.check(replace(settings, host="0.0.0.0", trusted_proxies="10.0.0.0/8"))


def test_postgresql_has_tools_of_its_own(database: str, tmp_path: Path) -> None:
    for action, tool in (("backup", "pg_dump"), ("restore", "pg_restore")):
        done = run("admin", action, str(tmp_path / "copy"), "--database", database)
        assert (done.status, tool in done.err) == (1, True)


def test_a_check_says_what_is_fine_and_changes_nothing(start: Start, tmp_path: Path) -> None:
    address = sqlite_url(tmp_path / "new")
    done = check(address)
    assert done.status == 0, done.err
    assert "The first start creates it." in done.out
    assert not (tmp_path / "new").exists()
    start()
    done = check(sqlite_url(tmp_path))
    assert done.status == 0, done.err
    assert "is writable" in done.out
    assert "the newest" in done.out


def test_a_check_on_postgresql(start: Start, database: str) -> None:
    done = check(database)
    assert (done.status, "creates its schema" in done.out) == (0, True), done.err
    start(database)
    assert "the newest" in check(database).out


def test_a_check_says_what_is_wrong(start: Start, tmp_path: Path) -> None:
    server = start()
    address = sqlite_url(tmp_path)
    taken = program("serve", "--check", "--port", str(server.port), "--database", address)
    assert (taken.status, "Cannot listen" in taken.err) == (1, True)
    assert "does not answer" in check("postgresql://nobody@127.0.0.1:9/x").err
    server.stop()
    with closing(sqlite3.connect(tmp_path / "server.db", isolation_level=None)) as other:
        other.execute("UPDATE alembic_version SET version_num = '9999'")
    assert "newer than this program" in check(address).err
    (tmp_path / "server.db").write_text("not a database, but long enough to look like one")
    assert "not a database" in check(address).err


def test_a_check_does_not_show_the_password() -> None:
    done = check("postgresql://nobody:swordfish@127.0.0.1:9/x")
    assert done.status == 1
    assert "swordfish" not in done.out + done.err
