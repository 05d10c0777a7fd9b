"""Work that takes long, done in a few processes of its own, so that no move waits for it."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from enum import IntEnum
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from starlette.exceptions import HTTPException

from ninefold.analysis import prepare_all
from ninefold.games import GAMES

log = logging.getLogger("ninefold.web")

T = TypeVar("T")
PROCESSES = 2
QUEUE = 50  # clients' jobs that may wait
EACH = 2  # jobs of one client, waiting or running
NICE = 10  # the priority of the processes: moves come first
RETRY = {"Retry-After": "2"}  # seconds


class Lane(IntEnum):
    """Who waits for a job. The jobs of a lane start in order, those of a lower number first."""

    OPPONENT = 0  # a person waits for a computer's move
    CLIENT = 1  # a client waits for an answer
    NOBODY = 2  # computers that play each other, and what is worked out for later


@dataclass(eq=False, slots=True)
class _Job:
    work: Callable[..., Any]
    given: tuple[Any, ...]
    client: str | None
    done: asyncio.Future[Any] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Jobs:
    """A queue for each lane, and the processes that take jobs from them.

    A function and its arguments are pickled, and so is what it returns or raises. Processes start when
    they are first needed.
    """

    def __init__(self, processes: int = PROCESSES) -> None:
        self._idle = [_Worker() for _ in range(processes)]
        self._workers = tuple(self._idle)
        self._threads = ThreadPoolExecutor(processes, "job")
        self._lanes: dict[Lane, deque[_Job]] = {lane: deque() for lane in Lane}
        self._by_client: Counter[str] = Counter()
        self._running: set[asyncio.Task[None]] = set()

    @property
    def waiting(self) -> int:
        return sum(map(len, self._lanes.values()))

    async def run_for(self, client: str, work: Callable[..., T], *given: Any) -> T:
        """Do a client's job. Cancel this to drop a job that still waits.

        Raises an HTTPException with status 429 if the client has two jobs already, with 503 if too many
        wait or the process dies, and what `work` raises.
        """
        if self._by_client[client] >= EACH:
            raise HTTPException(429, "You have asked for too much at once. Try again in a moment.", RETRY)
        if len(self._lanes[Lane.CLIENT]) >= QUEUE:
            raise HTTPException(503, "There is too much to work out now. Try again in a moment.", RETRY)
        try:
            return await self._run(Lane.CLIENT, work, given, client)
        except JobFailed as error:
            log.error("%s", error)
            raise HTTPException(
                503, "This could not be worked out. Try again in a moment.", RETRY
            ) from None

    async def run(self, lane: Lane, work: Callable[..., T], *given: Any) -> T:
        """Do a job of the server's own, never refused. Raises what `work` raises, and JobFailed."""
        return await self._run(lane, work, given, None)

    async def _run(
        self, lane: Lane, work: Callable[..., T], given: tuple[Any, ...], client: str | None
    ) -> T:
        job, queue = _Job(work, given, client), self._lanes[lane]
        if client is not None:
            self._by_client[client] += 1
        queue.append(job)
        self._start_jobs()
        try:
            answer: T = await job.done
        except asyncio.CancelledError:
            if job in queue:
                queue.remove(job)
                self._release(job)
            raise
        return answer

    def _start_jobs(self) -> None:
        while self._idle and (queue := next(filter(None, self._lanes.values()), None)):
            task = asyncio.create_task(self._perform(queue.popleft(), self._idle.pop()))
            self._running.add(task)
            task.add_done_callback(self._running.discard)

    async def _perform(self, job: _Job, worker: _Worker) -> None:
        loop = asyncio.get_running_loop()
        try:
            answer = await loop.run_in_executor(self._threads, worker.perform, job.work, job.given)
            if not job.done.done():
                job.done.set_result(answer)
        except Exception as error:
            if not job.done.done():
                job.done.set_exception(error)
        finally:
            self._release(job)
            self._idle.append(worker)
            self._start_jobs()

    def _release(self, job: _Job) -> None:
        """Let the client have another job: this one has ended, even if nobody waited for its end."""
        if job.client is not None:
            self._by_client[job.client] -= 1
            if not self._by_client[job.client]:
                del self._by_client[job.client]

    def stop(self) -> None:
        """End the processes, with whatever they are doing, and drop all jobs."""
        for queue in self._lanes.values():
            queue.clear()
        for worker in self._workers:
            worker.stop()
        self._threads.shutdown(wait=False)


class JobFailed(Exception):
    """The process that did a job has died."""


class _Worker:
    """A process that does one job at a time, and the thread's side of it."""

    def __init__(self) -> None:
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._lock = threading.Lock()  # while the process starts or ends
        self._stopped = False

    def perform(self, work: Callable[..., Any], given: tuple[Any, ...]) -> Any:
        """Have the process do a job, and wait for it. Raises what the job raises, or JobFailed."""
        try:
            pipe = self._pipe or self._start()
            pipe.send((work, given))
            succeeded, answer = pipe.recv()
        except (EOFError, OSError):
            self._end()
            raise JobFailed("a process that computes has died") from None
        if not succeeded:
            raise answer
        return answer

    def _start(self) -> Connection:
        # A new interpreter: a fork would copy locks that other threads hold.
        context = multiprocessing.get_context("spawn")
        with self._lock:
            if self._stopped:
                raise EOFError
            pipe, other = context.Pipe()
            process = context.Process(target=do_jobs, args=(other, GAMES), daemon=True)
            process.start()
            other.close()
            self._pipe, self._process = pipe, process
            return pipe

    def stop(self) -> None:
        self._stopped = True
        self._end()

    def _end(self) -> None:
        with self._lock:
            process, self._process, self._pipe = self._process, None, None
            if process is not None:
                process.kill()
                process.join()


def do_jobs(pipe: Connection, games: dict[str, str]) -> None:
    """What a process does until its parent closes the pipe or dies. `games` is the parent's registry.

    It prepares all settings before its first job: otherwise the time a job takes would tell a stranger
    which setting others play, and in Shadow Grid Duel that is a secret.
    """
    if hasattr(os, "nice"):  # only Unix has it
        with suppress(OSError):  # a sandbox may forbid it
            os.nice(NICE)
    with suppress(ValueError):  # in a test, this may not be the main thread
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent, which decides
    GAMES.update(games)
    prepare_all()
    while True:
        try:
            work, given = pipe.recv()
        except EOFError:
            return
        try:
            answer = True, work(*given)
        except Exception as error:
            answer = False, error
        try:
            pipe.send(answer)
        except OSError:
            return
