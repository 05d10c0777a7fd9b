"""What the games are called in other libraries' registries."""

from __future__ import annotations


def env_id(slug: str) -> str:
    """The id of a game for Gymnasium and PettingZoo: `ninefold/Shadow-v0`, `ninefold/ConquestFair-v0`."""
    return f"ninefold/{slug.title().replace('-', '')}-v0"


def spiel_name(slug: str) -> str:
    """The name of a game in OpenSpiel: `ninefold_shadow`, `ninefold_conquest_fair`."""
    return f"ninefold_{slug.replace('-', '_')}"
