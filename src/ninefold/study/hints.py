"""The best move, with the facts that speak for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ninefold.analysis import evaluate
from ninefold.core.move import Move
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.study.facts import Fact, find_facts


@dataclass(frozen=True, slots=True)
class Hint:
    seat: Seat
    move: Move
    facts: tuple[Fact, ...]


def find_hint(state: State[Any], seat: Seat) -> Hint:
    """The best move of a seat that has to choose; in a secret choice, the likeliest of the mixture."""
    choices = evaluate(state).choices_of(seat)
    best = choices[0]
    if state.secret:
        best = max(choices, key=lambda choice: choice.mix or 0)
    return Hint(seat, best.move, find_facts(state, seat, best.move))
