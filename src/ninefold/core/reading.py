"""What somebody means by a text in a position: a whole move, or the cell or the number of one alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ninefold.core.errors import MalformedMove, quote
from ninefold.core.game import Game
from ninefold.core.grid import POSITION, say_misread
from ninefold.core.move import Move
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.core.view import Board, board_of
from ninefold.core.words import comma_list


def names_cells(game: Game, board: Board) -> bool:
    """Whether the numbers on a board name its cells: each has one, and is chosen by pointing alone."""
    numbers = {cell.number for cell in board.cells}
    spots = [game.spot(move) for move in game.moves]
    alone = any(len(spot.cells) == 1 for spot in spots) and all(spot.number is None for spot in spots)
    return alone and None not in numbers and len(numbers) == len(board.cells)


def read_label(text: str, board: Board, by_number: Mapping[str, int], *, named: bool = False) -> int:
    """The cell of a label, however row and column are written, or of the number on it.

    Where cells are `named` by their numbers, digits alone are never a row and a column.
    """
    typed = text.strip().lower()
    digits = _is_digits(typed)
    labels = {cell.label.lower(): place for place, cell in enumerate(board.cells)}
    if not (named and digits) and (position := POSITION.fullmatch(typed)):
        typed = f"{position[1]},{position[2]}" if f"{position[1]},{position[2]}" in labels else typed
    for cells in (labels, by_number):
        if typed in cells:
            return cells[typed]
    first, last = board.cells[0].label, board.cells[-1].label
    if digits and len(typed) == 1 and any(map(_is_digits, by_number)):
        raise MalformedMove(f"There is no {typed} on {'the' if board.owner is None else 'your'} grid.")
    if named and (digits or not any(map(str.isdigit, typed))):
        raise not_a_number(text)
    if "," in first:
        raise MalformedMove(say_misread(text, f"The cells go from {first} to {last}."))
    off = " on the grid. The cells go from {first} to {last}" if digits else " a cell"
    raise MalformedMove(f"{quote(text)} is not{off.format(first=first, last=last)}.")


def not_a_number(text: str) -> MalformedMove:
    """What is raised for a text that is not the number on a cell, where numbers name the cells."""
    return MalformedMove(f"{quote(text)} is not a number on the grid.")


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


def find_pointed_at(state: State[Any], seat: Seat, text: str) -> tuple[Move, ...]:
    """The moves that a cell's label, or the number on the cell, stands for by itself.

    If none of them is legal, it is one whose refusal says why. Where no legal move is a cell alone, there
    is none. Raises MalformedMove for a number that no cell has where cells are numbered.
    """
    kinds = {type(move) for move in state.moves(seat)}
    spots = {move: state.game.spot(move) for move in state.game.moves if type(move) in kinds}
    alone = [move for move, spot in spots.items() if spot.number is None and len(spot.cells) == 1]
    view = state.view(seat)
    board = view.boards[board_of(view, seat)]
    wanted = text.strip().lower()
    if alone and wanted.isdigit() and board.cells[0].label.isdigit():
        places = [read_label(text, board, {})]
    else:
        named = ((cell.label.lower(), str(cell.number)) for cell in board.cells)
        places = [place for place, names in enumerate(named) if wanted in names]
    found = [move for move in alone if spots[move].cells[0] in places]
    legal = [move for move in found if move in state.moves(seat)]
    return tuple(legal or found[:1])


def read_move(state: State[Any], seat: Seat, text: str) -> Move:
    """The move that was typed: as a whole, by its cell or its number alone, or by its kind.

    A kind is enough where all legal moves of it count as one, such as `claim` where the cell does not
    matter. Raises MalformedMove.
    """
    game, typed = state.game, text.strip().lower()
    spots = {move: game.spot(move) for move in state.moves(seat)}
    alone: dict[str, Move] = {str(spot.number): move for move, spot in spots.items() if not spot.cells}
    if typed in alone:
        return alone[typed]
    if typed.isdigit() and len(alone) == len(spots):
        raise MalformedMove(f"You have no {typed}. Your numbers: {comma_list(alone)}.")
    alike: list[Move] = [move for move, spot in spots.items() if spot.kind and spot.kind == typed]
    if alike and len({game.puzzles.same(move) for move in alike}) == 1:
        return alike[0]
    pointed = find_pointed_at(state, seat, text)
    if len(pointed) == 1:
        return pointed[0]
    view = state.view(seat)
    if _is_digits(typed) and names_cells(game, view.boards[board_of(view, seat)]):
        raise not_a_number(text)
    return game.parse(text)
