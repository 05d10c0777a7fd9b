"""Starting the server: its settings and its log."""

from __future__ import annotations

import gc
import json
import logging
import os
import signal
import socket
import sys
import traceback
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from ipaddress import ip_address, ip_network
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from ninefold.core.errors import NinefoldError, quote
from ninefold.store.files.matches import data_folder
from ninefold.store.sql.database import CONNECTIONS, TIMEOUT, Database
from ninefold.store.sql.preflight import check_usable
from ninefold.store.sql.sqlite_files import lock_file
from ninefold.web.app import make_app
from ninefold.web.limits import Limits
from ninefold.web.protocol import Protocol
from ninefold.web.server import Server

try:
    import resource
except ImportError:  # only Unix has it
    resource = None  # type: ignore[assignment]


EXPOSED = (
    "{host} can be reached from other machines, and without TLS whoever is on the way can read the tokens"
    " of seats. On the internet, put nginx in front and name it with --trusted-proxies (docs/server.md)."
)

# Seconds after which a thread that wants the interpreter gets it; Python's default is 5 ms. The writer
# wants it after each statement, and the event loop while another thread reads a long match.
SWITCH = 1e-4


@dataclass(frozen=True, slots=True)
class ServerSettings:
    host: str = "127.0.0.1"
    port: int = 8909
    database: str = ""
    root_path: str = ""
    trusted_proxies: str = ""
    log_level: str = "info"
    log_json: bool = False
    connections: int = CONNECTIONS
    limits: Limits = field(default_factory=Limits)
    reports: Path | None = None


def default_database() -> str:
    return f"sqlite:///{data_folder() / 'server.db'}"


def find_database(url: str = "", timeout: float = TIMEOUT, connections: int = CONNECTIONS) -> Database:
    """The database at a URL; by default, the one that NINEFOLD_DATABASE names, or else the data folder's.

    It is not opened yet. Raises NinefoldError.
    """
    url = url or os.environ.get("NINEFOLD_DATABASE", "") or default_database()
    try:
        database = Database(url, timeout, connections)
    except Exception as error:  # a bad URL raises many kinds of errors in SQLAlchemy
        raise NinefoldError(f"This is not the address of a database: {_first_line(error)}") from None
    if not database.shared and not database.url.database:
        raise NinefoldError("A SQLite database needs a file: sqlite:///FILE.")
    return database


def serve(settings: ServerSettings) -> None:
    """Run until told to stop. Raises NinefoldError if it cannot start."""
    _check_options(settings)
    database = find_database(settings.database, connections=settings.connections)
    lock = None if database.shared else lock_file(Path(database.url.database or ""))
    try:
        _check_free(settings.host, settings.port)
        _set_up_log(settings.log_level, as_json=settings.log_json or not sys.stderr.isatty())
        try:
            database.open()
        except Exception as error:
            raise NinefoldError(f"The database cannot be used: {_first_line(error)}") from None
        server = Server(database, settings.limits, settings.root_path, settings.reports)
        _run(settings, make_app(server))
    finally:
        if lock is not None:
            os.close(lock)


def _run(settings: ServerSettings, app: ASGIApp) -> None:
    address = f"http://{settings.host}:{settings.port}{settings.root_path}/"
    print(f"Ninefold is at {address}  (Ctrl-C stops it)", flush=True)
    if _is_exposed(settings):
        print(EXPOSED.format(host=settings.host), file=sys.stderr, flush=True)
    _allow_many_files()
    # Thousands of streams are many long-lived objects. With the default thresholds, garbage collection
    # would take a third of the time, and a larger collection would delay moves. So the youngest objects
    # are collected often, and everything only in `background.clean_up`, every ten minutes. What a request
    # leaves behind has no cycles, so little waits for that.
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 5_000, 5_000)
    sys.setswitchinterval(SWITCH)
    try:
        uvicorn.run(
            app,
            host=settings.host,
            port=settings.port,
            log_config=None,
            access_log=False,
            server_header=False,
            http=partial(Protocol, seconds=settings.limits.request_seconds),  # type: ignore[arg-type]
            ws="none",
            proxy_headers=bool(settings.trusted_proxies),
            forwarded_allow_ips=settings.trusted_proxies or None,
            timeout_graceful_shutdown=10,
            timeout_keep_alive=75,
        )
    except KeyboardInterrupt:
        pass  # uvicorn has shut down and raises the signal again
    except SystemExit as left:
        if left.code not in (0, 128 + signal.SIGTERM):
            raise NinefoldError("The server could not start; its log says why.") from None


