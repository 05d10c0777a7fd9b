"""What one client can do to the others within the default limits: moves while somebody asks for a lot.

python -m benchmarks.attack [--seconds N]

Ten players make ten moves per second each, and somebody asks for `/healthz`. First that is all; then
other clients ask, at the rate that they are allowed, for what takes longest to work out. Every client has
an address of its own on the loopback interface. The aims: while others attack, a move takes at most five
times its quiet median, and `/healthz` at most 50 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from time import perf_counter, time

from msgspec.structs import replace
from tests.stops import endless_moves

from benchmarks.server import BATTLE, centile, free_port, run_loop, stop_at_end, wait_for
from benchmarks.server_clients import HOST, Connection, request
from ninefold.core.outcome import HOSTED_LIMIT
from ninefold.core.seat import SEATS
from ninefold.games import load
from ninefold.match import Match, Player
from ninefold.match.kinds import SeatKind, Status
from ninefold.store.sql.database import Database, Room, Transaction
from ninefold.web.actions.tokens import token_hash
from ninefold.web.page.cookies import TOKEN as COOKIE

PLAYERS = 10
PACE = 0.1  # seconds between the moves of a player
RATE = 20  # requests per second of an attacker: the default limit
CROWD = 10  # attackers, where there are many
LONG = "long"  # the id of a match with as many moves as a server allows
TOKEN = "attack"  # of the attackers' browsers
HELD = 60  # unfinished matches that the browsers hold: as many as are listed


async def connect(port: int, address: str) -> Connection:
    loop = asyncio.get_running_loop()
    _, found = await loop.create_connection(Connection, HOST, port, local_addr=(address, 0))
    return found


async def ask(connection: Connection, content: bytes) -> tuple[int, bytes]:
    done: asyncio.Future[tuple[int, bytes]] = asyncio.get_running_loop().create_future()

    def answered(status: int, body: bytes) -> None:
        if not done.done():
            done.set_result((status, body))

    connection.ask(content, answered)
    return await done


@dataclass
class Load:
    """What was measured during one attack, in seconds."""

    moves: list[float] = field(default_factory=list)
    health: list[float] = field(default_factory=list)
    answers: Counter[int] = field(default_factory=Counter)


async def play(port: int, number: int, load: Load) -> None:
    connection = await connect(port, f"127.0.1.{number + 1}")
    seats = {"first": {"kind": "person"}, "second": {"kind": "person"}}
    while True:
        wanted = {"game": "battle", "setup": {"grid": "792415863"}, **seats}
        _, body = await ask(connection, request("POST", "/api/v1/matches", wanted))
        made = json.loads(body)
        path = f"/api/v1/matches/{made['match']}/moves"
        tokens = [held["token"] for held in made["held"]]
        for ply, move in enumerate(BATTLE):
            await asyncio.sleep(PACE)
            began = perf_counter()
            content = request("POST", path, {"move": move, "ply": ply}, tokens[ply % 2])
            status, body = await ask(connection, content)
            load.moves.append(perf_counter() - began)
            if status != 200:
                raise RuntimeError(body.decode())


async def watch_health(port: int, load: Load) -> None:
    connection = await connect(port, "127.0.2.1")
    while True:
        await asyncio.sleep(PACE)
        began = perf_counter()
        await ask(connection, request("GET", "/healthz"))
        load.health.append(perf_counter() - began)


async def attack(port: int, address: str, paths: Iterator[str], load: Load) -> None:
    async def send(path: str) -> None:
        connection = await connect(port, address)
        try:
            content = request("GET", path, Accept="text/html", Cookie=f"{COOKIE}={TOKEN}")
            load.answers[(await ask(connection, content))[0]] += 1
        finally:
            connection.close()

    async with asyncio.TaskGroup() as group:
        while True:
            group.create_task(send(next(paths)))
            await asyncio.sleep(1 / RATE)


def explored(number: int) -> str:
    """The address of a position that nobody has looked at before."""
    cells = Random(number).sample(range(1, 17), 7)
    return "/explore/conquest?size=4&moves=" + "+".join(f"claim:{cell}" for cell in cells)


ATTACKS: dict[str, tuple[int, Callable[[Iterator[int]], Iterator[str]]]] = {
    "quiet": (0, lambda n: (str(k) for k in n)),
    "reviews of 1,000 moves": (1, lambda n: (f"/m/{LONG}/review?at={k % HOSTED_LIMIT}" for k in n)),
    "the same by the API": (1, lambda n: (f"/api/v1/matches/{LONG}/review?x={k}" for k in n)),
    "new puzzles": (1, lambda n: (f"/api/v1/puzzles/shadow/x{k}" for k in n)),
    "new positions": (1, lambda n: (explored(k) for k in n)),
    "a list of sixty matches": (1, lambda n: (f"/games?x={k}" for k in n)),
    "the home page": (1, lambda n: (f"/?x={k}" for k in n)),
    "the page of the match": (1, lambda n: (f"/m/{LONG}?x={k}" for k in n)),
    "ten who want reviews": (CROWD, lambda n: (f"/m/{LONG}/review?at={k % HOSTED_LIMIT}" for k in n)),
}


async def measure(port: int, attackers: int, paths: Iterator[str], seconds: float) -> Load:
    load = Load()
    tasks = [play(port, number, load) for number in range(PLAYERS)] + [watch_health(port, load)]
    tasks += [attack(port, f"127.0.3.{number + 1}", paths, load) for number in range(attackers)]
    running = [asyncio.create_task(one) for one in tasks]
    done, _ = await asyncio.wait(running, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    for task in done:
        task.result()
    await asyncio.sleep(2)  # let the server finish what it has begun
    return load


def add_matches(url: str) -> None:
    """A match with as many moves as a server allows, and the attackers' own, into the database."""
    players = (Player("Ann", SEATS[0]), Player("Ben", SEATS[1]))
    match = Match(load("pattern").start(), players, hosted=True)
    kinds = (SeatKind.PERSON, SeatKind.PERSON)
    new = Room(LONG, match.copy(), kinds, (None, None), False, Status.PLAYING, {}, 0, time())
    held = [replace(new, id=f"held-{k}", hashes=(token_hash(TOKEN), None)) for k in range(HELD)]
    for move in endless_moves(HOSTED_LIMIT):
        match.submit(match.state.movers[0], move)

    def create(tx: Transaction) -> None:
        for room in (new, *held):
            tx.create(room)

    database = Database(url)
    database.open()
    database.run(create)
    database.run(lambda tx: tx.save(replace(new, match=match, status=Status.OVER), [])).result(60)
    database.close()


