"""Registers the games with Gymnasium, which calls this when it is imported, as an entry point."""

from __future__ import annotations

from gymnasium.envs import registration

from ninefold.games import SLUGS


def register() -> None:
    """Register ids like `ninefold/Shadow-v0`, unless that has been done."""
    for slug in SLUGS:
        name = f"ninefold/{slug.capitalize()}-v0"
        if name not in registration.registry:
            registration.register(
                name,
                entry_point="ninefold.envs.gymnasium:GameEnv",
                vector_entry_point="ninefold.envs.vector:GameVectorEnv",
                kwargs={"slug": slug},
            )
