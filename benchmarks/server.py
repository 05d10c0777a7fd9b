"""The server under load, beside boardgame.io's: 1,000 matches in play, 2,000 streams, one machine.

python -m benchmarks.server [--seconds N] [--matches N] [--no-peer]

Both servers are up during the whole run and are loaded in turn, so whatever else the machine does
affects both equally. Ours plays Number Grid Battle, durably, on SQLite; the peer plays its own
tic-tac-toe, a tied game, in memory: nine moves per match in both. A seat moves once its opponent's last
move has reached it and that move has been acknowledged. Three loads:

- *flat out*: a fixed number of moves is in flight at any time, and the next match in line sends the next;
- *all at once*: the same, with a move of every match in flight;
- *paced*: moves come at fixed times, and each is timed from when it should have been sent.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from time import monotonic, perf_counter, process_time, sleep
from typing import Any, Protocol
from urllib.request import urlopen

from benchmarks.server_clients import HOST, EventStream, Pool, SocketIO, request

IN_FLIGHT = 100
RATE = 1000
PLIES = 9
BATTLE = [f"{cell // 3},{cell % 3}" for cell in (4, 0, 8, 2, 6, 1, 7, 3, 5)]
TIED_GAME = [0, 1, 2, 4, 3, 5, 7, 6, 8]  # of tic-tac-toe
PEER = Path(__file__).parent / "peer" / "server.js"


class Played:
    """A match under load. `ply` moves have been made; at most one is in flight."""

    def __init__(self) -> None:
        self.ply = 0
        self.due = 0.0
        self.waits = 0  # 1 each until the move is acknowledged, and until the opponent hears of it
        self.load: Load | None = None

    def fail(self, why: str) -> None:
        if self.load is not None:
            self.load.fail(why)

    def send(self) -> None:
        raise NotImplementedError

    def acknowledged(self) -> None:
        if self.load is not None:
            self.load.acknowledged.append(perf_counter() - self.due)
        self._done()

    def heard(self) -> None:
        """The opponent has received the move."""
        if self.load is not None:
            self.load.heard.append(perf_counter() - self.due)
        self._done()

    def _done(self) -> None:
        self.waits -= 1
        if not self.waits:
            self.ply += 1
            if self.load is not None:
                self.load.moved(self)

    def close(self) -> None:
        raise NotImplementedError


class Load:
    """Makes moves in many matches and keeps the latencies, in seconds."""

    def __init__(self, matches: list[Played]) -> None:
        self._ready = deque(matches)
        self._late: deque[float] = deque()
        self._left = len(matches) * PLIES
        self._finished = asyncio.get_running_loop().create_future()
        self._next: Callable[[], None] = lambda: None
        self.acknowledged: list[float] = []
        self.heard: list[float] = []
        for match in matches:
            match.load = self

    def _start(self, due: float) -> None:
        match = self._ready.popleft()
        match.due = due
        match.waits = 2
        match.send()

    def moved(self, match: Played) -> None:
        self._left -= 1
        if match.ply < PLIES:
            self._ready.append(match)
        if not self._left and not self._finished.done():
            self._finished.set_result(None)
        self._next()

    def fail(self, why: str) -> None:
        if not self._finished.done():
            self._finished.set_exception(RuntimeError(why))

    async def flat_out(self, in_flight: int) -> float:
        """Play all matches to the end and return the seconds that it took."""

        def more() -> None:
            if self._ready:
                self._start(perf_counter())

        self._next = more
        began = perf_counter()
        for _ in range(in_flight):
            more()
        await asyncio.wait_for(self._finished, 60)
        return perf_counter() - began

    async def paced(self, rate: float) -> float:
        """Play all to the end, a move every 1/rate seconds, and return the seconds that it took."""

        def late() -> None:
            if self._late and self._ready:
                self._start(self._late.popleft())

        self._next = late
        loop = asyncio.get_running_loop()
        began = perf_counter()
        for number in range(self._left):
            due = began + number / rate
            if due > perf_counter():
                await asyncio.sleep(due - perf_counter())
            self._late.append(due)
            loop.call_soon(late)
        await asyncio.wait_for(self._finished, 60)
        return perf_counter() - began


class Side(Protocol):
    """A server under load."""

    name: str
    process: subprocess.Popen[bytes]

    def cpu_seconds(self) -> float: ...
    async def connect(self, in_flight: int) -> None: ...
    async def open(self) -> Played: ...


# Ours


class OurMatch(Played):
    def __init__(self, pool: Pool) -> None:
        super().__init__()
        self._pool = pool
        self._moves: list[bytes] = []
        self.streams: list[EventStream] = []
        self._received = [0, 0]  # moves, by seat

    async def open(self, port: int) -> None:
        wanted = {
            "game": "battle",
            "setup": {"grid": "792415863"},
            "first": {"kind": "person"},
            "second": {"kind": "person"},
        }
        created = await self._pool.fetch(request("POST", "/api/v1/matches", wanted))
        path = f"/api/v1/matches/{created['match']}"
        tokens = [held["token"] for held in created["held"]]
        self._moves = [
            request("POST", f"{path}/moves", {"move": move, "ply": ply}, tokens[ply % 2])
            for ply, move in enumerate(BATTLE)
        ]
        loop = asyncio.get_running_loop()
        for seat, token in enumerate(tokens):
            _, stream = await loop.create_connection(
                lambda seat=seat, token=token: EventStream(  # type: ignore[misc]
                    request("GET", f"{path}/events", token=token), lambda event: self._event(seat, event)
                ),
                HOST,
                port,
            )
            await stream.opened
            self.streams.append(stream)

    def send(self) -> None:
        self._pool.ask(self._moves[self.ply], self._answered)

    def _answered(self, status: int, body: bytes) -> None:
        if status == 200:
            self.acknowledged()
        else:
            self.fail(f"{status}: {body.decode()}")

    def _event(self, seat: int, event: dict[str, Any]) -> None:
        if event["kind"] != "move":
            return
        self._received[seat] += 1
        if event["ply"] != self._received[seat]:
            self.fail(f"a gap or a repeat before {event}")
        elif event["ply"] % 2 == seat:
            self.heard()  # seat 1 hears of the odd moves, which seat 0 makes

    def close(self) -> None:
        for stream in self.streams:
            stream.close()


@dataclass
class Ours:
    process: subprocess.Popen[bytes]
    port: int
    name: str = "ninefold"
    others: list[subprocess.Popen[bytes]] = field(default_factory=list)  # that do the same work
    pool: Pool = field(init=False)

    def __post_init__(self) -> None:
        self.pool = Pool(self.port)

    def cpu_seconds(self) -> float:
        return sum(cpu_seconds(one.pid) for one in (self.process, *self.others))

    async def connect(self, in_flight: int) -> None:
        await self.pool.open(in_flight)

    async def open(self) -> OurMatch:
        match = OurMatch(self.pool)
        await match.open(self.port)
        return match


def serve(
    folder: Path,
    port: int,
    *options: str,
    database: str = "",
    program: tuple[str, ...] = ("ninefold",),
) -> subprocess.Popen[bytes]:
    """A server without limits, on SQLite unless a database is given."""
    limits = ("rate", "streams", "streams-each", "matches-each")
    unlimited = [word for limit in limits for word in (f"--{limit}", "0")]
    return subprocess.Popen(
        [
            *(sys.executable, "-m", *program, "serve", "--port", str(port), *unlimited, *options),
            *("--database", database or f"sqlite:///{folder / 'server.db'}", "--log-level", "warning"),
        ],
        stdout=subprocess.DEVNULL,
        env={k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"},
    )


def allow_many_files() -> None:
    """Raise the limit of open files: each stream is one, here and in the servers."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def start_ours(
    processes: list[subprocess.Popen[bytes]],
    folder: Path,
    *options: str,
    name: str = "ninefold",
    **more: Any,
) -> Ours:
    """Start a server and wait until it is ready. Adds it to `processes`, for the caller to stop."""
    port = free_port()
    process = serve(folder, port, *options, **more)
    processes.append(process)
    wait_for(f"http://{HOST}:{port}/readyz", process)
    return Ours(process, port, name)


