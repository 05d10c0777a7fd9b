"""What lies beside the boards, as text: players and their numbers, what both share, moves, the bar."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from textual.content import Content
from textual.style import Style

from ninefold.core.seat import Seat
from ninefold.core.words import pluralize
from ninefold.show.board import Part
from ninefold.show.choosing import offered_buttons
from ninefold.show.layout import width_of, wrap
from ninefold.show.scene import Scene
from ninefold.show.sides import Side, Token
from ninefold.show.values import Bar, bar_length

CELLS = "cells"  # the key of the panel that says how many cells a seat holds, which is said with the name
INDENT = 3  # columns before a player's numbers, where there is room
LEAD = 5  # columns before the text of a turn, besides its mark in a review
GAP = 2  # columns between the columns of moves


@dataclass(frozen=True, slots=True)
class Notes:
    """What a screen knows beyond the position."""

    seats: Mapping[Seat, str] = field(default_factory=dict)  # at the right of a player: "your turn"
    movers: tuple[Seat, ...] = ()  # whose names are pointed out
    bar: Bar | None = None
    at: int | None = None  # the number of the move that is looked at
    marks: Mapping[int, str] = field(default_factory=dict)  # by number, a mark at a move
    picked: frozenset[str] = frozenset()  # the parts chosen so far, where several can be


def describe(
    scene: Scene, chosen: Part | None, cursor: str, notes: Notes, width: int, rows: int
) -> Content:
    """Everything beside the boards in so many rows; of the moves, the latest that have room.

    `cursor` is the id of the button that has it, if one does.
    """
    buttons = [_button(one, cursor) for one in offered_buttons(scene.drawing, chosen)]
    parts = [*_parts(scene, chosen, notes, width, "\n"), *buttons]
    if _height(parts) > rows:  # a line for each player then
        parts = [*_parts(scene, chosen, notes, width, " "), *buttons]
    if _height(parts) > rows:  # what is out of sight is the other player's
        far, shared = parts[0], int(bool(scene.pool.numbers or scene.pool.panels))
        if scene.view.viewer is scene.order[0]:
            parts = [*parts[1 : 1 + shared], far, *parts[1 + shared :]]
        else:
            parts = [*parts[1:], far]
    gap = 2 if _height(parts) + len(parts) <= rows else 1  # in little room, there is nothing between
    left = rows - _height(parts) - len(parts) * (gap - 1)
    if scene.turns and left > 0:
        parts.append(_moves(scene, notes, width, left))
    return Content("\n" * gap).join(parts)


def _parts(scene: Scene, chosen: Part | None, notes: Notes, width: int, between: str) -> list[Content]:
    def side(one: Side) -> list[Content]:
        room = width if between == "\n" else 0
        return _side(one, chosen, notes.picked, room, shared=one is scene.pool)

    far, near = (
        Content(between).join(
            [_player(scene, seat, notes, width if between == "\n" else 0), *side(scene.sides[seat])]
        )
        for seat in scene.order
    )
    pool = Content(between).join(side(scene.pool))
    return [far, *([pool] if pool else []), near, *([_bar(notes.bar, width)] if notes.bar else [])]


def _height(parts: list[Content]) -> int:
    return sum(part.plain.count("\n") + 1 for part in parts)


def _player(scene: Scene, seat: Seat, notes: Notes, width: int) -> Content:
    mark, note = scene.cast.mark(seat), notes.seats.get(seat, "")
    head = f"{'▶' if seat in notes.movers else ' '}{mark}  {scene.cast.subject(seat)}"
    if scene.view.panel(CELLS, seat) is not None:
        head += f", {pluralize(scene.view.number(CELLS, seat), 'cell')}"
    if note and width:
        room = width - width_of(head)
        head += note.rjust(room) if width_of(note) < room else f"\n{' ' * (INDENT + 1)}{note}"
    return Content.styled(head, "bold $x" if mark == "X" else "bold $o")


def _side(
    side: Side, chosen: Part | None, picked: frozenset[str], width: int, *, shared: bool = False
) -> list[Content]:
    """The numbers in their places, and everything else; indented where there is room."""
    lines = []
    if side.numbers:
        title = f" {side.title}" if shared and side.title else ""
        tight = not width or (bool(title) and len(title) + 3 * len(side.numbers) > width)
        tokens = Content("").join(_token(one, chosen, picked, tight=tight) for one in side.numbers)
        if title and (not width or len(title) + len(tokens) <= width):
            lines.append(Content(title) + tokens)
        else:
            lines.append(tokens.pad_left(min(max(width - len(tokens), 0), INDENT)))
    indent = " " * (INDENT + 1 if width else 1)
    others = (one for one in side.panels if one.key != CELLS)
    panels = (wrap(f"{indent}{one.title}: {one.text}", width or None, hang=2) for one in others)
    return [*lines, *(Content("\n".join(panel)) for panel in panels)]


def _token(token: Token, chosen: Part | None, picked: frozenset[str], *, tight: bool = False) -> Content:
    """A number to choose, or that it is gone; in brackets if it is chosen, with a check if picked.

    It takes three columns, or two where it is `tight`.
    """
    end = "" if tight else " "
    if not token.left:
        return Content.styled(f" ·{end}", "dim")
    if token.part is None:
        return Content(f"({token.number})" if token.secret else f" {token.number}{end}")
    mine = chosen is not None and chosen.id == token.part.id
    style = Style(bold=True, reverse=mine, underline=not mine) + Style.from_meta({"part": token.part.id})
    before = "✓" if token.part.id in picked else "[" if mine else " "
    if mine:
        return Content.assemble((f"{before}{token.number}{'' if tight else ']'}", style))
    return Content.assemble(before, (str(token.number), style), end)


def _button(part: Part, cursor: str) -> Content:
    """A move to choose by its name; in brackets if it has the cursor."""
    mine = part.id == cursor
    style = Style(bold=True, reverse=mine, underline=not mine) + Style.from_meta({"part": part.id})
    return Content.assemble(("[" if mine else " "), (part.text, style), ("]" if mine else " "))


def _bar(bar: Bar, width: int) -> Content:
    """Who is winning: Player 1's part of the bar is solid."""
    room = max(min(width - 6, 24), 4)
    (first, second), share = bar.marks, bar.first
    if first == "O":  # Player 1 is always at the left
        first, second, share = second, first, 100 - share
    full = bar_length(share / 100, room)
    drawn = f" {first} {'█' * full}{'░' * (room - full)} {second}"
    return Content("\n".join([drawn, *wrap(f" {bar.text}", width)]))


