"""Chunks over local processes."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children, connection, get_context, parent_process
from threading import Thread

from ninefold.core.errors import NinefoldError
from ninefold.spread import AHEAD, DEAD, TRIES, R, T


def over_processes(
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
        except BaseException:  # nobody wants the results anymore
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
