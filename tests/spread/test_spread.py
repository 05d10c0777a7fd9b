"""Every chunk's result comes exactly once, wherever the work is done and whoever is killed meanwhile."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing import active_children
from pathlib import Path

import pytest

from ninefold.core.errors import NinefoldError
from ninefold.spread import TRIES, spread
from tests.ports import free_port


def square(number: int) -> int:
    return number * number


def note_and_square(folder: str, number: int) -> int:
    """Leaves a note of the process that is at work, and takes a while."""
    Path(folder, f"{number}-{os.getpid()}").touch()
    time.sleep(0.05)
    return number * number


def kill_own_process(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def die_once(folder: str, number: int) -> int:
    mark = Path(folder, f"died-{number}")
    if number % 4 == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


@pytest.mark.parametrize("workers", [1, 2])
def test_every_result_comes_once(workers: int) -> None:
    assert sorted(spread(square, range(20), workers=workers)) == [n * n for n in range(20)]


def test_a_chunk_whose_process_dies_is_done_again(tmp_path: Path) -> None:
    found = spread(partial(die_once, str(tmp_path)), range(8), workers=2)
    assert sorted(found) == [n * n for n in range(8)]


def test_work_that_kills_its_process_every_time_is_given_up() -> None:
    with pytest.raises(NinefoldError, match=f"died {TRIES} times"):
        list(spread(kill_own_process, range(3), workers=2))


@pytest.mark.parametrize("workers", [1, 2])
def test_when_told_to_stop_it_finishes_what_is_under_way(workers: int) -> None:
    begun: list[int] = []

    def chunks() -> Iterator[int]:
        for number in range(100):
            begun.append(number)
            yield number

    found = list(spread(square, chunks(), workers=workers, stop=lambda: len(begun) >= 3))
    assert sorted(found) == [n * n for n in begun]
    assert len(found) < 20


def test_whoever_stops_listening_stops_the_work_at_once(tmp_path: Path) -> None:
    results = spread(partial(note_and_square, str(tmp_path)), range(9999), workers=2)
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert not active_children()


def is_alive(pid: str) -> bool:
    try:
        return "Z" not in Path("/proc", pid, "stat").read_text()
    except (FileNotFoundError, ProcessLookupError):  # it may end while we look
        return False


@pytest.mark.skipif(not Path("/proc").exists(), reason="needs /proc")
def test_workers_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    code = (
        "from functools import partial; from tests.spread.test_spread import note_and_square as work\n"
        "from ninefold.spread import spread\n"
        "if __name__ == '__main__':\n"
        f"    list(spread(partial(work, {str(tmp_path)!r}), range(9999), workers=2))"
    )
    parent = subprocess.Popen([sys.executable, "-c", code])
    while len({name.name.partition("-")[2] for name in tmp_path.iterdir()}) < 2:
        assert parent.poll() is None
        time.sleep(0.01)
    parent.kill()
    parent.wait()
    for pid in {name.name.partition("-")[2] for name in tmp_path.iterdir()}:
        until = time.monotonic() + 120
        while is_alive(pid):
            assert time.monotonic() < until
            time.sleep(0.01)


def test_no_scheduler_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ninefold.spread.cluster.PATIENCE", 0.2)
    pytest.importorskip("distributed")
    address = f"tcp://127.0.0.1:{free_port()}"
    with pytest.raises(NinefoldError, match="no dask scheduler"):
        list(spread(square, range(3), cluster=address))


@contextmanager
def cluster(workers: int) -> Iterator[tuple[str, subprocess.Popen[bytes], list[subprocess.Popen[bytes]]]]:
    """A dask scheduler with workers on this machine: its address, its process, and theirs."""
    pytest.importorskip("distributed")
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"

    def begin(*words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen([*command, "--no-dashboard"], **quiet)  # type: ignore[call-overload,no-any-return]

    scheduler = begin("scheduler", "--host", "127.0.0.1", "--port", str(port))
    alone = ("--nthreads", "1", "--host", "127.0.0.1", "--no-nanny")
    others = [begin("worker", address, *alone) for _ in range(workers)]
    try:
        until = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                assert time.monotonic() < until
                time.sleep(0.05)
        yield address, scheduler, others
    finally:
        for process in (*others, scheduler):
            process.kill()
            process.wait()


@pytest.mark.long
def test_a_cluster_does_the_same_even_if_a_worker_is_killed(tmp_path: Path) -> None:
    with cluster(2) as (address, _, workers):
        found = []
        for result in spread(partial(note_and_square, str(tmp_path)), range(60), cluster=address):
            found.append(result)
            if len(found) == 10:
                workers[0].kill()
        assert sorted(found) == [n * n for n in range(60)]


@pytest.mark.long
def test_a_scheduler_that_is_killed_ends_the_run_with_what_is_done(tmp_path: Path) -> None:
    with cluster(1) as (address, scheduler, _):
        results = spread(partial(note_and_square, str(tmp_path)), range(2000), cluster=address)
        found = [next(results) for _ in range(5)]
        scheduler.kill()
        with pytest.raises(NinefoldError, match="What is done is kept"):
            found.extend(results)
        assert len(set(found)) == len(found)
