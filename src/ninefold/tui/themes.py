"""The colors of full screen: the page's own, light and dark, and the terminal's sixteen."""

from __future__ import annotations

import os

from textual.theme import Theme

DARK = Theme(
    name="dark",
    primary="#a9c8ff",
    secondary="#ffc08a",
    accent="#ffd866",
    success="#7fd6a0",
    warning="#ffd866",
    error="#ff8f8f",
    foreground="#e8eaf0",
    background="#14171f",
    surface="#1b1f2a",
    panel="#232938",
    variables={
        "x": "#a9c8ff",
        "o": "#ffc08a",
        "x-bed": "#1f3156",
        "o-bed": "#4c2c14",
        "faint": "#8b93a7",
    },
)
LIGHT = Theme(
    name="light",
    primary="#1746b0",
    secondary="#8f3a0c",
    accent="#7a5b00",
    success="#17683a",
    warning="#7a5b00",
    error="#a1222a",
    foreground="#1c2130",
    background="#fbfaf7",
    surface="#f2f0ea",
    panel="#e6e3da",
    dark=False,
    variables={
        "x": "#1746b0",
        "o": "#8f3a0c",
        "x-bed": "#dfe9ff",
        "o-bed": "#ffe9d6",
        "faint": "#646b7d",
    },
)
THEMES = {"dark": "dark", "light": "light", "terminal": "ansi-dark"}  # by what a setting is called

# For a theme that does not say otherwise: colors that every terminal has.
DEFAULTS = {
    "x": "ansi_cyan",
    "o": "ansi_magenta",
    "x-bed": "ansi_default",
    "o-bed": "ansi_default",
    "faint": "ansi_bright_black",
}


def theme_for(wanted: str, *, no_color: bool) -> str:
    """The theme of that name; the terminal's own where it has few colors, or none are wanted."""
    rich = "truecolor" in os.environ.get("COLORTERM", "") or "256color" in os.environ.get("TERM", "")
    return THEMES.get(wanted if rich and not no_color else "terminal", "dark")
