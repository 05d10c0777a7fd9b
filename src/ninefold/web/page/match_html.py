"""The page of a match as HTML, made from its scene."""

from __future__ import annotations

from dataclasses import dataclass, field

from ninefold.core.seat import Seat
from ninefold.core.words import pluralize
from ninefold.match.kinds import EventKind, Presence
from ninefold.show.choosing import ask_other_half, mark_chosen, offered_buttons
from ninefold.show.offers import NEWS
from ninefold.show.scene import Scene
from ninefold.web.page.example import example_picture
from ninefold.web.page.halves import Half, chosen_part
from ninefold.web.page.html import Site, render_html
from ninefold.web.page.table import boards_of, face_viewer

ABSENT = (Presence.AWAY, Presence.GONE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What the page of a match has around its scene: where it is found, and who looks at it."""

    id: str
    version: int = 0
    ply: int = 0
    seats: tuple[Seat, ...] = ()  # the ones that this browser holds; both if two people share it
    actor: Seat | None = None  # the one that a button acts for
    covered: Seat | None = None  # whose player has to take the device first
    alone: bool = False  # whether whoever chooses in secret has confirmed that nobody else is looking
    deadline: str | None = None  # when the move is due, in UTC
    next: str | None = None  # the id of the next game
    watching: int = 0
    link: str = ""
    local: bool = False  # whether the link works only on this machine
    name: str = ""  # of whoever uses this browser
    refusal: str = ""  # why something was refused
    half: Half = field(default_factory=dict)  # what has been chosen of a move


def render_scene(site: Site, scene: Scene, around: Around) -> str:
    """The page of a match. Nothing is known here but what the scene shows."""
    scene = face_viewer(scene)
    game, drawing = scene.game, scene.drawing
    chosen = chosen_part(drawing, around.half)
    status = ask_other_half(scene.status, chosen)
    return render_html(
        site,
        "match.html",
        scene=scene,
        around=around,
        players=[(scene.notes[seat], scene.sides[seat]) for seat in scene.order],
        boards=boards_of(scene),
        status=status,
        news=" ".join(scene.news),
        said="\n".join(_announce(scene, status)),
        undone=NEWS[EventKind.TAKEBACK],
        buttons=offered_buttons(drawing, chosen),
        deciding=bool(drawing.buttons)
        or any(spot.number is None and not spot.cells for spot in map(game.spot, game.moves)),
        tags=mark_chosen(dict(scene.tags), chosen),
        waiting=any(one.free for one in scene.notes),
        sample=example_picture(game.slug) if scene.terms else None,
    )


def _announce(scene: Scene, status: str) -> list[str]:
    """What a screen reader says when the page has changed."""
    away = [f"{one.name} is {one.presence}." for one in scene.notes if one.presence in ABSENT]
    hints = [f"{one.name} used {pluralize(one.hints, 'hint')}." for one in scene.notes if one.hints]
    said = [*scene.news, str(scene.ending or status), *away, *hints]
    balance = "" if scene.bar is None else scene.bar.text
    return [*said, *(one.says for one in scene.offers), scene.hint, balance]
