"""Half a move in a URL: a number or a cell, by its kind and its place, as `number` 5 or `cell` 0-4."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ninefold.core.errors import NinefoldError, quote
from ninefold.core.move import Move
from ninefold.show.board import Drawing, Part
from ninefold.show.choosing import CELL, NUMBER, offers, parts_of

HALVES = {"number": NUMBER, "cell": CELL}  # by name in a URL: what the parts' ids begin with

Half = Mapping[str, str]  # the kind of the chosen half and its place; empty if nothing is chosen


def chosen_part(drawing: Drawing, query: Half) -> Part | None:
    """What the query names of a move. Raises NinefoldError if no legal move has it.

    With a number and a cell, it is the cell with the moves that have both.
    """
    chosen = None
    for name, prefix in HALVES.items():
        if wanted := query.get(name):
            moves = offers(drawing, chosen).get(prefix + wanted)
            if not moves:
                raise NinefoldError(f"No move here has the {name} {quote(wanted)}.")
            part = next(part for part in parts_of(drawing) if part.id == prefix + wanted)
            chosen = replace(part, moves=moves)
    # A part with one move is a whole move by itself.
    return chosen if chosen is not None and len(chosen.moves) > 1 else None


def links_of(
    drawing: Drawing, chosen: Part | None, play: Callable[[Move], str], choose: Callable[[Half], str]
) -> dict[str, str]:
    """By part, its link: `play` gives the URL of a whole move, `choose` that of a half.

    The link of the half that is already chosen drops it.
    """
    links = {}
    offered = offers(drawing, chosen)
    for part in parts_of(drawing):
        moves = offered.get(part.id, ())
        if chosen is not None and part.id == chosen.id:
            links[part.id] = choose({})
        elif len(moves) == 1:
            links[part.id] = play(moves[0])
        elif moves:
            both = (part,) if chosen is None or _kind(part) == _kind(chosen) else (chosen, part)
            links[part.id] = choose({_kind(one): one.id.removeprefix(HALVES[_kind(one)]) for one in both})
    return links


def _kind(part: Part) -> str:
    return next(name for name, prefix in HALVES.items() if part.id.startswith(prefix))
