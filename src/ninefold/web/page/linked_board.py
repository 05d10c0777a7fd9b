"""A board whose parts are links: each plays a move, or chooses half of one, which the URL keeps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ninefold.core.cast import Cast
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.move import Move
from ninefold.core.view import View
from ninefold.show.board import Drawing, Part, describe_settings
from ninefold.show.choosing import Half, ask_other_half, chosen_part, links_of, offered_buttons


@dataclass(frozen=True, slots=True)
class LinkedBoard:
    """A board to choose a move on, perhaps with half of it chosen."""

    game: Game
    view: View
    cast: Cast
    drawing: Drawing
    chosen: Part | None  # the half of a move that the URL names
    refusal: str  # why that half cannot be chosen; else empty
    links: dict[str, str]  # by part

    @property
    def buttons(self) -> list[Part]:
        """The buttons that can be pressed now."""
        return offered_buttons(self.drawing, self.chosen)

    @property
    def settings(self) -> list[tuple[str, str]]:
        return describe_settings(self.game, self.view.setup)

    @property
    def question(self) -> str:
        """What to choose next. Ask only while the game goes on."""
        return ask_other_half(self.game.words.choose(self.view, self.cast), self.chosen)


def link_board(
    game: Game,
    view: View,
    cast: Cast,
    drawing: Drawing,
    query: Half,
    play: Callable[[Move], str],
    choose: Callable[[Half], str],
) -> LinkedBoard:
    """Link the parts of a drawing. `query` may name a half; `play` and `choose` make the URLs."""
    chosen, refusal = None, ""
    try:
        chosen = chosen_part(drawing, query)
    except NinefoldError as error:
        refusal = str(error)
    links = links_of(drawing, chosen, play, choose)
    return LinkedBoard(game, view, cast, drawing, chosen, refusal, links)
