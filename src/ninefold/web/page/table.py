"""A position at the table of a match: two bars, the boards, and numbers to choose from.

Unlike in a match, what can be chosen are links: each plays a move, or chooses half of one, which the URL
keeps. Templates draw it with the macros of `table.html`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from ninefold.core.errors import NinefoldError
from ninefold.core.move import Move
from ninefold.core.seat import SEATS, Seat
from ninefold.show.board import Part
from ninefold.show.choosing import ask_other_half, mark_chosen, offered_buttons
from ninefold.show.scene import Scene
from ninefold.show.values import Tag
from ninefold.web.page.halves import Half, chosen_part, links_of


def face_viewer(scene: Scene) -> Scene:
    """Seen from the viewer's side where each player has a board: the large one is the viewer's own."""
    viewer = scene.view.viewer
    if viewer is None or len(scene.view.boards) == 1:
        return scene
    return replace(scene, order=(viewer.other, viewer))


def boards_of(scene: Scene) -> tuple[int, ...]:
    """The boards, the near player's last."""
    return tuple(map(int, scene.order)) if len(scene.view.boards) > 1 else (0,)


@dataclass(frozen=True, slots=True)
class LinkedTable:
    """A scene to choose a move on, perhaps with half of it chosen."""

    scene: Scene
    chosen: Part | None = None  # the half of a move that the URL names
    refusal: str = ""  # why that half cannot be chosen
    links: Mapping[str, str] = field(default_factory=dict)  # by part
    tags: Mapping[str, Tag] = field(default_factory=dict)  # what is told of parts
    notes: tuple[str, str] = ("", "")  # beside each name, by seat
    turn: Seat | None = None  # whose turn it is

    @property
    def buttons(self) -> list[Part]:
        """The buttons that can be pressed now."""
        return offered_buttons(self.scene.drawing, self.chosen)

    @property
    def question(self) -> str:
        """What to choose next. Ask only while the game goes on."""
        return ask_other_half(self.scene.question, self.chosen)

    @property
    def ghosts(self) -> dict[str, tuple[str, str]]:
        """The chosen number, shown in each cell that it can go to: by part, its text and its mark."""
        chosen, scene = self.chosen, self.scene
        if chosen is None or chosen.spot or scene.view.viewer is None:
            return {}
        mark = scene.cast.mark(scene.view.viewer)
        return {id: (chosen.text, mark) for id in self.links if id in scene.drawing.parts}

    @property
    def two(self) -> bool:
        """Whether each player has a board."""
        return len(self.scene.view.boards) > 1

    @property
    def boards(self) -> tuple[int, ...]:
        return boards_of(self.scene)

    def seat(self, where: str) -> Seat:
        """Who sits at the `far` or the `near` side."""
        return self.scene.order[where == "near"]

    def name(self, seat: Seat) -> str:
        return (
            self.scene.cast.subject(seat) if seat is self.scene.cast.you else self.scene.cast.name(seat)
        )


def lay_table(
    scene: Scene,
    query: Half,
    play: Callable[[Move], str],
    choose: Callable[[Half], str],
    *,
    tags: Callable[[Part | None], dict[str, Tag]] | None = None,
    notes: Mapping[Seat, str] | None = None,
    turn: Seat | None = None,
) -> LinkedTable:
    """Link the parts of a scene. `query` may name a half; `play` and `choose` make the URLs.

    `tags` gives what is told of parts with that half chosen; by default only that it is chosen.
    """
    chosen, refusal = None, ""
    try:
        chosen = chosen_part(scene.drawing, query)
    except NinefoldError as error:
        refusal = str(error)
    first, second = ((notes or {}).get(seat, "") for seat in SEATS)
    return LinkedTable(
        scene=scene,
        chosen=chosen,
        refusal=refusal,
        links=links_of(scene.drawing, chosen, play, choose),
        tags=mark_chosen({}, chosen) if tags is None else tags(chosen),
        notes=(first, second),
        turn=turn,
    )
