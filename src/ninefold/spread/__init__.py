"""Spreads independent chunks of work over local processes, or over the machines of a dask cluster."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from importlib import import_module
from itertools import islice
from multiprocessing import active_children, connection, get_context, parent_process
from threading import Thread
from typing import Any, TypeVar

from ninefold.core.errors import NinefoldError

T = TypeVar("T")
R = TypeVar("R")
AHEAD = 2  # chunks per process that are under way or wait for one
TRIES = 3  # times in a row that processes may die before it is the work that is to blame
PATIENCE = 10.0  # seconds to connect to a scheduler

DEAD = (
    "A worker process died {times} times in a row, so it is the work that ends it. What is done is kept."
)
LOST = "The scheduler at {address} is gone. What is done is kept: run the same command again to go on."


def spread(
    work: Callable[[T], R],
    chunks: Iterable[T],
    *,
    workers: int = 1,
    cluster: str = "",
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[R]:
    """The results of all chunks, in the order in which they are finished. Each comes exactly once.

    With one worker the work is done here; with more, in as many processes; with a `cluster`, by the
    workers of the dask scheduler at that address. A chunk whose worker dies is done again. When `stop`
    says so, nothing new is begun, and the results of what is under way still come. Work and chunks must
    be picklable, and a chunk should take a second or more. Raises NinefoldError.
    """
    waiting = iter(chunks)
    if cluster:
        return _over_cluster(work, waiting, cluster, stop)
    return _over_processes(work, waiting, workers, stop) if workers > 1 else _here(work, waiting, stop)


def _here(work: Callable[[T], R], waiting: Iterator[T], stop: Callable[[], bool]) -> Iterator[R]:
    while not stop():
        for chunk in islice(waiting, 1):
            yield work(chunk)
            break
        else:
            return


def _over_processes(
    work: Callable[[T], R], waiting: Iterator[T], workers: int, stop: Callable[[], bool]
) -> Iterator[R]:
    again: list[T] = []  # chunks whose process has died
    died = 0
    while True:
        under_way: dict[Future[R], T] = {}
        before = {*active_children()}
        pool = ProcessPoolExecutor(workers, get_context("spawn"), _prepare)
        try:
            while True:
                while len(under_way) < AHEAD * workers and not stop():
                    chunk = again.pop() if again else next(waiting, None)
                    if chunk is None:
                        break
                    under_way[pool.submit(work, chunk)] = chunk
                if not under_way:
                    return
                for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                    result = future.result()
                    del under_way[future]
                    died = 0
                    yield result
        except BrokenProcessPool:
            died += 1
            if died == TRIES:
                raise NinefoldError(DEAD.format(times=died)) from None
            again += under_way.values()
        except BaseException:  # nobody wants the results any more
            for process in {*active_children()} - before:
                process.kill()
            raise
        finally:
            pool.shutdown(cancel_futures=True)


def _prepare() -> None:
    """Have a worker process leave Ctrl-C to its parent, and end when the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    Thread(target=watch, daemon=True).start()


def _over_cluster(
    work: Callable[[T], R], waiting: Iterator[T], address: str, stop: Callable[[], bool]
) -> Iterator[R]:
    try:
        distributed: Any = import_module("distributed")  # it is typed in parts, which would not pass
    except ModuleNotFoundError:
        raise NinefoldError("A cluster needs dask: pip install 'ninefold[cluster]'") from None
    try:
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise NinefoldError(f"There is no dask scheduler at {address}: {error}") from None
    with client:
        under_way: dict[Any, T] = {}
        completed = distributed.as_completed(loop=client.loop)

        def send() -> None:
            most = AHEAD * max(1, sum(client.nthreads().values()))
            while len(under_way) < most and not stop():
                chunk = next(waiting, None)
                if chunk is None:
                    return
                submit(chunk)

        def submit(chunk: T) -> None:
            future = client.submit(work, chunk, pure=False)
            under_way[future] = chunk
            completed.add(future)

        died = 0
        try:
            send()
            for future in completed:
                chunk = under_way.pop(future)
                try:
                    result = future.result()
                except distributed.KilledWorker:
                    died += 1
                    if died == TRIES:
                        raise NinefoldError(DEAD.format(times=died)) from None
                    submit(chunk)
                    continue
                died = 0
                future.release()
                yield result
                send()
        except (CancelledError, OSError):
            with suppress(Exception):
                client.close(timeout=1)
            raise NinefoldError(LOST.format(address=address)) from None