def _moves(scene: Scene, notes: Notes, width: int, rows: int) -> Content:
    """The turns in words, in columns, down each column first; the earliest are left out."""
    marks = max(map(len, notes.marks.values()), default=1)
    said, at, before = [], len(scene.turns), 0
    for number, (last, seat, text) in enumerate(scene.turns, 1):
        here = notes.at is not None and before < notes.at <= last
        mark = next((notes.marks[k] for k in range(before + 1, last + 1) if k in notes.marks), "")
        said.append(f"{'▸' if here else ' '}{number:2}{mark:{marks}}{scene.cast.mark(seat)} {text}")
        at, before = number if here else at, last
    if notes.at == 0:
        at = 0
    if max(map(width_of, said)) > width:
        return _lines(_wrap_moves(said, LEAD + marks, at, width, rows))
    column = max(map(width_of, said)) + GAP
    room = rows * max(width // column, 1)
    skip = 0
    if len(said) > room:
        skip = min(max(at - room // 2, 0), len(said) - room)
    shown = said[skip : skip + room]
    height = min(rows, len(shown))
    lines = ("".join(f"{one:{column}}" for one in shown[row::height]).rstrip() for row in range(height))
    return _lines(lines)


def _wrap_moves(said: Sequence[str], lead: int, at: int, width: int, rows: int) -> Iterator[str]:
    """Turns that are too long for a line: as many as have room, around number `at`, the earlier first.

    Their texts begin after `lead` columns, also on the second line.
    """
    wrapped = [wrap(one, width, hang=lead - (len(one) - len(one.lstrip(" ")))) for one in said]
    first = last = min(max(at - 1, 0), len(wrapped) - 1)
    room = rows - len(wrapped[first])
    while True:
        if first > 0 and len(wrapped[first - 1]) <= room:
            first -= 1
            room -= len(wrapped[first])
        elif last + 1 < len(wrapped) and len(wrapped[last + 1]) <= room:
            last += 1
            room -= len(wrapped[last])
        else:
            return chain.from_iterable(wrapped[first : last + 1])


def _lines(lines: Iterable[str]) -> Content:
    return Content("\n".join(lines))
