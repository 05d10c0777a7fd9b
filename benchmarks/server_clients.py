"""Clients for the load: HTTP/1.1 and WebSockets by hand, so that the client itself costs little."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable
from typing import Any

HOST = "127.0.0.1"
Answered = Callable[[int, bytes], None]


def request(method: str, path: str, content: Any = None, token: str = "", **headers: str) -> bytes:
    body = b"" if content is None else json.dumps(content).encode()
    lines = [f"{method} {path} HTTP/1.1", f"Host: {HOST}"]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


class Buffered(asyncio.Protocol):
    """A connection that buffers what it receives until it can be parsed."""

    def __init__(self) -> None:
        self.transport: Any = None
        self.buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.buffer = self.buffer + data if self.buffer else data
        self.parse()

    def parse(self) -> None:
        """Parse and remove what is complete in the buffer."""

    def close(self) -> None:
        self.transport.abort()


class Connection(Buffered):
    """A kept-alive HTTP connection with one request at a time."""

    answered: Answered | None = None

    def ask(self, content: bytes, answered: Answered) -> None:
        self.answered = answered
        self.transport.write(content)

    def parse(self) -> None:
        buffer = self.buffer
        head = buffer.find(b"\r\n\r\n")
        if head < 0:
            return
        at = buffer[:head].lower().find(b"content-length:")
        end = head + 4 + int(buffer[at + 15 : buffer.index(b"\r", at)])
        if len(buffer) >= end and self.answered is not None:
            self.buffer = buffer[end:]
            answered, self.answered = self.answered, None
            answered(int(buffer[9:12]), buffer[head + 4 : end])

    def connection_lost(self, error: Exception | None) -> None:
        if self.answered is not None:
            self.answered(0, b"the connection was lost")


class Pool:
    """Kept-alive connections to one server, with a queue of requests."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._connections: list[Connection] = []
        self._free: list[Connection] = []
        self._waiting: deque[tuple[bytes, Answered]] = deque()

    async def open(self, size: int) -> None:
        """Open all connections again: the server may have closed idle ones."""
        self.close()
        self._connections, self._free = [], []
        loop = asyncio.get_running_loop()
        for _ in range(size):
            _, connection = await loop.create_connection(Connection, HOST, self._port)
            self._connections.append(connection)
            self._free.append(connection)

    def close(self) -> None:
        for connection in self._connections:
            connection.close()

    def ask(self, content: bytes, answered: Answered) -> None:
        self._waiting.append((content, answered))
        if self._free:
            self._next(self._free.pop())

    def _next(self, connection: Connection) -> None:
        if not self._waiting:
            self._free.append(connection)
            return
        content, answered = self._waiting.popleft()

        def done(status: int, body: bytes) -> None:
            answered(status, body)
            self._next(connection)

        connection.ask(content, done)

    async def fetch(self, content: bytes) -> Any:
        """Send a request and return the JSON of the answer."""
        found: asyncio.Future[tuple[int, bytes]] = asyncio.get_running_loop().create_future()
        self.ask(content, lambda status, body: found.set_result((status, body)))
        status, body = await found
        if status not in (200, 201):
            raise RuntimeError(f"{status}: {body.decode()}")
        return json.loads(body)


class EventStream(Buffered):
    """Server-sent events, assuming that each chunk of the body holds whole events."""

    def __init__(self, ask: bytes, heard: Callable[[dict[str, Any]], None]) -> None:
        super().__init__()
        self._ask = ask
        self._heard = heard
        self.opened = asyncio.get_running_loop().create_future()
        self.lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.transport.write(self._ask)

    def parse(self) -> None:
        *events, self.buffer = self.buffer.split(b"\n\n")
        for event in events:
            at = event.find(b"data: ")
            if at >= 0:
                self._heard(json.loads(event[at + 6 :]))
            elif b"retry:" in event and not self.opened.done():
                self.opened.set_result(None)

    def connection_lost(self, error: Exception | None) -> None:
        self.lost = True


class SocketIO(Buffered):
    """A socket.io client on one namespace, over a WebSocket.

    It masks its frames, as the standard demands, with zero: that costs nothing.
    """

    def __init__(self, namespace: str, heard: Callable[[list[Any]], None]) -> None:
        super().__init__()
        self._prefix = f"/{namespace},"
        self._heard = heard
        self._upgraded = False
        self.opened = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.transport.write(
            request(
                "GET",
                "/socket.io/?EIO=4&transport=websocket",
                Connection="Upgrade",
                Upgrade="websocket",
                Sec_WebSocket_Version="13",
                Sec_WebSocket_Key="bmluZWZvbGQgbmluZWZvbA==",
            )
        )

    def emit(self, *words: Any) -> None:
        self._send(f"42{self._prefix}{json.dumps(words)}")

    def _send(self, text: str) -> None:
        data = text.encode()
        size = len(data)
        head = bytes((0x81, 0x80 | size)) if size < 126 else b"\x81\xfe" + size.to_bytes(2, "big")
        self.transport.write(head + b"\0\0\0\0" + data)

    def parse(self) -> None:
        if not self._upgraded:
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            if not found:
                return
            if not head.startswith(b"HTTP/1.1 101"):
                raise RuntimeError(head.decode())
            self._upgraded, self.buffer = True, rest
        while len(self.buffer) >= 2:
            size, start = self.buffer[1], 2
            if size == 126:
                size, start = int.from_bytes(self.buffer[2:4], "big"), 4
            elif size == 127:
                size, start = int.from_bytes(self.buffer[2:10], "big"), 10
            if len(self.buffer) < start + size:
                return
            message, self.buffer = self.buffer[start : start + size], self.buffer[start + size :]
            self._receive(message)

    def _receive(self, message: bytes) -> None:
        match message[:2]:
            case b"42":
                self._heard(json.loads(message[message.index(b",") + 1 :]))
            case b"40":
                self.opened.set_result(None)
            case b"2":
                self._send("3")
            case _ if message[:1] == b"0":
                self._send(f"40{self._prefix}")
