"""The server on PostgreSQL as one process and as two behind nginx, all on one machine.

python -m benchmarks.workers [--seconds N] [--matches N]

nginx is in front of both, set up as in docs/deploy, so that they differ in the number of processes alone.
The processor time is that of the servers, without nginx and the database.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.web.postgres import postgres

from benchmarks.server import (
    IN_FLIGHT,
    Ours,
    Side,
    allow_many_files,
    free_port,
    measure,
    run_loop,
    serve,
    show,
    stop_at_end,
    wait_for,
)
from benchmarks.server_clients import HOST

NAMES = {1: "one process", 2: "two processes"}
SITE = Path(__file__).parents[1] / "docs" / "deploy" / "nginx.conf"
NGINX = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")


def start_nginx(folder: Path, port: int, ports: list[int]) -> subprocess.Popen[bytes]:
    """nginx with the parts of our file that choose a process, without limits and encryption."""
    site = SITE.read_text()
    choosing = site[site.index("map $uri") : site.index("# One client")]
    lines = "".join(f"server {HOST}:{one};\n" for one in ports)
    choosing = re.sub(r"server 127\.0\.0\.1:8909;.*\n", lines, choosing)
    (passing,) = re.findall(r"proxy_pass.*?(?=    \})", site, re.DOTALL)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    own = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/log; worker_rlimit_nofile 65536;\n"
        "events { worker_connections 20000; }\n"
        f"http {{ access_log off; keepalive_requests 1000000; {own} {choosing}"
        f"server {{ listen {HOST}:{port}; location / {{ {passing} }} }} }}\n"
    )
    assert NGINX is not None
    return subprocess.Popen([NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")])


def start(processes: list[subprocess.Popen[bytes]], folder: Path, count: int, database: str) -> Ours:
    """So many servers behind nginx. All are children of one shell, whose processor time is theirs."""
    folder.mkdir()
    ports = [free_port() for _ in range(count)]
    servers = [serve(folder, port, database=database) for port in ports]
    processes += servers
    for server, port in zip(servers, ports, strict=True):
        wait_for(f"http://{HOST}:{port}/readyz", server)
    front = free_port()
    nginx = start_nginx(folder, front, ports)
    processes.append(nginx)
    wait_for(f"http://{HOST}:{front}/healthz", nginx)
    return Ours(servers[0], front, NAMES[count], others=servers[1:])


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="the server on PostgreSQL, by number of processes")
    parser.add_argument("--seconds", type=float, default=6.0, help="flat out, for each (6)")
    parser.add_argument("--matches", type=int, default=200)
    options = parser.parse_args(arguments if arguments is not None else [])
    if NGINX is None:
        print("nginx is not installed here")
        return
    allow_many_files()
    processes: list[subprocess.Popen[bytes]] = []
    with (
        postgres(f"bench-{os.getpid()}") as database,
        tempfile.TemporaryDirectory(prefix="ninefold-bench-") as name,
        stop_at_end(processes),
    ):
        sides: list[Side] = [
            start(processes, Path(name) / str(count), count, database.url(database.create()))
            for count in NAMES
        ]
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        figures = run_loop(measure(sides, options.matches, options.seconds, in_flight=IN_FLIGHT))
        show(f"flat out, {options.matches} matches, {IN_FLIGHT} moves in flight:", figures)
        one, two = (figures[side.name] for side in sides)
        ratio = (two.cpu / len(two.acknowledged)) / (one.cpu / len(one.acknowledged))
        print(f"CPU per move of two processes to one: {ratio:.2f} (aim: at most 1.2)")


if __name__ == "__main__":
    main(sys.argv[1:])
