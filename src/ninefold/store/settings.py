"""The user's settings, in a file in the configuration folder."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Settings:
    name: str = ""  # empty if not set
    level: str = "3"  # of the computer: 1 to 9, perfect, random or greedy
    color: bool = True
    plain: bool = False
    server: str = ""  # the address of the last one used in full screen
    theme: str = "dark"  # of full screen: dark, light, or terminal for the terminal's own colors


def settings_path() -> Path:
    """`$XDG_CONFIG_HOME/ninefold/settings.json`, by default under `~/.config`."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    root = Path(base) if os.path.isabs(base) else Path(os.path.expanduser("~/.config"))
    return root / "ninefold" / "settings.json"


def read_settings() -> Settings:
    """Read the saved settings. One that is missing, damaged or of the wrong type gets its default."""
    try:
        kept = json.loads(settings_path().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Settings()
    if not isinstance(kept, dict):
        return Settings()
    usual: dict[str, Any] = asdict(Settings())
    return Settings(**{name: _like(kept.get(name), value) for name, value in usual.items()})


def _like(kept: object, usual: object) -> Any:
    return kept if type(kept) is type(usual) else usual


def keep_settings(settings: Settings) -> None:
    """Save the settings in place of the previous ones. Raises OSError."""
    path = settings_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".settings.{os.getpid()}")
    beside.write_text(json.dumps(asdict(settings), indent=1) + "\n", encoding="utf-8")
    os.replace(beside, path)
