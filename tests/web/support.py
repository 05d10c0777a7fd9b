"""Servers to test with: real processes on a free port, clients that talk to them, streams that listen."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx

from ninefold import SEATS, Seat
from tests.ports import free_port
from tests.program import PROGRAM
from tests.setups import GAMES, setups_of
from tests.warm import Process, start

API = "/api/v1"
PATIENCE = 120.0  # seconds, on a busy machine; nothing waits that long when all is well

SETUPS = {slug: setups_of(game)[0] for slug, game in GAMES.items()}
PERSON: dict[str, str] = {"kind": "person"}
OPEN: dict[str, str] = {"kind": "open"}
VIEWERS: tuple[Seat | None, ...] = (Seat.FIRST, Seat.SECOND, None)


def wait_for(condition: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
    """Look again and again until it is so; fails with what was waited for."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited {seconds:.0f} s for {what}"
        time.sleep(0.01)


class Server:
    """`ninefold serve` as a process of its own. Its log goes to a file."""

    def __init__(self, folder: Path, database: str, *options: str, port: int | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.database, self.options = folder, database, options
        self.port = port or free_port()
        self.log_file = folder / f"log-{self.port}"
        self.base = f"http://127.0.0.1:{self.port}"
        self.process: Process | subprocess.Popen[bytes] | None = None
        self._local = threading.local()
        self._clients: list[httpx.Client] = []

    @property
    def http(self) -> httpx.Client:
        """A client of this thread's own."""
        if getattr(self._local, "client", None) is None:
            self._local.client = httpx.Client(base_url=self.base, timeout=PATIENCE, trust_env=False)
            self._clients.append(self._local.client)
        client = self._local.client
        assert isinstance(client, httpx.Client)
        return client

    def launch(self) -> Self:
        """Start the process, without waiting until it is there."""
        words = ["serve", "--port", str(self.port), "--database", self.database]
        if "--rate" not in self.options:
            words += ["--rate", "0"]
        with self.log_file.open("ab") as log:
            env = {"XDG_DATA_HOME": str(self.folder / "data"), "PYTHONWARNINGS": "ignore"}
            self.process = start([*PROGRAM, *words, *self.options], log.fileno(), {**os.environ, **env})
        return self

    def start(self) -> Self:
        self.launch()
        self.wait()
        return self

    def wait(self) -> None:
        def there() -> bool:
            assert self.process is not None
            status = self.process.poll()
            assert status is None, f"it has ended with status {status}:\n{self.log()}"
            try:
                return self.http.get("/readyz").status_code == 200
            except httpx.TransportError:
                return False

        wait_for(there, f"the server to start:\n{self.log()}")

    def log(self) -> str:
        return self.log_file.read_text(encoding="utf-8") if self.log_file.exists() else ""

    def kill(self) -> None:
        """As by a power cut: the process and all that it started are gone at once."""
        if self.process is not None:
            if self.process.poll() is None:
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(PATIENCE)

    def stop(self) -> int:
        """As asked to by an operator; the exit status."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        for client in self._clients:
            client.close()

    # Talking to it

    def get(
        self,
        path: str,
        token: str | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
    ) -> httpx.Response:
        return self.http.get(path, params=query, headers={**bearer(token), **(headers or {})})

    def post(self, path: str, body: Any = None, token: str | None = None) -> httpx.Response:
        content = b"" if body is None else json.dumps(body).encode()
        return self.http.post(path, content=content, headers=bearer(token))

    def create(self, game: str, setup: Mapping[str, int | str] | None = None, **more: Any) -> Table:
        """A match with a person on each seat, unless told otherwise."""
        wanted = {"game": game, "setup": SETUPS[game] if setup is None else setup}
        answer = self.post(f"{API}/matches", {**wanted, "first": PERSON, "second": PERSON, **more})
        assert answer.status_code == 201, answer.text
        created = answer.json()
        tokens = {seat_named(held["seat"]): str(held["token"]) for held in created["held"]}
        return Table(self, str(created["match"]), tokens)


def bearer(token: str | None) -> dict[str, str]:
    return {} if token is None else {"Authorization": f"Bearer {token}"}


def seat_named(name: str) -> Seat:
    return next(seat for seat in SEATS if str(seat) == name)


@dataclass
class Table:
    """A match on a server, with the tokens of its seats."""

    server: Server
    id: str
    tokens: dict[Seat, str] = field(default_factory=dict)

    @property
    def path(self) -> str:
        return f"{API}/matches/{self.id}"

    def at(self, server: Server) -> Table:
        """The same match through another server."""
        return Table(server, self.id, self.tokens)

    def token(self, viewer: Seat | None) -> str | None:
        return None if viewer is None else self.tokens[viewer]

    def get(self, what: str, viewer: Seat | None = None, **query: Any) -> httpx.Response:
        return self.server.get(f"{self.path}{what}", self.token(viewer), query=query or None)

    def post(self, what: str, viewer: Seat | None, body: Any = None) -> httpx.Response:
        return self.server.post(f"{self.path}{what}", body, self.token(viewer))

    def seen(self, viewer: Seat | None = None) -> dict[str, Any]:
        found = got(self.get("", viewer))
        assert isinstance(found, dict)
        return found

    def move(self, seat: Seat | None, move: str, ply: int) -> httpx.Response:
        return self.post("/moves", seat, {"move": move, "ply": ply})

    def play(self, *moves: str) -> None:
        """Moves that are accepted; in a challenge the challenger's number comes first."""
        for move in moves:
            now = self.seen()
            answer = self.move(seat_named(now["view"]["movers"][0]), move, now["ply"])
            assert answer.status_code == 200, answer.text

    def ask(self, what: str, seat: Seat | None, action: str) -> httpx.Response:
        return self.post(f"/{what}", seat, {"action": action})

    def stream(self, after: int | None = None, **more: Any) -> Stream:
        return Stream(self.server, self.id, after, **more)


def got(answer: httpx.Response, status: int = 200) -> Any:
    assert answer.status_code == status, f"{answer.status_code}: {answer.text}"
    return answer.json()


@dataclass(frozen=True)
class Heard:
    id: int
    data: dict[str, Any]
    text: str


class Ended(Exception):
    """The server has ended the stream, or it broke off."""


class Stream:
    """A reader of a match's events. Use as a context manager."""

    def __init__(
        self,
        server: Server,
        match_id: str,
        after: int | None = None,
        *,
        by_header: bool = False,
        token: str | None = None,
    ) -> None:
        self.last = after or 0
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        query = f"?after={after}" if after is not None and not by_header else ""
        headers = bearer(token) | ({"Last-Event-ID": str(after)} if by_header else {})
        try:
            self._connection.connect()
            self._socket = self._connection.sock  # the connection forgets it if the server will close
            self._connection.request("GET", f"{API}/matches/{match_id}/events{query}", headers=headers)
            self.response = self._connection.getresponse()
        except BaseException:
            self._connection.close()
            raise
        if self.response.status != 200:
            self.close()
            raise Ended(f"refused with {self.response.status}")

    def next(self, seconds: float = PATIENCE) -> Heard:
        """The next event. Raises Ended; TimeoutError if there is none in time."""
        deadline = time.monotonic() + seconds
        fields: dict[str, str] = {}
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self._socket.settimeout(left)
            try:
                line = self.response.readline()
            except TimeoutError:
                raise
            except (OSError, http.client.HTTPException, ValueError) as error:
                raise Ended(str(error)) from None
            if not line:
                raise Ended("the end")
            text = line.decode().rstrip("\n")
            if text:
                name, _, value = text.partition(": ")
                fields[name] = value
            elif "data" in fields:
                heard = Heard(int(fields["id"]), json.loads(fields["data"]), fields["data"])
                self.last = heard.id
                return heard
            else:
                fields = {}

    def take(self, count: int, seconds: float = PATIENCE) -> list[Heard]:
        return [self.next(seconds) for _ in range(count)]

    def __iter__(self) -> Iterator[Heard]:
        while True:
            yield self.next()

    def close(self) -> None:
        self.response.close()
        self._connection.close()

    def break_off(self) -> None:
        """Have a reader in another thread stop."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            return  # it has ended already

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Follower:
    """Listens in a thread, comes back when the stream breaks off, and keeps all that it heard."""

    def __init__(self, server: Server, match_id: str) -> None:
        self.server, self.match_id = server, match_id
        self.heard: list[Heard] = []
        self.connections = 0
        self._stopping = threading.Event()
        self._stream: Stream | None = None
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self) -> None:
        last = 0
        while not self._stopping.is_set():
            try:
                with Stream(self.server, self.match_id, last, by_header=True) as self._stream:
                    self.connections += 1
                    for heard in self._stream:
                        self.heard.append(heard)
                        last = heard.id
            except (Ended, OSError, http.client.HTTPException):
                self._stopping.wait(0.05)

    @property
    def numbers(self) -> list[int]:
        return [heard.id for heard in self.heard]

    def until(self, number: int, seconds: float = PATIENCE) -> list[int]:
        """The numbers heard, once this one has been."""
        wait_for(lambda: bool(self.heard) and self.heard[-1].id >= number, f"event {number}", seconds)
        return self.numbers

    def stop(self) -> None:
        self._stopping.set()
        if self._stream is not None:
            self._stream.break_off()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def sqlite_url(folder: Path) -> str:
    return f"sqlite:///{folder / 'server.db'}"
