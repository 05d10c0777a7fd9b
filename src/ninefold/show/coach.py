"""What the coach says, for the person who plays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ninefold.analysis import NoValues, Result, evaluate
from ninefold.core.cast import Cast
from ninefold.core.move import Move
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.match import Match
from ninefold.show.exploring import follow
from ninefold.show.hints import say_mixture
from ninefold.show.moves import capitalize, say_move, say_subject
from ninefold.show.puzzles import explain_line
from ninefold.show.reviews import ask_better_move
from ninefold.show.scene import Scene, scene_of, scene_of_match
from ninefold.show.values import points, verdict
from ninefold.study.coach import Mistake, coach_move
from ninefold.study.reviews import Judged

TAKE_BACK = "Take it back?"


@dataclass(frozen=True, slots=True)
class Warned:
    """What the coach says of a move, and the moves that show it on the board."""

    said: list[str]
    path: tuple[Move, ...]


def warn_of_move(match: Match, seat: Seat, move: Move, cast: Cast) -> Warned | None:
    """What the coach of a match says of a move before it is made; None if there is nothing to say."""
    if not match.coach:
        return None
    state = match.open_state
    try:
        found = coach_move(state, seat, move)
    except NoValues:
        return None
    return None if found is None else say_warning(state, found, cast)


def say_warning(state: State[Any], found: Mistake, cast: Cast) -> Warned:
    """A mistake before it is made: what it allows. Of a secret choice, the mixture that is better."""
    move = say_subject(state, found.move)
    lowers = f"lowers {cast.whose(found.seat)} chances by {points(found.cost)}"
    if state.secret:
        shares = evaluate(state).mixture(found.seat)
        better = say_mixture(state, shares)
        if len(shares) == 1:
            better = f"Better: {say_move(state, shares[0][0])}."
        return Warned([f"Coach: {move} {lowers} against best play. {better}"], ())
    wrong = lowers if found.value.result is Result.MIXED else "gives something away"
    said = [f"Coach: {move} {wrong}. {verdict(found.value, cast)}"]
    return Warned([*said, *explain_line(state, found.line[:2], cast)[1:]], found.line[:2])


def draw_warning(match: Match, warned: Warned, seat: Seat, cast: Cast) -> Scene:
    """The board with what a move allows; for a secret choice as it is, since nothing is revealed yet."""
    if not warned.path:
        return scene_of_match(match, seat, cast, choosing=False)
    line = follow(match.states[0], [*match.written(), *warned.path])
    return scene_of(line.states, line.played, seat, cast, ())


def say_moments(match: Match, moments: Sequence[Judged], cast: Cast) -> list[str]:
    """The moments of a match that mattered, each as a question; empty if there were none."""
    if not moments:
        return []
    one = "One moment" if len(moments) == 1 else "Two moments"
    return [f"{one} mattered:", *(capitalize(ask_better_move(match, moment, cast)) for moment in moments)]
