"""A game's example, to be stepped through: a short game with a word on every move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from ninefold.core.cast import Cast
from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.games import load
from ninefold.match import Match
from ninefold.show.board import Drawing, describe_settings, draw
from ninefold.show.endings import Ending, describe_ending
from ninefold.show.examples import READER, example_match
from ninefold.show.moves import cast_of, latest_news, say_move
from ninefold.web.page.table import last_turn


@dataclass(frozen=True, slots=True)
class Stage:
    """An example after `step` of its moves."""

    step: int
    moves: list[tuple[Seat, str]]  # all of the example's, in words
    cast: Cast
    drawing: Drawing
    settings: list[tuple[str, str]]
    news: str  # the last move as a sentence, and a word on it; both empty at the start
    word: str
    ending: Ending | None  # None until the end
    setup: Mapping[str, int | str]
    played: list[str]  # the texts of the moves up to here

    @property
    def last(self) -> int:
        return len(self.moves)


def stage(game: Game, step: int) -> Stage:
    """A step of the game's example, from 0, the start, to the number of its moves."""
    match = example_match(game, step)
    view, cast = match.state.view(READER), cast_of(match)
    return Stage(
        step=step,
        moves=_moves(game),
        cast=cast,
        drawing=draw(game, view, cast, last=last_turn(match), moves=()),
        settings=describe_settings(game, view.setup),
        news=latest_news(match, READER, cast),
        word=game.example.moves[step - 1][1] if step else "",
        ending=describe_ending(match, cast) if match.over else None,
        setup=match.state.setup,
        played=[one.move for one in match.played],
    )


def _moves(game: Game) -> list[tuple[Seat, str]]:
    whole = example_match(game)
    return [(one.seat, say_move(whole.states[k], one.move)) for k, one in enumerate(whole.played)]


@lru_cache(maxsize=16)
def example_picture(slug: str) -> Drawing:
    """A game's example one move before its end, where there is most to see."""
    game = load(slug)
    return picture(example_match(game, len(game.example.moves) - 1))


def picture(match: Match) -> Drawing:
    """The board of a match, to look at from outside."""
    return draw(match.game, match.state.view(None), cast_of(match), last=last_turn(match))
