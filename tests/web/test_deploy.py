"""The files for operators: their commands are understood, and they are as closed as the docs say."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from contextlib import suppress
from itertools import islice
from pathlib import Path

import httpx
import pytest
import yaml  # type: ignore[import-untyped]

from ninefold.commands import build_parser
from tests.web.support import Server, free_port, wait_for

FOLDER = Path(__file__).parents[2] / "docs" / "deploy"
UNIT = FOLDER / "ninefold.service"
CONTAINER = (FOLDER / "Containerfile").read_text()
COMPOSE = yaml.safe_load((FOLDER / "compose.yaml").read_text())["services"]["ninefold"]


def commands() -> list[list[str]]:
    lines = re.findall(r"^ExecStart(?:Pre)?=(.*)$", UNIT.read_text(), re.MULTILINE)
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


def test_nginx_passes_events_on_at_once_and_keeps_the_metrics_private(tmp_path: Path) -> None:
    if (nginx := shutil.which("nginx") or shutil.which("/usr/sbin/nginx")) is None:
        pytest.skip("there is no nginx here")
    if (openssl := shutil.which("openssl")) is None:
        pytest.skip("there is no openssl here, which makes the certificate")
    port = free_port()
    pair = ("-keyout", f"{tmp_path}/privkey.pem", "-out", f"{tmp_path}/fullchain.pem")
    words = [openssl, "req", "-x509", "-nodes", "-newkey", "rsa:2048", "-subj", "/CN=localhost", *pair]
    subprocess.run(words, check=True, capture_output=True, timeout=60)
    with Server(tmp_path / "server", f"sqlite:///{tmp_path}/server.db").start() as server:
        site = (FOLDER / "nginx.conf").read_text()
        site = site.replace("listen 443", f"listen 127.0.0.1:{port}")
        site = site.replace("127.0.0.1:8909", f"127.0.0.1:{server.port}")
        site = site.replace("/etc/letsencrypt/live/games.example.org", str(tmp_path))
        (tmp_path / "site.conf").write_text(site)
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        own = " ".join(f"{kind}_temp_path {tmp_path}/{kind};" for kind in kinds)  # its own belong to root
        (tmp_path / "nginx.conf").write_text(
            f"daemon off; pid {tmp_path}/pid; error_log {tmp_path}/log;\n"
            f"events {{}}\nhttp {{ access_log off; {own} include {tmp_path}/site.conf; }}\n"
        )
        proxy = subprocess.Popen([nginx, "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")])
        try:
            with httpx.Client(
                base_url=f"https://127.0.0.1:{port}", verify=False, timeout=10, trust_env=False
            ) as client:
                wait_for(lambda: answers(client), "nginx")
                assert "Ninefold" in client.get("/").text
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
        finally:
            proxy.terminate()
            proxy.wait(10)


def answers(client: httpx.Client) -> bool:
    with suppress(httpx.TransportError):
        return client.get("/healthz").status_code == 200
    return False


def test_no_password_stands_on_a_command_line() -> None:
    for path in FOLDER.iterdir():
        assert not re.search(r"://\w+:\w+@", path.read_text()), path


def test_the_service_is_closed_as_far_as_systemd_can_tell() -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd-analyze here")
    words = ["systemd-analyze", "security", "--offline=yes", "--threshold=30", str(UNIT)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout[-300:] + done.stderr
