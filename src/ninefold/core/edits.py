"""Edits of a game: the same game with one clause of its rules replaced."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from ninefold.core.game import Game
    from ninefold.core.state import State

C = TypeVar("C")  # the clauses of a game


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
    clauses = replace_clauses(base.clauses, edits)
    state = type(base.__name__, (base,), {"__slots__": (), "clauses": clauses})
    return replace(game, begin=partial(game.begin, state=state))


def find_edits(game: Game, *names: str) -> tuple[Edit, ...]:
    """The listed edits of a game with these names."""
    known = {edit.name: edit for edit in game.edits}
    return tuple(known[name] for name in names)


def replace_clauses(clauses: C, edits: Iterable[Edit]) -> C:
    """The clauses of a game with these edits."""
    changes: dict[str, Any] = {}
    for edit in edits:
        changes |= edit.changes
    return cast(C, replace(cast(Any, clauses), **changes))


def make_variant(game: Game, state: type[State[Any]], **given: Any) -> Game:
    """A game of its own, made from another whose state class has other clauses here.

    `given` are fields of the game; slug, title, summary and example must be among them. What a rule book
    says, and the daily puzzles and lessons that were made for it, stay with the other game.
    """
    variant = replace(
        game,
        base=game.slug,
        begin=partial(game.begin, state=state),
        puzzles=replace(given.pop("puzzles", game.puzzles), week=None),
        script=None,
        courses=(),
        edits=(),
        **given,
    )
    state.game = variant
    return variant
