"""`python -m tests.warm`: loads the program, and forks whenever it is told to."""

import fcntl
import gc
import json
import os
import signal
import socket
import sys
import termios
import warnings
from importlib import import_module
from pkgutil import iter_modules
from typing import Literal, TextIO

import ninefold.cli
import ninefold.cli.commands
import ninefold.commands
import ninefold.games

# What the commands import only when they run. Each takes more than a few milliseconds.
LATER = (
    "alembic.command",
    "encodings.idna",
    "multiprocessing.popen_spawn_posix",
    "psycopg",
    "sqlalchemy.dialects.postgresql.psycopg",
    "sqlalchemy.dialects.sqlite",
    "urllib.request",
    "uvicorn.lifespan.on",
    "uvicorn.loops.auto",
    "uvicorn.protocols.http.auto",
    "uvloop",
    "ninefold.web.admin",
    "ninefold.web.command",
    "ninefold.web.launch",
)


def load(program: str) -> None:
    if program != "ninefold":
        import_module(f"{program}.register")
    for package in (ninefold.cli, ninefold.cli.commands):
        for module in iter_modules(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    for name in (*LATER, *ninefold.games.GAMES.values()):
        import_module(name)
    gc.collect()
    gc.freeze()


def receive(channel: socket.socket, count: int) -> bytes:
    found = b""
    while len(found) < count and (more := channel.recv(count - len(found))):
        found += more
    return found


def forked(channel: socket.socket) -> list[str]:
    """Fork for each request, until there are no more. Returns in each fork, with its arguments."""
    while True:
        header, files, _, _ = socket.recv_fds(channel, 4, 3)
        if not header:
            os._exit(0)
        wanted = json.loads(receive(channel, int.from_bytes(header, "big")))
        told, tell = os.pipe()
        if (between := os.fork()) == 0:
            # A child of a child: when that one has ended, it belongs to the test's process.
            if (pid := os.fork()) != 0:
                os.write(tell, pid.to_bytes(4, "big"))
                os._exit(0)
            for file in (told, tell):
                os.close(file)
            channel.close()
            become(wanted["env"], wanted["folder"], files)
            return [str(word) for word in wanted["words"]]
        os.waitpid(between, 0)
        channel.sendall(os.read(told, 4))
        for file in (told, tell, *files):
            os.close(file)


def become(env: dict[str, str], folder: str, files: list[int]) -> None:
    """Be as a process that has just been started with these."""
    os.setsid()
    if os.isatty(files[0]):
        fcntl.ioctl(files[0], termios.TIOCSCTTY, 0)
    for place, file in enumerate(files):
        os.dup2(file, place)
    for file in files:
        os.close(file)
    for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGQUIT, signal.SIGTSTP):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)
    if env.get("PYTHONWARNINGS") == "ignore":
        warnings.simplefilter("ignore")
    # As Python opens them, and with the same encoding.
    sys.stdin = reopened(sys.stdin, 0, "r", sys.stdin.errors)
    sys.stdout = reopened(sys.stdout, 1, "w", sys.stdout.errors)
    sys.stderr = reopened(sys.stderr, 2, "w", "backslashreplace")


def reopened(before: TextIO, place: int, mode: Literal["r", "w"], errors: str | None) -> TextIO:
    opened = os.fdopen(place, mode, encoding=before.encoding, errors=errors, newline="\n", closefd=False)
    opened.reconfigure(line_buffering=place == 2 or opened.isatty())
    return opened


if __name__ == "__main__":
    load(sys.argv[1])
    arguments = forked(socket.socket(fileno=int(sys.argv[2])))
    sys.argv[1:] = arguments
    sys.exit(ninefold.commands.main())