def time_starts(folder: Path, times: int = 5) -> list[float]:
    """Start and stop a server several times. Returns the seconds until it was ready each time."""
    seconds = []
    for _ in range(times):
        port = free_port()
        began = perf_counter()
        process = serve(folder, port)
        wait_for(f"http://{HOST}:{port}/readyz", process)
        seconds.append(perf_counter() - began)
        stop(process)
    return seconds


# The peer


class PeerMatch(Played):
    def __init__(self) -> None:
        super().__init__()
        self._id = ""
        self._credentials: list[str] = []
        self.sockets: list[SocketIO] = []
        self._synced = 0

    async def open(self, pool: Pool, port: int) -> None:
        created = await pool.fetch(request("POST", "/games/tic-tac-toe/create", {"numPlayers": 2}))
        self._id = created["matchID"]
        loop = asyncio.get_running_loop()
        for seat in range(2):
            wanted = {"playerID": str(seat), "playerName": f"Player {seat}"}
            joined = await pool.fetch(request("POST", f"/games/tic-tac-toe/{self._id}/join", wanted))
            self._credentials.append(joined["playerCredentials"])
            _, client = await loop.create_connection(
                lambda seat=seat: SocketIO("tic-tac-toe", lambda words: self._event(seat, words)),  # type: ignore[misc]
                HOST,
                port,
            )
            await client.opened
            self.sockets.append(client)
            client.emit("sync", self._id, str(seat), self._credentials[seat], 2)
        while self._synced < 2:
            await asyncio.sleep(0.001)

    def send(self) -> None:
        seat = self.ply % 2
        payload = {
            "type": "take",
            "args": [TIED_GAME[self.ply]],
            "playerID": str(seat),
            "credentials": self._credentials[seat],
        }
        action = {"type": "MAKE_MOVE", "payload": payload}
        self.sockets[seat].emit("update", action, self.ply, self._id, str(seat))

    def _event(self, seat: int, words: list[Any]) -> None:
        if words[0] == "sync":
            self._synced += 1
        elif words[0] == "update" and self.waits:
            if words[2]["_stateID"] != self.ply + 1:
                self.fail(f"expected state {self.ply + 1}, got {words[2]['_stateID']}")
            elif seat == self.ply % 2:
                self.acknowledged()
            else:
                self.heard()

    def close(self) -> None:
        for client in self.sockets:
            client.close()


