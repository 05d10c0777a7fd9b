"""A proxy as an operator might have one: what is asked for below a path, it asks a server for without."""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.web.support import PATIENCE

NOT_PASSED_ON = {"connection", "keep-alive", "transfer-encoding"}


class Proxy(ThreadingHTTPServer):
    """Keeps every path that it was asked for, also those that are not below its own."""

    daemon_threads = True

    def __init__(self, prefix: str, port: int) -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        self.prefix, self.port = prefix, port
        self.asked: list[str] = []
        self.open: set[socket.socket] = set()

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}{self.prefix}"


class _Passing(BaseHTTPRequestHandler):
    server: Proxy

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        if not self.path.startswith(f"{self.server.prefix}/"):
            self.send_error(404)
            return
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        connection.connect()
        assert connection.sock is not None
        kept = connection.sock
        self.server.open.add(kept)
        try:
            self._pass(connection)
        except (OSError, http.client.HTTPException):
            pass  # one of the two has gone
        finally:
            self.server.open.discard(kept)
            connection.close()

    do_POST = do_GET

    def _pass(self, connection: http.client.HTTPConnection) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {
            name: value for name, value in self.headers.items() if name.lower() not in NOT_PASSED_ON
        }
        path = self.path.removeprefix(self.server.prefix)
        connection.request(self.command, path, body or None, {**headers, "Connection": "close"})
        with connection.getresponse() as answer:
            self.send_response_only(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in NOT_PASSED_ON:
                    self.send_header(name, value)
            self.end_headers()
            while part := answer.read1():
                self.wfile.write(part)

    def log_message(self, format: str, *args: object) -> None:
        """Not in the output of a test."""


@contextmanager
def proxied(prefix: str, port: int) -> Iterator[Proxy]:
    """A proxy in front of the server at that port."""
    with Proxy(prefix, port) as proxy:
        thread = threading.Thread(target=proxy.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield proxy
        finally:
            proxy.shutdown()
            thread.join(PATIENCE)
            for kept in list(proxy.open):
                with suppress(OSError):
                    kept.shutdown(socket.SHUT_RDWR)
