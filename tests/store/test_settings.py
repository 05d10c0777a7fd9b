"""What somebody likes is kept in the configuration folder, and damage to it is no obstacle."""

from __future__ import annotations

from pathlib import Path

import pytest

from ninefold.store.settings import Settings, keep_settings, read_settings, settings_path


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


def test_settings_are_read_as_they_were_kept(tmp_path: Path) -> None:
    assert read_settings() == Settings()
    wanted = Settings(name="Zoë", level="perfect", color=False, plain=True)
    keep_settings(wanted)
    assert read_settings() == wanted
    assert settings_path() == tmp_path / "ninefold" / "settings.json"


@pytest.mark.parametrize(
    ("content", "settings"),
    [
        (b"", Settings()),
        (b"\xff\xfe", Settings()),
        (b"[]", Settings()),
        (b'{"name": 5, "plain": "yes", "level": "7", "other": 1}', Settings(level="7")),
        (b'{"color": 0, "name": "Ann"}', Settings(name="Ann")),
    ],
)
def test_what_is_damaged_is_as_if_it_had_never_been_set(content: bytes, settings: Settings) -> None:
    keep_settings(Settings())
    settings_path().write_bytes(content)
    assert read_settings() == settings