@dataclass
class Peer:
    process: subprocess.Popen[bytes]
    port: int
    api: int
    name: str = "boardgame.io"
    pool: Pool = field(init=False)

    def __post_init__(self) -> None:
        self.pool = Pool(self.api)

    def cpu_seconds(self) -> float:
        return cpu_seconds(self.process.pid)

    async def connect(self, in_flight: int) -> None:
        await self.pool.open(10)

    async def open(self) -> PeerMatch:
        match = PeerMatch()
        await match.open(self.pool, self.port)
        return match


def install_peer(folder: Path) -> str:
    """Install boardgame.io in a folder. Returns why that failed; empty if it did not."""
    if not shutil.which("npm") or not shutil.which("node"):
        return "node and npm are not installed"
    shutil.copy(PEER, folder / "server.js")
    words = ["npm", "install", "--no-audit", "--no-fund", "--silent", "boardgame.io@0.50.2"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=180)
    return "" if done.returncode == 0 else (done.stderr or done.stdout).strip()[-300:]


def start_peer(folder: Path) -> Peer:
    port, api = free_port(), free_port()
    process = subprocess.Popen(
        ["node", "server.js", str(port), str(api)],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "NODE_ENV": "production"},
    )
    wait_for(f"http://{HOST}:{api}/games", process)
    return Peer(process, port, api)


# Processes


def free_port() -> int:
    with socket.socket() as found:
        found.bind((HOST, 0))
        return int(found.getsockname()[1])


def wait_for(address: str, process: subprocess.Popen[bytes], seconds: float = 30) -> None:
    until = monotonic() + seconds
    while monotonic() < until:
        if process.poll() is not None:
            raise RuntimeError(f"{process.args!r} has ended")
        with suppress(OSError), urlopen(address, timeout=5):
            return
        sleep(0.005)
    raise RuntimeError(f"{address} does not answer")


def stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextmanager
def stop_at_end(processes: list[subprocess.Popen[bytes]]) -> Iterator[None]:
    try:
        yield
    finally:
        for process in processes:
            stop(process)


def cpu_seconds(pid: int) -> float:
    """The processor time that a process and its children have used.

    By the processes' own clocks: the figures in /proc/PID/stat are what was running whenever the system's
    clock ticked, and they double where the work comes at fixed times.
    """
    clock = (~pid << 3) | 2  # as clock_getcpuclockid makes it
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return time.clock_gettime(clock) + sum(map(cpu_seconds, map(int, children)))


def peak_mebibytes(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def fsync_ms(folder: Path) -> float:
    """How long the disk takes to sync a page, in milliseconds."""
    seconds = []
    with (folder / "fsync").open("wb", buffering=0) as file:
        for _ in range(50):
            began = perf_counter()
            file.write(b"x" * 4096)
            os.fsync(file.fileno())
            seconds.append(perf_counter() - began)
    return 1000 * median(seconds)


# The run


@dataclass
class Figures:
    """The figures of one server under one load, over all its rounds."""

    seconds: float = 0.0
    cpu: float = 0.0
    acknowledged: list[float] = field(default_factory=list)
    heard: list[float] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)  # by round, seconds of the processor per move

    @property
    def rate(self) -> float:
        return len(self.acknowledged) / self.seconds

    @property
    def p99(self) -> float:
        return centile(self.acknowledged, 99)


def centile(values: list[float], which: int) -> float:
    return 1000 * quantiles(values, n=100)[which - 1]


async def open_all(opening: Callable[[], Awaitable[Played]], number: int, at_once: int) -> list[Played]:
    found: list[Played] = []
    numbers = iter(range(number))

    async def open_in_turn() -> None:
        found.extend([await opening() for _ in numbers])

    await asyncio.gather(*(open_in_turn() for _ in range(at_once)))
    return found


