"""Edits of a game: the same game with one clause of its rules replaced."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ninefold.core.game import Game


@dataclass(frozen=True, slots=True)
class Edit:
    """A clause that could be different. `changes` are fields of the game's clauses.

    An edit without changes is one that nobody has solved; `about` says why.
    """

    name: str
    about: str  # a sentence: the rule as it would be
    changes: Mapping[str, Any] = field(default_factory=dict, hash=False)


def edit_game(game: Game, edits: Iterable[Edit]) -> Game:
    """The game with these clauses replaced. Its positions are of the same game, and so is its solver."""
    base: Any = type(game.set_up(game.example.setup))
    changes: dict[str, Any] = {}
    for edit in edits:
        changes |= edit.changes
    clauses = replace(base.clauses, **changes)
    state = type(base.__name__, (base,), {"__slots__": (), "clauses": clauses})
    return replace(game, begin=partial(game.begin, state=state))
