"""Ports for servers to test with."""

from __future__ import annotations

import os
import socket
from itertools import count

FIRST, COUNT = 10_000, 20_000  # below the ones that the system gives to connections by itself
APART = 997  # ports between two processes of a test run, which have ids next to each other

_numbers = count(os.getpid() * APART)


def free_port() -> int:
    """A port that nobody listens on, and that connections do not take before the server is there."""
    while True:
        port = FIRST + next(_numbers) % COUNT
        with socket.socket() as listening:
            try:
                listening.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
