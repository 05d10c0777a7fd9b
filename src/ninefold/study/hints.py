"""The best move, with the facts that speak for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ninefold.core.move import Move
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.players.exact import perfect_policy
from ninefold.study.facts import Fact, find_facts


@dataclass(frozen=True, slots=True)
class Hint:
    seat: Seat
    move: Move
    facts: tuple[Fact, ...]


def find_hint(state: State[Any], seat: Seat) -> Hint:
    """The move that `perfect` makes; in a secret choice, the likeliest of its mixture.

    So where every move loses, it holds out as long as it can and leaves few replies that win.
    """
    parts = perfect_policy(state, seat)
    move = max(parts, key=lambda one: parts[one])  # of several, the first
    return Hint(seat, move, find_facts(state, seat, move))
