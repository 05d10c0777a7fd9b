"""`ninefold serve`: run the server and the page."""

from __future__ import annotations

import argparse
import sys
from dataclasses import fields
from pathlib import Path

from ninefold.core.errors import NinefoldError
from ninefold.web.admin import add_database

EPILOG = """\
Open the address that it prints in a browser to play, watch, review and explore; `ninefold host`,
`join` and `watch` are for the terminal. Without options, it serves this machine alone and uses
SQLite. With PostgreSQL there can be several processes, on one machine or on several. See docs/server.md.

examples:
  ninefold serve
  ninefold serve --host 0.0.0.0 --port 80
  ninefold serve --database postgresql://ninefold@db/ninefold --trusted-proxies 10.0.0.1
"""

LIMITS = {
    "rate": "requests per second per client, over time",
    "burst": "requests that a client may send in a burst",
    "body": "bytes of a request's body",
    "request-seconds": "seconds for a request to arrive",
    "matches": "unfinished matches",
    "matches-each": "unfinished matches per client (a tenth of --matches)",
    "streams": "event streams per process",
    "streams-each": "event streams per client",
    "waiting-hours": "hours until a match with an open seat is removed",
    "idle-days": "days until an unfinished match in which nobody moves is removed",
    "kept-days": "days until a finished match is removed",
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=_port, default=8909, help="the port to listen on (8909)")
    add_database(parser)
    parser.add_argument(
        "--connections",
        type=_positive,
        default=10,
        metavar="N",
        help="connections to PostgreSQL per process (10)",
    )
    parser.add_argument(
        "--root-path",
        default="",
        metavar="PATH",
        help="the path that a proxy serves it under, such as /ninefold",
    )
    parser.add_argument(
        "--trusted-proxies",
        default="",
        metavar="ADDRESSES",
        help="proxies whose forwarded headers to trust, separated by commas (none)",
    )
    parser.add_argument(
        "--reports", type=Path, metavar="FOLDER", help="serve the reports in it, at /reports"
    )
    parser.add_argument(
        "--log-level",
        choices=("debug", "info", "warning", "error"),
        default="info",
        help="how much to log (info)",
    )
    parser.add_argument(
        "--log-json", action="store_true", help="log JSON at a terminal, too, as it does elsewhere"
    )
    parser.add_argument(
        "--check", action="store_true", help="check whether it could start, change nothing, and exit"
    )
    group = parser.add_argument_group("limits", "0 means no limit")
    for name, meaning in LIMITS.items():
        group.add_argument(f"--{name}", type=_number, metavar="N", help=meaning)


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 65536):
        raise argparse.ArgumentTypeError(f"{text!r}: it must be a number from 1 to 65535")
    return int(text)


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 1000):
        raise argparse.ArgumentTypeError(f"{text!r}: it must be a whole number from 1 up")
    return int(text)


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1
    if not 0 <= number < 1e12:
        raise argparse.ArgumentTypeError(f"{text!r}: it must be a number, 0 or more")
    return number


def run(arguments: argparse.Namespace) -> int:
    from ninefold.web.launch import ServerSettings, check, serve
    from ninefold.web.limits import Limits

    given = {
        field.name: (int(value) if str(field.type).startswith("int") else value)
        for field in fields(Limits)
        if (value := getattr(arguments, field.name)) is not None
    }
    root_path = arguments.root_path.rstrip("/")
    if root_path and not root_path.startswith("/"):
        print("ninefold serve: --root-path must begin with /", file=sys.stderr)
        return 2
    settings = ServerSettings(
        host=arguments.host,
        port=arguments.port,
        database=arguments.database,
        root_path=root_path,
        trusted_proxies=arguments.trusted_proxies,
        log_level=arguments.log_level,
        log_json=arguments.log_json,
        connections=arguments.connections,
        limits=Limits(**given),
        reports=arguments.reports,
    )
    try:
        if arguments.check:
            print(*check(settings), sep="\n")
        else:
            serve(settings)
    except NinefoldError as error:
        print(f"ninefold serve: {error}", file=sys.stderr)
        return 1
    return 0
