"""The files for operators: their commands are understood, and they are as closed as the docs say."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from configparser import ConfigParser
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml  # type: ignore[import-untyped]

from ninefold.commands import build_parser
from ninefold.web.server import Server as Process
from tests.ports import free_port
from tests.web.inside import inside
from tests.web.postgres import Postgres
from tests.web.support import PATIENCE, Server, wait_for

FOLDER = Path(__file__).parents[2] / "docs" / "deploy"
UNITS = (FOLDER / "ninefold.service", FOLDER / "ninefold@.service")
CONTAINER = (FOLDER / "Containerfile").read_text()
RATE = "rate=20r/s"
COMPOSE = yaml.safe_load((FOLDER / "compose.yaml").read_text())["services"]["ninefold"]


def commands() -> list[list[str]]:
    text = "".join(unit.read_text().replace("%i", "8910") for unit in UNITS)
    lines = re.findall(r"^ExecStart(?:Pre)?=(.*)$", text, re.MULTILINE)
    (entry,) = re.findall(r"^ENTRYPOINT (\[.*\])$", CONTAINER, re.MULTILINE)
    words = json.loads(entry)
    return [*map(shlex.split, lines), words, [*words, *COMPOSE["command"]]]


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_the_commands_are_understood(words: list[str]) -> None:
    program, *rest = words
    assert Path(program).name == "ninefold"
    assert build_parser(rest[0]).parse_args(rest).command == "serve"


def test_the_container_has_no_root_and_writes_only_where_its_data_is() -> None:
    assert re.search(r"^USER [1-9]\d+$", CONTAINER, re.MULTILINE)
    assert "sqlite:////data/" in CONTAINER
    assert "/readyz" in CONTAINER
    assert COMPOSE["read_only"] is True
    assert COMPOSE["volumes"] == ["data:/data"]
    assert COMPOSE["cap_drop"] == ["ALL"]


@contextmanager
def behind_nginx(folder: Path, *servers: Server, rate: str = RATE) -> Iterator[httpx.Client]:
    """A client of nginx, which has these servers behind it, set up by our own file."""
    if (nginx := shutil.which("nginx") or shutil.which("/usr/sbin/nginx")) is None:
        pytest.skip("there is no nginx here")
    if (openssl := shutil.which("openssl")) is None:
        pytest.skip("there is no openssl here, which makes the certificate")
    port = free_port()
    pair = ("-keyout", f"{folder}/privkey.pem", "-out", f"{folder}/fullchain.pem")
    words = [openssl, "req", "-x509", "-nodes", "-newkey", "rsa:2048", "-subj", "/CN=localhost", *pair]
    subprocess.run(words, check=True, capture_output=True, timeout=60)
    site = (FOLDER / "nginx.conf").read_text()
    lines = "".join(f"server 127.0.0.1:{server.port};\n" for server in servers)
    for before, after in (
        ("listen 443", f"listen 127.0.0.1:{port}"),
        ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
        ("server 127.0.0.1:8909;", lines),
        ("/etc/letsencrypt/live/games.example.org", str(folder)),
        (RATE, rate),
    ):
        assert before in site
        site = site.replace(before, after)
    (folder / "site.conf").write_text(site)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    own = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)  # its own belong to root
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/log;\n"
        f"events {{}}\nhttp {{ access_log off; {own} include {folder}/site.conf; }}\n"
    )
    proxy = subprocess.Popen([nginx, "-p", str(folder), "-c", str(folder / "nginx.conf")])
    try:
        with httpx.Client(
            base_url=f"https://127.0.0.1:{port}", verify=False, timeout=PATIENCE, trust_env=False
        ) as client:
            wait_for(lambda: answers(client), "nginx")
            yield client
    finally:
        proxy.terminate()
        proxy.wait(PATIENCE)


def test_nginx_passes_events_on_at_once_and_keeps_the_metrics_private(tmp_path: Path) -> None:
    with (
        Server(tmp_path / "server", f"sqlite:///{tmp_path}/server.db").start() as server,
        behind_nginx(tmp_path, server, rate="rate=1r/m") as client,  # so that a slow machine is too fast
    ):
        home = client.get("/")
        assert "Ninefold" in home.text
        assert home.headers["strict-transport-security"] == "max-age=31536000"
        assert client.get("/healthz").status_code == 200
        assert {client.get(path).status_code for path in ("/metrics", "/readyz")} == {403}
        seats = {"first": {"kind": "person"}, "second": {"kind": "person"}}
        made = client.post("/api/v1/matches", json={"game": "cross", **seats}).json()
        path = f"/api/v1/matches/{made['match']}"
        with client.stream("GET", f"{path}/events") as stream:
            lines = (line for line in stream.iter_lines() if line.startswith("data: "))
            token = {"Authorization": f"Bearer {made['held'][0]['token']}"}
            moved = httpx.post(
                f"{server.base}{path}/moves", json={"move": "Row1", "ply": 0}, headers=token
            )
            assert moved.status_code == 200
            assert any('"Row1"' in line for line in islice(lines, 10))
        codes = [client.get("/api/v1/games").status_code for _ in range(110)]
        assert codes.count(429) > 0, "nginx has limits of its own"


def count_moves(server: Server) -> int:
    (found,) = re.findall(
        r"^ninefold_move_seconds_count (\d+)$", server.get("/metrics").text, re.MULTILINE
    )
    return int(found)


def test_each_match_has_a_process_of_its_own_and_another_when_that_is_killed(
    tmp_path: Path, database: str
) -> None:
    here, there = (Server(tmp_path / name, database) for name in ("here", "there"))
    with here.start(), there.start(), behind_nginx(tmp_path, here, there) as client:
        seats = {"first": {"kind": "person"}, "second": {"kind": "person"}}
        tables: list[Any] = []

        def play(ply: int, made: Any) -> None:
            token = {"Authorization": f"Bearer {made['held'][ply % 2]['token']}"}
            move = {"move": f"{ply // 3},{ply % 3}", "ply": ply}
            path = f"/api/v1/matches/{made['match']}"
            assert client.post(f"{path}/moves", json=move, headers=token).status_code == 200

        while len(tables) < 4 or not (count_moves(here) and count_moves(there)):
            tables.append(client.post("/api/v1/matches", json={"game": "battle", **seats}).json())
            play(0, tables[-1])
        first = count_moves(here), count_moves(there)
        for ply in (1, 2):
            for made in tables:
                play(ply, made)
        assert (count_moves(here), count_moves(there)) == (3 * first[0], 3 * first[1])
        here.kill()
        for made in tables:
            play(3, made)
        assert count_moves(there) == 3 * first[1] + len(tables)
        here.start()
        for ply in (4, 5):
            for made in tables:
                play(ply, made)
        for made in tables:
            seen = client.get(f"/api/v1/matches/{made['match']}").json()
            assert (seen["ply"], len(seen["moves"])) == (6, 6)


def answers(client: httpx.Client) -> bool:
    with suppress(httpx.TransportError):
        return client.get("/healthz").status_code == 200
    return False


DOCUMENT = (FOLDER.parent / "server.md").read_text()
ON_CALL = DOCUMENT[DOCUMENT.index("## On call") :]


def on_call(tool: str) -> list[str]:
    """The commands of the chapter for operators that use a tool."""
    blocks = re.findall(r"^```sh\n(.*?)^```", ON_CALL, re.DOTALL | re.MULTILINE)
    lines = "".join(blocks).splitlines()
    return [line.partition(" #")[0].strip() for line in lines if line.startswith(tool)]


def run_in_shell(command: str, folder: Path, **environment: str) -> None:
    words = ["bash", "-c", f'ninefold() {{ "{sys.executable}" -m ninefold "$@"; }}; {command}']
    done = subprocess.run(
        words, cwd=folder, env=os.environ | environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_commands_for_whoever_is_on_call_work_on_sqlite(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/server.db"
    with Server(tmp_path, url).start() as server:
        table = server.create("battle")
        table.play("0,0")
        assert server.stop() == 0
        commands = on_call("ninefold")
        assert len(commands) == 4
        paths = os.pathsep.join(filter(None, sys.path))
        for command in commands:
            run_in_shell(command, tmp_path, NINEFOLD_DATABASE=url, PYTHONPATH=paths)
        server.start()
        assert len(table.seen()["moves"]) == 1


def test_the_commands_for_whoever_is_on_call_work_on_postgresql(
    tmp_path: Path, database: str, instance: Postgres
) -> None:
    tools = instance.tools
    with Server(tmp_path, database).start() as server:
        table = server.create("battle")
        table.play("0,0")
        dump, restore = on_call("pg_")
        path = f"{tools}{os.pathsep}{os.environ['PATH']}"
        run_in_shell(dump, tmp_path, NINEFOLD_DATABASE=database, PATH=path)
        table.play("0,1")
        assert server.stop() == 0
        run_in_shell(restore, tmp_path, NINEFOLD_DATABASE=database, PATH=path)
        server.start()
        assert len(table.seen()["moves"]) == 1


def test_the_metrics_to_alert_on_exist(tmp_path: Path) -> None:
    async def work(client: httpx.AsyncClient, _: Process) -> str:
        return (await client.get("/metrics")).text

    known = set(re.findall(r"^# TYPE (\w+)", inside(tmp_path, work), re.MULTILINE))
    assert set(re.findall(r"\bninefold_\w+", ON_CALL)) == known


def test_no_password_stands_on_a_command_line() -> None:
    for path in FOLDER.iterdir():
        assert not re.search(r"://\w+:\w+@", path.read_text()), path


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_the_service_restarts_with_pauses_and_never_gives_up(unit: Path) -> None:
    parser = ConfigParser(strict=False, interpolation=None)  # some keys come twice, which adds up
    parser.read_string(unit.read_text())
    assert parser["Unit"]["StartLimitIntervalSec"] == "0"
    service = parser["Service"]
    assert (service["Restart"], service["RestartSec"], service["KillMode"]) == ("always", "5", "mixed")


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_the_service_is_closed_as_far_as_systemd_can_tell(unit: Path, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd-analyze here")
    file = tmp_path / unit.name.replace("@", "")
    file.write_text(unit.read_text().replace("%i", "8910"))
    words = ["systemd-analyze", "security", "--offline=yes", "--threshold=30", str(file)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout[-300:] + done.stderr
