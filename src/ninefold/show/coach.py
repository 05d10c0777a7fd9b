"""What the coach says, for the person who plays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ninefold.analysis import evaluate
from ninefold.core.cast import Cast
from ninefold.core.move import Move
from ninefold.core.state import State
from ninefold.match import Match
from ninefold.show.hints import say_mixture
from ninefold.show.moves import capitalize, say_move
from ninefold.show.puzzles import explain_line
from ninefold.show.reviews import ask_better_move
from ninefold.show.values import points, verdict
from ninefold.study.coach import Mistake
from ninefold.study.reviews import Judged

TAKE_BACK = "Take it back?"


@dataclass(frozen=True, slots=True)
class Warned:
    """What the coach says of a move, and the moves that show it on the board."""

    said: list[str]
    path: tuple[Move, ...]


def say_warning(state: State[Any], found: Mistake, cast: Cast) -> Warned:
    """A mistake before it is made: what it allows. Of a secret choice, the mixture that is better."""
    move = capitalize(say_move(state, found.move))
    if state.secret:
        shares = [(c.move, c.mix) for c in evaluate(state).choices_of(found.seat) if c.mix]
        better = say_mixture(state, shares)
        if len(shares) == 1:
            better = f"Better: {say_move(state, shares[0][0])}."
        lost = (
            f"{move} lowers {cast.whose(found.seat)} chances by {points(found.cost)} against best play."
        )
        return Warned([f"Coach: {lost} {better}"], ())
    said = [f"Coach: {move} gives something away. {verdict(found.value, cast)}"]
    return Warned([*said, *explain_line(state, found.line[:2], cast)[1:]], found.line[:2])


def say_moments(match: Match, moments: Sequence[Judged], cast: Cast) -> list[str]:
    """The moments of a match that mattered, each as a question; empty if there were none."""
    if not moments:
        return []
    one = "One moment" if len(moments) == 1 else "Two moments"
    return [f"{one} mattered:", *(capitalize(ask_better_move(match, moment, cast)) for moment in moments)]
