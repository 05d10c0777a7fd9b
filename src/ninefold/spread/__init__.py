"""Spreads independent chunks of work over local processes, or over the machines of a dask cluster."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")
AHEAD = 2  # chunks per process that are under way or wait for one
TRIES = 3  # times in a row that processes may die before it is the work that is to blame
DEAD = (
    "A worker process died {times} times in a row, so it is the work that ends it. What is done is kept."
)


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
        from ninefold.spread.cluster import over_cluster

        return over_cluster(work, waiting, cluster, stop)
    if workers > 1:
        from ninefold.spread.processes import over_processes

        return over_processes(work, waiting, workers, stop)
    return _here(work, waiting, stop)


def add_workers(parser: ArgumentParser) -> None:
    """Add the options that say where the work is done."""
    parser.add_argument("--workers", type=_count, default=1, metavar="N", help="local processes (1)")
    parser.add_argument("--cluster", default="", metavar="ADDRESS", help="a dask scheduler instead")


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text)):
        raise ArgumentTypeError(f"{text!r}: it must be a whole number from 1 up")
    return int(text)


def _here(work: Callable[[T], R], waiting: Iterator[T], stop: Callable[[], bool]) -> Iterator[R]:
    while not stop():
        for chunk in islice(waiting, 1):
            yield work(chunk)
            break
        else:
            return
