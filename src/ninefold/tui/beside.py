"""What lies beside the boards, as text: players and their numbers, what both share, moves, the bar."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from textual.content import Content
from textual.style import Style

from ninefold.core.seat import Seat
from ninefold.show.board import Part
from ninefold.show.layout import width_of, wrap
from ninefold.show.scene import Scene
from ninefold.show.sides import Side, Token
from ninefold.show.values import Bar

GAP = 2  # columns between the columns of moves


@dataclass(frozen=True, slots=True)
class Notes:
    """What a screen knows beyond the position."""

    seats: Mapping[Seat, str] = field(default_factory=dict)  # at the right of a player: "your turn"
    movers: tuple[Seat, ...] = ()  # whose names are pointed out
    bar: Bar | None = None
    at: int | None = None  # the number of the move that is looked at
    marks: Mapping[int, str] = field(default_factory=dict)  # by number, a mark at a move


def describe(scene: Scene, chosen: Part | None, notes: Notes, width: int, rows: int) -> Content:
    """Everything beside the boards in so many rows; of the moves, the latest that have room."""
    far, near = scene.order
    parts = [
        _player(scene, far, chosen, notes, width),
        *([_side(scene.pool, chosen)] if scene.pool.numbers or scene.pool.panels else []),
        _player(scene, near, chosen, notes, width),
    ]
    if notes.bar is not None:
        parts.append(_bar(notes.bar, width))
    height = sum(part.plain.count("\n") + 1 for part in parts)
    gap = 2 if height + len(parts) <= rows else 1  # in little room, there is nothing between
    left = rows - height - len(parts) * (gap - 1)
    if scene.moves and left > 0:
        parts.append(_moves(scene, notes, width, left))
    return Content("\n" * gap).join(parts)


def _player(scene: Scene, seat: Seat, chosen: Part | None, notes: Notes, width: int) -> Content:
    cast = scene.cast
    name = cast.subject(seat)
    head = f"{'▶' if seat in notes.movers else ' '}{cast.mark(seat)}  {name}"
    note = notes.seats.get(seat, "")
    head += note.rjust(max(width - width_of(head), width_of(note) + 1)) if note else ""
    title = Content.styled(head, "bold " + _color(cast.mark(seat)))
    below = _side(scene.sides[seat], chosen)
    return Content("\n").join([title, below]) if below.plain else title


def _color(mark: str) -> str:
    return "$x" if mark == "X" else "$o"


def _side(side: Side, chosen: Part | None) -> Content:
    """The numbers in their places, and a line for everything else."""
    lines = []
    if side.numbers:
        lines.append(Content("").join([Content("   "), *(_token(one, chosen) for one in side.numbers)]))
    lines += [Content(f"    {panel.title}: {panel.text}") for panel in side.panels]
    return Content("\n").join(lines)


def _token(token: Token, chosen: Part | None) -> Content:
    """A number to choose, or that it is gone; brackets around the one that is chosen."""
    if not token.left:
        return Content.styled(" · ", "dim")
    if token.part is None:
        return Content(f"({token.number})" if token.secret else f" {token.number} ")
    mine = chosen is not None and chosen.id == token.part.id
    style = Style(bold=True, reverse=mine, underline=not mine) + Style.from_meta({"part": token.part.id})
    return Content.assemble((f"[{token.number}]", style)) if mine else _offered(str(token.number), style)


def _offered(text: str, style: Style) -> Content:
    return Content.assemble(" ", (text, style), " ")


def _bar(bar: Bar, width: int) -> Content:
    """Who is winning: the first player's part of the bar is solid."""
    room = max(min(width - 6, 24), 4)
    full = round(bar.first * room / 100)
    if 0 < bar.first < 100:  # never looks certain unless it is
        full = min(max(full, 1), room - 1)
    first, second = bar.marks
    drawn = f" {first} {'█' * full}{'░' * (room - full)} {second}"
    return Content("\n".join([drawn, *wrap(f" {bar.text}", width)]))


def _moves(scene: Scene, notes: Notes, width: int, rows: int) -> Content:
    """The moves in words, in columns, down each column first; the earliest are left out."""
    said = [
        f"{'▸' if number == notes.at else ' '}{number:2} {scene.cast.mark(seat)} {text}"
        + notes.marks.get(number, "")
        for number, (seat, text) in enumerate(scene.moves, 1)
    ]
    column = max(map(width_of, said)) + GAP
    room = rows * max(width // column, 1)
    skip = 0
    if len(said) > room:
        at = len(said) if notes.at is None else notes.at
        skip = min(max(at - room // 2, 0), len(said) - room)
    shown = said[skip : skip + room]
    height = min(rows, len(shown))
    lines = ("".join(f"{one:{column}}" for one in shown[row::height]).rstrip() for row in range(height))
    return _lines(lines)


def _lines(lines: Iterable[str]) -> Content:
    return Content("\n".join(lines))
