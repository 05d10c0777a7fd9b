"""Policies of limited sight: they see every win and loss within a number of moves, and none beyond."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ninefold.analysis import Choice, evaluate
from ninefold.analysis.evaluation import worth
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.players.policy import Probabilities, even


@dataclass(frozen=True, slots=True)
class SightPolicy:
    """Sees `2 * sight` moves ahead, starting with its own.

    It chooses evenly among the moves that win within sight; if there are none, among those that do not
    lose within sight; if all do, among all moves. A secret number wins if it wins against every reply. It
    loses if the opponent's best reply, or an optimal mixture of replies, is sure to beat it.
    """

    sight: int

    def __call__(self, state: State[Any], seat: Seat) -> Probabilities:
        return self.among(evaluate(state).choices_of(seat))

    def among(self, choices: Iterable[Choice]) -> Probabilities:
        """The probabilities for a seat that has these choices."""
        ends: dict[bool | None, list[Any]] = {True: [], None: [], False: []}  # won, out of sight, lost
        for choice in choices:
            near = choice.value.plies is not None and choice.value.plies < 2 * self.sight
            ends[worth(choice.value, choice.seat).chance == 1 if near else None].append(choice.move)
        return even(ends[True] or ends[None] or ends[False])
