"""Chunks over the workers of a dask scheduler."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from importlib import import_module
from typing import Any

from ninefold.core.errors import NinefoldError
from ninefold.spread import AHEAD, DEAD, TRIES, R, T

PATIENCE = 10.0  # seconds to connect to a scheduler
LOST = "The scheduler at {address} is gone. What is done is kept: run the same command again to go on."


def over_cluster(
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
