"""Choosing a move by its parts: each cell, line, number and button is a move, or half of one.

A move that has a number and a cell is chosen in two steps, in either order. Where several moves have the
same number and cell, a button decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ninefold.analysis import Choice
from ninefold.core.cast import Cast
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.move import Move
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.core.view import View, board_of
from ninefold.show.board import Drawing, Part, spot_text
from ninefold.show.values import Tag, tag_of

NUMBER, CELL, BUTTON = "n-", "c-", "m-"  # what the ids of parts begin with

NOT_LEGAL = "That is not a legal move here. Choose one of the marked cells or numbers."


def parts_of(drawing: Drawing) -> Iterator[Part]:
    """Everything that can be chosen."""
    yield from drawing.numbers
    yield from drawing.buttons
    for grid in drawing.grids:
        for row in (*grid.rows, grid.row_lines, grid.column_lines):
            yield from row


def offers(drawing: Drawing, chosen: Part | None) -> dict[str, tuple[Move, ...]]:
    """By part, the moves that it can still become, given the half that is chosen, if any.

    A button that only tells apart what a cell or a number can do waits until that is chosen.
    """
    found = {}
    for part in parts_of(drawing):
        moves = part.moves
        half = not _is_button(part) or part.spot or part.numbers
        if chosen is None:
            if _is_button(part) and half:
                continue
        elif half and (_is_button(part) or _is_number(part) != _is_number(chosen)):
            moves = tuple(move for move in moves if move in chosen.moves)
        if moves:
            found[part.id] = moves
    return found


def offered_buttons(drawing: Drawing, chosen: Part | None) -> list[Part]:
    """The buttons that can be pressed now."""
    offered = offers(drawing, chosen)
    return [part for part in drawing.buttons if part.id in offered]


def pick(drawing: Drawing, chosen: Part | None, id: str) -> Part | Move | None:
    """Point at a part. Returns a whole move, the half that is now chosen, or None.

    Pointing at the chosen half again drops it. Raises NinefoldError for a part that no legal move has.
    """
    if chosen is not None and chosen.id == id:
        return None
    part = next(part for part in parts_of(drawing) if part.id == id)
    moves = offers(drawing, chosen).get(id, ())
    if not moves:
        raise NinefoldError(NOT_LEGAL)
    return moves[0] if len(moves) == 1 else replace(part, moves=moves)


def _is_button(part: Part) -> bool:
    return part.id.startswith(BUTTON)


def _is_number(part: Part) -> bool:
    return part.id.startswith(NUMBER)


def ask_other_half(sentence: str, chosen: Part | None) -> str:
    """What to choose now: the game's own sentence, or a question for the other half."""
    if chosen is None:
        return sentence
    if _is_number(chosen):
        return f"Place {'the' if chosen.owner is None else 'your'} {chosen.text}: choose a cell."
    return f"Choose {'a number for' if chosen.numbers else 'what to do with'} cell {chosen.label}."


def _halves_of(state: State[Any], seat: Seat) -> Callable[[Move], tuple[str, str]]:
    """A function that gives the number and the cells of a seat's move, as forms and URLs name them."""
    mine = board_of(state.view(seat), seat)

    def halves(move: Move) -> tuple[str, str]:
        place = state.game.spot(move)
        return "" if place.number is None else str(place.number), spot_text(mine, place)

    return halves


def refusal_of(state: State[Any], seat: Seat, number: str, spot: str) -> str:
    """Why a number, a cell or both cannot be chosen, by the rules.

    A half alone is tried with the other halves that legal moves have.
    """
    halves = _halves_of(state, seat)
    numbers, spots = zip(*map(halves, state.moves(seat)), strict=True)
    for move in state.game.moves:
        its_number, its_spot = halves(move)
        if its_number in ([number] if number else numbers) and its_spot in ([spot] if spot else spots):
            try:
                state.play(move, seat)
            except NinefoldError as error:
                return str(error)
    return NOT_LEGAL


def moves_at(state: State[Any], seat: Seat, number: str, spot: str) -> list[Move]:
    """The legal moves with this number and cell; if there are none, one whose refusal says why."""
    halves = _halves_of(state, seat)
    legal = [move for move in state.moves(seat) if halves(move) == (number, spot)]
    if found := legal or [move for move in state.game.moves if halves(move) == (number, spot)][:1]:
        return found
    if spot and not number:
        raise NinefoldError("Choose a number first, then a cell.")
    raise NinefoldError(NOT_LEGAL)


def tags_of(
    drawing: Drawing, chosen: Part | None, choices: Sequence[Choice], cast: Cast
) -> dict[str, Tag]:
    """By part, the tag of the best move that it can become. `choices` are best first."""
    tags = {}
    for id, moves in offers(drawing, chosen).items():
        best = next((choice for choice in choices if choice.move in moves), None)
        if best is not None:
            tags[id] = tag_of(best, cast)
    return mark_chosen(tags, chosen)


def tag_hint(game: Game, view: View, seat: Seat, move: Move) -> dict[str, Tag]:
    """By part, a tag on what to choose for the move that a hint names."""
    spot = game.spot(move)
    ids = [
        f"{CELL}{spot_text(board_of(view, seat), spot)}",
        f"{NUMBER}{spot.number}",
        f"{BUTTON}{game.index(move)}",
    ]
    return {id: Tag(tone="hinted", says="Hint") for id in ids}


def mark_chosen(tags: dict[str, Tag], chosen: Part | None) -> dict[str, Tag]:
    """The tags with the chosen half marked as such."""
    if chosen is None:
        return tags
    tag = tags.get(chosen.id, Tag())
    says = f"Chosen. {tag.says}" if tag.says else "Chosen"
    return {**tags, chosen.id: replace(tag, chosen=True, says=says)}
