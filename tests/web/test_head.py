"""A request has bounds before its body and in time; one that keeps to them is answered."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from ninefold.web.protocol import FIELDS, HEAD, LINE
from tests.web.support import PATIENCE, Server, got, sqlite_url

MORE = 64 * 1024 * 1024  # bytes that somebody goes on to send


@contextmanager
def connected(server: Server) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as one:
        yield one


def answer(one: socket.socket) -> bytes:
    """All that comes until the server closes."""
    found = b""
    while piece := one.recv(65536):
        found += piece
    return found


@pytest.mark.parametrize(
    ("begin", "piece", "status"),
    [
        (b"GET /", b"a" * 65536, 414),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX: ", b"a" * 65536, 431),
        (b"GET / HTTP/1.1\r\nHost: a\r\n", b"X: " + b"a" * 50 + b"\r\n", 431),
        (b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X" * 10, b"y" * 65536, 431),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;", b"a" * 65536, 431),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: ", b"a" * 65536, 431),
        (b"\r\n", b"\r\n" * 30000, 431),
    ],
)
def test_a_head_that_never_ends_is_refused_soon(
    server: Server, begin: bytes, piece: bytes, status: int
) -> None:
    with connected(server) as one:
        one.sendall(begin + piece * (3 * HEAD // len(piece) + 1))
        assert answer(one).startswith(b"HTTP/1.1 %d " % status)
    assert got(server.get("/healthz"))["status"] == "ok"


@pytest.mark.parametrize("begin", [b"GET /", b"GET / HTTP/1.1\r\nHost: a\r\nX: "])
def test_what_a_client_goes_on_sending_is_not_kept(server: Server, begin: bytes) -> None:
    before = most_memory(server)
    with connected(server) as one, suppress(OSError):  # the server may close before it has all
        one.sendall(begin)
        for _ in range(MORE // 65536):
            one.sendall(b"a" * 65536)
    assert got(server.get("/healthz"))["status"] == "ok"
    assert most_memory(server) - before < MORE / 4


def most_memory(server: Server) -> int:
    """The most that the process has ever used, in bytes."""
    assert server.process is not None
    try:
        told = Path(f"/proc/{server.process.pid}/status").read_text()
    except OSError:
        pytest.skip("this system does not tell how much memory a process has used")
    return 1024 * int(told.partition("VmHWM:")[2].split()[0])


def whole(address: bytes, *headers: bytes) -> bytes:
    fields = [b"Host: a", b"Connection: close", *headers]
    return b"GET %s HTTP/1.1\r\n" % address + b"".join(one + b"\r\n" for one in fields) + b"\r\n"


@pytest.mark.parametrize(
    ("request_sent", "status"),
    [
        (whole(b"/healthz?" + b"a" * (LINE - 9)), 200),
        (whole(b"/healthz?" + b"a" * (LINE - 8)), 414),
        (whole(b"/healthz", b"X: " + b"a" * (HEAD - 100)), 200),
        (whole(b"/healthz", b"X: " + b"a" * HEAD), 431),
        (whole(b"/healthz", *[b"X: y"] * (FIELDS - 2)), 200),
        (whole(b"/healthz", *[b"X: y"] * (FIELDS - 1)), 431),
        (b"what is this\r\n\r\n", 400),
    ],
)
def test_what_comes_in_one_piece_has_the_same_bounds(
    server: Server, request_sent: bytes, status: int
) -> None:
    with connected(server) as one:
        one.sendall(request_sent)
        found = answer(one)
    assert found.startswith(b"HTTP/1.1 %d " % status), found
    if status != 200:
        assert b"application/problem+json" in found


def test_a_body_in_small_chunks_is_taken(server: Server) -> None:
    table = server.create("battle")
    body = b'{"move": "0,0", "ply": 0}' + b" " * 12_000
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in body) + b"0\r\n\r\n"
    head = f"POST {table.path}/moves HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n"
    head += f"Connection: close\r\nAuthorization: Bearer {next(iter(table.tokens.values()))}\r\n\r\n"
    with connected(server) as one:
        one.sendall(head.encode() + chunks)
        assert answer(one).startswith(b"HTTP/1.1 200 ")


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("hasty")
    with Server(folder, sqlite_url(folder), "--request-seconds", "0.3").start() as one:
        yield one


@pytest.mark.parametrize(
    "part",
    [
        b"G",
        b"GET /healthz HTTP/1.1\r\nHost",
        b"POST /api/v1/matches HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{",
    ],
)
def test_a_request_that_does_not_arrive_in_time_is_refused(hasty: Server, part: bytes) -> None:
    with connected(hasty) as one:
        one.sendall(part)
        assert answer(one).startswith(b"HTTP/1.1 408 ")
    with connected(hasty) as one:  # on a connection that was good before
        one.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n" + part)
        found = answer(one)
        assert found.startswith(b"HTTP/1.1 200 ")
        assert b"HTTP/1.1 408 " in found


def test_a_client_that_sends_nothing_is_disconnected_silently(hasty: Server) -> None:
    with connected(hasty) as one:
        assert answer(one) == b""


def test_a_stream_is_not_a_slow_request(hasty: Server) -> None:
    table = hasty.create("battle")
    with table.stream() as stream, connected(hasty) as clock:
        assert answer(clock) == b""  # longer than a request may take
        table.play("0,0")
        assert stream.next().id == 1


def test_a_response_without_a_body_and_one_after_100_continue_arrive(server: Server) -> None:
    """The head of a response waits for its body, but never for one that does not come."""
    head = b"HEAD /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as one:
        one.sendall(head)
        assert one.recv(65536).startswith(b"HTTP/1.1 200 ")
        one.sendall(
            b"POST /api/v1/matches HTTP/1.1\r\nHost: x\r\n"
            b"Content-Length: 17\r\nExpect: 100-continue\r\n\r\n"
        )
        assert one.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        one.sendall(b'{"game":"battle"}')
        answer = one.recv(65536)
        assert answer.startswith(b"HTTP/1.1 201 ")
        assert answer.endswith(b"}")  # in one piece