async def play(
    side: Side, matches: int, figures: Figures, in_flight: int = 0, rate: float = 0
) -> list[Played]:
    """Play a round: all matches from the first move to the last. They stay open."""
    await side.connect(in_flight or IN_FLIGHT)
    opened = await open_all(side.open, matches, at_once=10)
    load = Load(opened)
    cpu = side.cpu_seconds()
    figures.seconds += await (load.paced(rate) if rate else load.flat_out(in_flight))
    spent = side.cpu_seconds() - cpu
    figures.cpu += spent
    figures.costs.append(spent / len(load.acknowledged))
    figures.acknowledged += load.acknowledged
    figures.heard += load.heard
    return opened


async def measure(sides: list[Side], matches: int, seconds: float, **load: float) -> dict[str, Figures]:
    """Load the servers in turn, round by round, until each has been loaded for that long."""
    figures = {side.name: Figures() for side in sides}
    while any(one.seconds < seconds for one in figures.values()):
        for side in sides:
            opened = await play(side, matches, figures[side.name], **load)  # type: ignore[arg-type]
            for match in opened:
                match.close()
            await asyncio.sleep(0.3)
    return figures


def show(title: str, figures: dict[str, Figures]) -> None:
    print(f"{title}\n  {'':14}  moves/s   acknowledged p50    p99   heard p50    p99   CPU us/move")
    for name, one in figures.items():
        print(
            f"  {name:14}{one.rate:9,.0f}{centile(one.acknowledged, 50):16.1f} ms{one.p99:7.1f}"
            f"{centile(one.heard, 50):9.1f} ms{centile(one.heard, 99):7.1f}"
            f"{1e6 * one.cpu / len(one.acknowledged):14.0f}"
        )
    if "boardgame.io" in figures:
        ours, peer = figures.values()
        print(f"  ours to the peer's: moves/s {ours.rate / peer.rate:.2f}, p99 {ours.p99 / peer.p99:.2f}")
    sys.stdout.flush()


async def run(sides: list[Side], matches: int, seconds: float) -> int:
    """Run everything and return how many of our moves were acknowledged."""
    before = process_time()
    flat = await measure(sides, matches, seconds, in_flight=IN_FLIGHT)
    client = (process_time() - before) / sum(len(one.heard) for one in flat.values())
    show(f"flat out, {IN_FLIGHT} moves in flight (client: {1e6 * client:.0f} us of CPU per move):", flat)
    paced = await measure(sides, matches, 1, rate=RATE)
    show(f"paced, {RATE:,} moves sent per second:", paced)
    at_once = await measure(sides, matches, 1, in_flight=matches)
    show(f"all at once, {matches:,} moves in flight:", at_once)
    return sum(len(one[sides[0].name].acknowledged) for one in (flat, paced, at_once))


def count_on_disk(folder: Path) -> int:
    """How many moves the database holds."""
    with sqlite3.connect(folder / "server.db") as database:
        return int(database.execute("SELECT count(*) FROM moves").fetchone()[0])


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="the server under load, beside boardgame.io's")
    parser.add_argument("--seconds", type=float, default=10.0, help="flat out, for each server (10)")
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--no-peer", action="store_true")
    options = parser.parse_args(arguments if arguments is not None else [])
    allow_many_files()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the servers are stopped too
    processes: list[subprocess.Popen[bytes]] = []
    with (
        tempfile.TemporaryDirectory(prefix="ninefold-bench-") as name,
        stop_at_end(processes),
    ):
        folder = Path(name)
        print(
            f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, "
            f"fsync {fsync_ms(folder):.1f} ms, Python {sys.version.split()[0]}"
        )
        first, *again = time_starts(folder, 6)
        print(
            f"ready after {first:.2f} s with a new database; "
            f"{median(again):.2f} s with an old one ({min(again):.2f} to {max(again):.2f})"
        )
        ours = start_ours(processes, folder)
        sides: list[Side] = [ours]
        if not options.no_peer:
            reason = install_peer(folder)
            if reason:
                print(f"no peer: boardgame.io cannot be installed: {reason}")
            else:
                peer = start_peer(folder)
                processes.append(peer.process)
                sides.append(peer)
        acknowledged = run_loop(run(sides, options.matches, options.seconds))
        for side in sides:
            print(f"{side.name}: {peak_mebibytes(side.process.pid):.0f} MiB at most")
        ours.process.kill()
        ours.process.wait()
        print(f"moves acknowledged {acknowledged:,}; on disk after kill -9 {count_on_disk(folder):,}")
        print(f"load at the end {os.getloadavg()[0]:.1f}")


def run_loop(work: Any) -> Any:
    try:
        import uvloop
    except ImportError:
        return asyncio.run(work)
    return uvloop.run(work)


if __name__ == "__main__":
    main(sys.argv[1:])
