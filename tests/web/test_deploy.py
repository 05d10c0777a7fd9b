"""The files for operators: their commands are understood, and they are as closed as the docs say."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

from ninefold.commands import build_parser

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


def test_no_password_stands_on_a_command_line() -> None:
    for path in FOLDER.iterdir():
        assert not re.search(r"://\w+:\w+@", path.read_text()), path


def test_the_service_is_closed_as_far_as_systemd_can_tell() -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd-analyze here")
    words = ["systemd-analyze", "security", "--offline=yes", "--threshold=30", str(UNIT)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout[-300:] + done.stderr
