"""Settings are saved in the configuration folder, and a damaged file does no harm."""

from __future__ import annotations

from pathlib import Path

import pytest

from ninefold.store.files.settings import UserSettings, read_settings, save_settings, settings_path


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


def test_settings_are_read_as_they_were_saved(tmp_path: Path) -> None:
    assert read_settings() == UserSettings()
    wanted = UserSettings(name="Zoë", level="perfect", color=False, plain=True)
    save_settings(wanted)
    assert read_settings() == wanted
    assert settings_path() == tmp_path / "ninefold" / "settings.json"


@pytest.mark.parametrize(
    ("content", "settings"),
    [
        (b"", UserSettings()),
        (b"\xff\xfe", UserSettings()),
        (b"[]", UserSettings()),
        (b'{"name": 5, "plain": "yes", "level": "7", "other": 1}', UserSettings(level="7")),
        (b'{"color": 0, "name": "Ann"}', UserSettings(name="Ann")),
    ],
)
def test_a_damaged_setting_has_its_default(content: bytes, settings: UserSettings) -> None:
    save_settings(UserSettings())
    settings_path().write_bytes(content)
    assert read_settings() == settings
