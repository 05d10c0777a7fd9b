"""The questions of line mode in our own words, one after the other, until they name a move."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from functools import partial

from ninefold.core.errors import MalformedMove, quote
from ninefold.core.game import Game
from ninefold.core.move import Move
from ninefold.core.reading import names_cells, read_label
from ninefold.core.script import Question, ranges
from ninefold.core.view import Spot, View, board_of
from ninefold.core.words import comma_list, one_of


def chooses_in_secret(view: View) -> bool:
    """Whether both choose in secret now."""
    return bool(view.pending or view.movers[1:])


def ask_part(game: Game, view: View, chosen: tuple[Hashable, ...]) -> Question:
    """The next question: a number, then a cell or a line, then what to do, as far as a move needs it.

    `chosen` are the parts that are known already.
    """
    spots = [game.spot(move) for move in view.moves]
    numbers = sorted({spot.number for spot in spots if spot.number is not None})
    if numbers and not chosen:
        alone = not any(spot.cells for spot in spots)
        whole = "" if alone else f" Or type the whole move, like {view.moves[0]}."
        return Question(
            prompt=f"Number ({ranges(tuple(numbers))}): ",
            allowed=f"Type {one_of(numbers)}.{whole}",
            read=partial(_read_number, game),
            part=lambda move: game.spot(move).number,
            secret=alone and chooses_in_secret(view),
        )
    if any(len(spot.cells) > 1 for spot in spots):
        return _ask_whole(game, "Line: ", view.moves)
    seat = view.movers[0] if view.viewer is None else view.viewer
    board = view.boards[board_of(view, seat)]
    free = sorted({spot.cells[0] for spot in spots if spot.cells})
    by_number = {} if numbers else {str(board.cells[place].number): place for place in free}
    names = [board.cells[place].label for place in free]
    if chosen and isinstance(chosen[-1], tuple):
        return _ask_kind(game, [spot.kind for spot in spots if _place(spot) == chosen[-1]])
    if not free:
        return _ask_whole(game, "Move: ", view.moves)
    number = chosen[0] if chosen else None
    others = [] if numbers else [move for move in view.moves if not game.spot(move).cells]
    also = "".join(f" or {move}" for move in others)
    named = names_cells(game, board)
    if named:
        what, typed = "Number", f"a number: {comma_list(sorted(by_number))}."
    else:
        what, typed = f"Cell{' (row,column)' if ',' in names[0] else ''}", f"a cell: {'  '.join(names)}."
        typed += " Or type the number on it." if any(map(str.isdigit, by_number)) else ""
    return Question(
        prompt=f"{what}{also}: ",
        allowed=f"Type {typed}" + (f" Or {comma_list(others)}." if others else ""),
        read=lambda text: (number, read_label(text, board, by_number, named=named)),
        part=lambda move: _place(game.spot(move)),
        numbered=named,
    )


def _place(spot: Spot) -> tuple[int | None, ...]:
    return (spot.number, *spot.cells)


def _ask_kind(game: Game, kinds: Sequence[str]) -> Question:
    """A question for what to do with a cell, where there are several ways."""
    return Question(
        prompt=f"What to do ({comma_list(kinds)}): ",
        allowed=f"Type {one_of(kinds)}, or the first letters of it.",
        read=lambda text: _read_kind(text, kinds),
        part=lambda move: game.spot(move).kind,
    )


def _read_kind(text: str, kinds: Sequence[str]) -> str:
    word = text.strip().lower()
    found = [kind for kind in kinds if word and kind.startswith(word)]
    if len(found) != 1:
        raise MalformedMove(f"{quote(text)} is not {one_of(kinds)}.")
    return found[0]


def _ask_whole(game: Game, prompt: str, moves: Sequence[Move]) -> Question:
    """A question for one of a few moves as a whole."""
    return Question(
        prompt=prompt,
        allowed=f"Type {one_of(moves)}.",
        read=game.parse,
        part=lambda move: move,
    )


def _read_number(game: Game, text: str) -> int:
    """A number that a move of the game has."""
    known = {spot.number for spot in map(game.spot, game.moves) if spot.number is not None}
    if re.fullmatch(r"\s*[0-9]{1,3}\s*", text, re.ASCII) and int(text) in known:
        return int(text)
    raise MalformedMove(f"{quote(text)} is not a number from {min(known)} to {max(known)}.")
