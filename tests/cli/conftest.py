from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Every test has a home, a data folder and a terminal type of its own."""
    for name, value in {
        "HOME": tmp_path / "home",
        "XDG_DATA_HOME": tmp_path / "data",
        "XDG_CONFIG_HOME": tmp_path / "config",
        "XDG_CACHE_HOME": tmp_path / "cache",
        "TERM": "xterm-256color",
        "INPUTRC": "/dev/null",
        "COLUMNS": "80",
        "PAGER": "cat",
    }.items():
        monkeypatch.setenv(name, str(value))
    for name in ("NO_COLOR", "LINES", "PYTHONWARNINGS", "PYTHONIOENCODING", "PYTHONUNBUFFERED"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path
