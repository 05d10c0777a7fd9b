"""The user's settings, in a file in the configuration folder."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ninefold.store.files.atomic import replace_file


@dataclass(frozen=True, slots=True)
class UserSettings:
    """What the user chose for every game; each setting has a default."""

    name: str = ""  # empty: not given
    level: str = "3"  # of the computer: 1 to 9, perfect, random or greedy
    color: bool = True
    plain: bool = False
    voice: str = "book"  # between two people at one screen: the rule book's words, or "own" for ours
    server: str = ""  # the last one played on in full screen
    theme: str = "dark"  # of full screen: dark, light, or terminal for the terminal's own colors


def settings_path() -> Path:
    """`$XDG_CONFIG_HOME/ninefold/settings.json`, by default under `~/.config`."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    root = Path(base) if os.path.isabs(base) else Path(os.path.expanduser("~/.config"))
    return root / "ninefold" / "settings.json"


def read_settings() -> UserSettings:
    """The saved settings. A setting that is missing, damaged or of the wrong type has its default."""
    try:
        saved = json.loads(settings_path().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return UserSettings()
    if not isinstance(saved, dict):
        return UserSettings()
    defaults: dict[str, Any] = asdict(UserSettings())
    same_type = {name: saved[name] for name in defaults if type(saved.get(name)) is type(defaults[name])}
    return UserSettings(**defaults | same_type)


def save_settings(settings: UserSettings) -> None:
    """Replace the saved settings. Raises OSError."""
    replace_file(settings_path(), json.dumps(asdict(settings), indent=1) + "\n")
