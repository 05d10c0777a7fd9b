"""A position as one viewer sees it, with everything that is drawn around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ninefold.core.cast import Cast
from ninefold.core.game import Game
from ninefold.core.move import Move
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.core.turns import Played, Turn, group_turns
from ninefold.core.view import View
from ninefold.match import Match
from ninefold.show.board import Drawing, board_of, describe_settings, draw
from ninefold.show.moves import capitalize, tell_last
from ninefold.show.sides import Side, side_of


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything to draw of a position: the boards, what each player has, and the moves so far."""

    game: Game
    view: View
    cast: Cast
    drawing: Drawing
    order: tuple[Seat, Seat]  # the seat at the far side of the table, then the near one
    sides: tuple[Side, Side]  # by seat
    pool: Side  # what both share
    settings: list[tuple[str, str]]
    moves: list[tuple[Seat, str]]  # those that the viewer may know, in words
    news: str  # what happened last, in a sentence or two; empty before the first move

    @property
    def near(self) -> int:
        """The near player's board, where each has one."""
        return board_of(self.view, self.order[1])

    @property
    def active(self) -> int:
        """The board on which the viewer moves; a spectator looks at the near one."""
        viewer = self.view.viewer
        return self.near if viewer is None else board_of(self.view, viewer)


def scene_of_match(
    match: Match, viewer: Seat | None, cast: Cast, count: int | None = None, *, choosing: bool = True
) -> Scene:
    """A match as a viewer may see it, now or after `count` of its moves.

    Moves can be chosen only now, and only while the viewer is `choosing`.
    """
    count = len(match.played) if count is None else count
    moves = () if match.over or count < len(match.played) or not choosing else None
    scene = scene_of(match.states[: count + 1], match.played[:count], viewer, cast, moves)
    if not match.over:
        return scene
    # However a match ended, what was secret in it is known to everybody now.
    return replace(scene, settings=describe_settings(match.game, match.state.setup))


def scene_of(
    states: Sequence[State[Any]],
    played: Sequence[Played],
    viewer: Seat | None,
    cast: Cast,
    moves: Sequence[Move] | None = None,
) -> Scene:
    """The last of these positions, with the moves that led there.

    `moves` are the moves that can be chosen, by default the viewer's legal ones.
    """
    state = states[-1]
    view, turns = state.view(viewer), group_turns(states, played)
    # What secret choices led to stays in the news for one more turn.
    news = [one for one in turns[-2:] if one is turns[-1] or one.secrets]
    hidden = {seat for seat in state.pending if seat is not viewer}
    known = [one for turn in turns for one in turn.known(hidden)]
    said = [
        (one.seat, capitalize(state.game.words.move(states[place].view(one.seat), one.move)))
        for place, one in enumerate(known)
    ]
    start, last = states[0].view(viewer), turns[-1] if turns else None
    told = " ".join(tell_last(states[: one.stop + 1], played[: one.stop], viewer, cast) for one in news)
    return _make_scene(state.game, start, view, cast, last, said, told, moves)


def _make_scene(
    game: Game,
    start: View,
    view: View,
    cast: Cast,
    last: Turn | None,
    said: list[tuple[Seat, str]],
    news: str,
    moves: Sequence[Move] | None = None,
) -> Scene:
    """A scene, made from views alone. `start` is the viewer's view of the first position."""
    drawing = draw(game, view, cast, last=last, moves=moves)
    near = Seat.FIRST if cast.you is None else cast.you
    first, second = (side_of(game, start, view, drawing, seat, cast) for seat in Seat)
    return Scene(
        game=game,
        view=view,
        cast=cast,
        drawing=drawing,
        order=(near.other, near),
        sides=(first, second),
        pool=side_of(game, start, view, drawing, None, cast),
        settings=describe_settings(game, view.setup),
        moves=said,
        news=news,
    )
