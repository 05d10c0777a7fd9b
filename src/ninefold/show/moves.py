"""Moves in words: what can be played, what was played, and who sits where."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from ninefold.core.cast import Cast
from ninefold.core.game import Game
from ninefold.core.move import Move
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.core.turns import Played, group_turns, turn_number
from ninefold.core.view import View
from ninefold.core.words import say_chosen
from ninefold.match import Match
from ninefold.players import PERSON

T = TypeVar("T")


def cast_of(
    match: Match, you: Seat | None = None, paint: Callable[[Seat, str], str] | None = None
) -> Cast:
    """The players of a match for one reader."""
    player1, _ = match.players
    names = (match.player(Seat.FIRST).name, match.player(Seat.SECOND).name)
    cast = Cast(names, player1.seat, you)
    return cast if paint is None else cast.with_paint(paint)


def say_players(match: Match) -> str:
    """`Ann - Computer (level 3)`"""
    return " - ".join(
        one.name if one.kind == PERSON else f"{one.name} ({say_kind(one.kind)})" for one in match.players
    )


def say_kind(kind: str) -> str:
    """A computer player in a few words: `level 3`, `perfect`, the name of a model."""
    name, _, rest = kind.partition(":")
    if name.partition("@")[0] == "chat":
        return rest.split()[0]
    return f"{name} {rest}" if name in ("level", "sight") else name


def say_move(state: State[Any], move: Move) -> str:
    """A legal move of a position inside a sentence: `5 in the center`."""
    return state.game.words.move(state.view(state.movers[0]), move)


def say_subject(state: State[Any], move: Move) -> str:
    """A move that was just tried, as the subject of a sentence: `5 in the center`.

    One that is told with a verb, like `swap the 4 for the 2`, is `That`.
    """
    said, kind = say_move(state, move), state.game.spot(move).kind
    return "That" if kind and said.startswith(kind) else capitalize(said)


def say_moves(state: State[Any], moves: Iterable[Move], last: str = "or") -> str:
    """A few moves inside a sentence: `5 in the center, the 9 or 3 others`."""
    said = [say_move(state, move) for move in moves]
    if len(said) > 4:
        said[3:] = [f"{len(said) - 3} others"]
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} {last} {said[-1]}"


def say_edition(game: Game) -> str:
    """What an edition of a game is called beside the others: `by the book`, `fair`."""
    return game.title.rpartition(", ")[2].removesuffix(" edition") if game.base else "by the book"


def say_order(game: Game, seat: Seat) -> str:
    """What to do to have a seat: `move first`, or `take the first seat` where both choose at once."""
    return f"take the {seat} seat" if game.starter is None else f"move {_place(game, seat)}"


def whoever_moves(game: Game, seat: Seat) -> str:
    """A seat by the order of play: `whoever moves first`; by its name where both choose at once."""
    return f"the {seat} player" if game.starter is None else f"whoever moves {_place(game, seat)}"


def _place(game: Game, seat: Seat) -> str:
    return "first" if seat is game.starter else "second"


def capitalize(text: str) -> str:
    """A phrase for the beginning of a sentence. Only the first letter changes."""
    return text[:1].upper() + text[1:]


def say_news(match: Match, number: int, viewer: Seat | None, cast: Cast) -> str:
    """Move `number`, from 1, as one sentence with only what the viewer may know."""
    return tell_last(match.states[: number + 1], match.played[:number], viewer, cast)


def say_place(match: Match, count: int) -> str:
    """Where a replay is after so many moves: `Turn 3 of 8`"""
    return f"Turn {turn_number(match.turns, count)} of {len(match.turns)}"


def tell_last(
    states: Sequence[State[Any]], played: Sequence[Played], viewer: Seat | None, cast: Cast
) -> str:
    """The last of these moves as one sentence with only what the viewer may know.

    `states` are the positions before the moves and after each. A game's own words get a secret choice
    only when it is revealed: until then nothing is said but that it was made.
    """
    words = states[0].game.words
    return tell(
        states, played, viewer, cast, lambda _, *whose: say_chosen(*whose), words.news, words.revealed
    )


def tell(
    states: Sequence[State[Any]],
    played: Sequence[Played],
    viewer: Seat | None,
    cast: Cast,
    chosen: Callable[[View, Seat, Cast], T],
    made: Callable[[View, Seat, Any, View, Cast], T],
    revealed: Callable[[View, Mapping[Seat, Any], View, Cast], T],
) -> T:
    """What one of three says of the last of these moves, from what the viewer may know.

    `chosen` is for a secret choice that is pending, and is not told what it is; `made` for a move that
    was made openly; `revealed` for the secret choices of a turn, once all are made.
    """
    one, before, after = played[-1], states[-2], states[-1].view(viewer)
    if one.seat in after.pending:
        return chosen(after, one.seat, cast)
    if not before.secret:
        return made(before.view(viewer), one.seat, one.move, after, cast)
    turn = group_turns(states, played)[-1]
    choices = {choice.seat: choice.move for choice in turn.secrets}
    return revealed(states[turn.start + turn.public].view(viewer), choices, after, cast)
