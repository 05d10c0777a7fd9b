"""Exploring a game: any position, the moves that led to it, and what its values mean in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ninefold.analysis import Choice, Evaluation, Result
from ninefold.core.cast import Cast
from ninefold.core.game import Game
from ninefold.core.move import Move
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.core.turns import Played
from ninefold.match.seating import NAMES
from ninefold.show.board import Part
from ninefold.show.choosing import ask_other_half
from ninefold.show.moves import say_move

CAST = Cast(NAMES)  # nobody in particular plays


@dataclass(frozen=True, slots=True)
class Variation:
    """A position and the moves that led to it from the start."""

    states: tuple[State[Any], ...]
    played: tuple[Played, ...]

    @property
    def state(self) -> State[Any]:
        return self.states[-1]

    @property
    def moves(self) -> tuple[Move, ...]:
        return tuple(one.move for one in self.played)

    @property
    def said(self) -> list[tuple[Seat, str]]:
        """The moves in words, each with the seat that made it."""
        pairs = zip(self.states, self.played, strict=False)
        return [(one.seat, say_move(state, one.move)) for state, one in pairs]

    @property
    def chooser(self) -> Seat | None:
        """The seat whose move comes next in a written sequence; None at the end."""
        return (*self.state.movers, None)[0]

    def until(self, count: int) -> Variation:
        """The same line, cut off after `count` moves."""
        return Variation(self.states[: count + 1], self.played[:count])


def follow(start: State[Any], moves: Sequence[Move | str]) -> Variation:
    """Play a written sequence of moves. Raises NinefoldError, which says which move is wrong."""
    states, played = start.game.replay(start, moves)
    return Variation(states, played)


def say_turn(line: Variation, chosen: Part | None) -> str:
    """Whose turn it is and what to choose; empty at the end."""
    seat = line.chooser
    if seat is None:
        return ""
    sentence = line.state.game.words.choose(line.state.view(seat), CAST)
    return f"{CAST.name(seat)}, your turn. {ask_other_half(sentence, chosen)}"


def say_legend(choices: Sequence[Choice]) -> str:
    """What the tags on the moves mean."""
    if not choices:
        return ""
    name, values = CAST.name(choices[0].seat), [choice.value for choice in choices]
    said = []
    if any(value.margin is not None for value in values):
        said.append(f"Win and loss are {name}'s, with the final margin.")
    elif any(value.plies is not None for value in values):
        said.append(f"Win and loss are {name}'s, with the number of moves that follow.")
    if any(value.result is Result.MIXED for value in values):
        said.append(f"A percentage is {name}'s chance of winning.")
    if any(value.result is Result.ENDLESS for value in values):
        said.append("Endless: neither can force a win.")
    return " ".join(said)


def mixtures(game: Game, found: Evaluation) -> list[list[Choice]]:
    """The choices of a secret turn by seat, in written order, each in the order of `game.moves`."""
    seats = dict.fromkeys(choice.seat for choice in found.choices)
    return [sorted(found.choices_of(seat), key=lambda one: game.index(one.move)) for seat in seats]