@contextmanager
def attacked_server() -> Iterator[tuple[int, int]]:
    """A server with the default limits and these matches, while it is needed: its process id and port."""
    processes: list[subprocess.Popen[bytes]] = []
    with tempfile.TemporaryDirectory(prefix="ninefold-bench-") as name, stop_at_end(processes):
        url, port = f"sqlite:///{Path(name) / 'server.db'}", free_port()
        add_matches(url)
        words = [sys.executable, "-m", "ninefold", "serve", "--port", str(port), "--database", url]
        processes.append(subprocess.Popen([*words, "--log-level", "warning"], stdout=subprocess.DEVNULL))
        wait_for(f"http://{HOST}:{port}/readyz", processes[0])
        yield processes[0].pid, port


async def run(port: int, seconds: float) -> None:
    print(f"{'':26}  answers                moves p50     p99    max   to quiet p50   /healthz max")
    quiet = 0.0
    for name, (attackers, make) in ATTACKS.items():
        load = await measure(port, attackers, make(count()), seconds)
        quiet = quiet or centile(load.moves, 50)
        answers = " ".join(f"{status}:{number}" for status, number in sorted(load.answers.items()))
        print(
            f"{name:26}  {answers:20}{centile(load.moves, 50):9.1f} ms{centile(load.moves, 99):8.1f}"
            f"{1000 * max(load.moves):7.0f}{centile(load.moves, 50) / quiet:15.1f}"
            f"{1000 * max(load.health):15.0f} ms",
            flush=True,
        )
    print(f"quiet median {quiet:.1f} ms")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="what one client can do to the others")
    parser.add_argument("--seconds", type=float, default=5.0, help="for each attack (5)")
    options = parser.parse_args(arguments if arguments is not None else [])
    with attacked_server() as (_, port):
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        run_loop(run(port, options.seconds))


if __name__ == "__main__":
    main(sys.argv[1:])
