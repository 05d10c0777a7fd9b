"""A game's example: a short game with a remark on every move, to step through."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.games import load
from ninefold.match import Match
from ninefold.show.board import Drawing, draw
from ninefold.show.endings import Ending, describe_ending
from ninefold.show.examples import READER, example_match
from ninefold.show.moves import cast_of
from ninefold.show.scene import Scene, scene_of_match


@dataclass(frozen=True, slots=True)
class Stage:
    """An example after `step` of its moves."""

    step: int
    last: int  # how many moves there are
    scene: Scene
    turns: tuple[tuple[int, Seat, str], ...]  # all of them, each with the moves up to its end
    remark: str  # on the last move; empty at the start
    ending: Ending | None  # None until the end
    played: list[str]  # the texts of the moves up to here
    start: str  # who starts, as a sentence

    @property
    def here(self) -> int:
        """The moves up to the end of the turn that is shown; 0 at the start."""
        return next(stop for stop in (0, *(stop for stop, _, _ in self.turns)) if stop >= self.step)


def stage_example(game: Game, step: int) -> Stage:
    """A game's example after `step` moves, from 0 to the number of its moves."""
    match = example_match(game, step)
    cast = cast_of(match)
    return Stage(
        step=step,
        last=len(game.example.moves),
        scene=scene_of_match(match, READER, cast, choosing=False),
        turns=scene_of_match(example_match(game), READER, cast).turns,
        remark=game.example.moves[step - 1][1] if step else "",
        ending=describe_ending(match, cast) if match.over else None,
        played=[str(one.move) for one in match.played],
        start="Both choose." if game.starter is None else f"{cast.names[game.starter]} moves first.",
    )


@lru_cache(maxsize=16)
def example_picture(slug: str) -> Drawing:
    """The board of a game's example one move before its end, where there is most to see."""
    game = load(slug)
    return draw_match(example_match(game, len(game.example.moves) - 1))


def draw_match(match: Match) -> Drawing:
    """The board of a match, as a spectator sees it."""
    return draw(match.game, match.state.view(None), cast_of(match), last=(None, *match.turns)[-1])