def check(settings: ServerSettings) -> list[str]:
    """Check whether a server could start, without changing anything.

    Returns a sentence for everything that is fine. Raises NinefoldError for the first thing that is not.
    """
    database = find_database(settings.database)
    _check_options(settings)
    found = ["The options are valid."]
    try:
        database.check_exists()
    except NinefoldError as error:
        folder = next(one for one in Path(database.url.database or "").absolute().parents if one.exists())
        if not os.access(folder, os.W_OK | os.X_OK):
            raise NinefoldError(f"The database cannot be created: {folder} is not writable.") from None
        return [*found, f"{error} The first start creates it.", _check_address(settings)]
    found += check_usable(database)
    return [*found, _check_address(settings)]


def _check_options(settings: ServerSettings) -> None:
    if settings.reports is not None and not settings.reports.is_dir():
        raise NinefoldError(f"--reports takes a folder, and {settings.reports} is none.")
    for one in filter(None, settings.trusted_proxies.split(",")):
        try:
            everybody = not ip_network(one.strip()).prefixlen
        except ValueError:
            raise NinefoldError(
                "--trusted-proxies takes addresses and networks, such as 10.0.0.1 or 10.0.0.0/8,"
                f" and not {quote(one)}."
            ) from None
        if everybody:
            raise NinefoldError(f"With --trusted-proxies {one.strip()}, anybody could send any address.")


def _is_exposed(settings: ServerSettings) -> bool:
    """Whether others can reach it without a proxy that encrypts what they send."""
    try:
        alone = ip_address(settings.host).is_loopback
    except ValueError:
        alone = settings.host == "localhost"
    return not alone and not settings.trusted_proxies


def _check_address(settings: ServerSettings) -> str:
    if _is_exposed(settings):
        raise NinefoldError(EXPOSED.format(host=settings.host))
    _check_free(settings.host, settings.port)
    return f"Port {settings.port} of {settings.host} is free."


def _allow_many_files() -> None:
    """Raise the limit of open files: each stream needs one, and the default is about a thousand."""
    if resource is not None:
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _check_free(host: str, port: int) -> None:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        with socket.socket(found[0][0]) as attempt:
            attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            attempt.bind(found[0][4])
    except OSError as error:
        raise NinefoldError(f"Cannot listen on {host} port {port}: {error.strerror}.") from None


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__


class _JsonFormatter(logging.Formatter):
    """For programs: a JSON object per line. Named arguments are the message, as JSON of their own."""

    def format(self, record: logging.LogRecord) -> str:
        named = isinstance(record.args, Mapping)
        line = {
            "time": self.formatTime(record),
            "level": record.levelname.lower(),
            "from": record.name,
            "message": json.dumps(record.args) if named else record.getMessage(),
        }
        if record.exc_info and record.exc_info[1] is not None:
            line["trace"] = _trace(record.exc_info[1])
        return json.dumps(line)


class _TextFormatter(logging.Formatter):
    """For people at a terminal: `17:03:12  GET /puzzle: 200 in 4.1 ms`, `17:03:12  Warning: ...`"""

    def format(self, record: logging.LogRecord) -> str:
        level = "" if record.levelno <= logging.INFO else f"{record.levelname.capitalize()}: "
        line = f"{self.formatTime(record, '%H:%M:%S')}  {level}{record.getMessage()}"
        if record.exc_info and record.exc_info[1] is not None:
            line += f"\n{_trace(record.exc_info[1])}"
        return line


def _trace(error: BaseException | None) -> str:
    """The tracebacks and types of an error and its causes, without messages, which may quote a secret."""
    parts = []
    while error is not None:
        parts.append("".join(traceback.format_tb(error.__traceback__)) + type(error).__name__)
        error = error.__cause__ or error.__context__
    return "\nfrom ".join(parts)


def _set_up_log(level: str, *, as_json: bool) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonFormatter() if as_json else _TextFormatter())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for name in ("alembic", "sqlalchemy", *([] if as_json else ["uvicorn"])):
        logging.getLogger(name).setLevel("WARNING")
