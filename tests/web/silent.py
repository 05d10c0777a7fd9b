"""A proxy for PostgreSQL that can go silent: it keeps its connections and passes nothing on."""

from __future__ import annotations

import socket
import threading
from types import TracebackType
from typing import Self
from urllib.parse import parse_qs, unquote, urlsplit


class SilentProxy:
    """Listens on a port of this machine, and passes bytes on to the socket that `url` names."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        folder = unquote(parse_qs(parts.query)["host"][0])
        self._target = f"{folder}/.s.PGSQL.5432"
        self._listening = socket.create_server(("127.0.0.1", 0))
        port = self._listening.getsockname()[1]
        self.url = f"postgresql://{parts.username}@127.0.0.1:{port}{parts.path}"
        self._silenced: set[socket.socket] = set()
        self._servers: list[socket.socket] = []
        self._open: set[socket.socket] = set()
        self._silent = False
        threading.Thread(target=self._accept, daemon=True).start()

    def silence(self) -> None:
        """From now on nothing is answered, on connections that are open and on new ones."""
        self._silent = True
        self._silenced = set(self._open)

    def resume(self) -> None:
        """New connections work again. Those that were open stay silent for good."""
        self._silenced = set(self._open)
        self._silent = False

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            self._open.add(client)
            if not self._silent:
                server = socket.socket(socket.AF_UNIX)
                self._servers.append(server)
                server.connect(self._target)
                for source, sink in ((client, server), (server, client)):
                    threading.Thread(target=self._pass, args=(source, sink, client), daemon=True).start()

    def _pass(self, source: socket.socket, sink: socket.socket, client: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                if client not in self._silenced:
                    sink.sendall(data)
        except OSError:
            pass
        if client not in self._silenced:
            for one in (source, sink):
                one.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listening.close()
        for one in (*self._open, *self._servers):
            one.close()
