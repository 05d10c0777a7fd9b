"""Clues to a puzzle's next move, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ninefold.core.move import Move
from ninefold.core.puzzles import Asks
from ninefold.core.view import board_of
from ninefold.core.words import ROWS
from ninefold.show.board import spot_text
from ninefold.show.values import Tag
from ninefold.study.judging import strongest
from ninefold.study.puzzles import Puzzle

WHERE, NUMBER = "Where to look", "Which number"


def list_clues(puzzle: Puzzle, path: Sequence[Move]) -> list[str]:
    """The clues to the next move that can be asked for, the less telling first.

    `path` has the moves so far. There are none where the answer is no move on the board.
    """
    state, seat = puzzle.state.game.sequence(puzzle.state, path), puzzle.seat
    if puzzle.task.asks is not Asks.MOVES or state.secret or seat not in state.movers:
        return []
    legal = [state.game.spot(one) for one in state.moves(seat)]
    where = [WHERE] if len({one.cells for one in legal}) > 1 else []
    return [*where, *([NUMBER] if len({one.number for one in legal}) > 1 else [])]


def tell_clue(puzzle: Puzzle, path: Sequence[Move], clue: str) -> tuple[str, dict[str, Tag]]:
    """One of the listed clues: a sentence, and tags for the parts of the board that it is about."""
    state, seat = puzzle.state.game.sequence(puzzle.state, path), puzzle.seat
    move = strongest(state, seat) if path else puzzle.solution[0]
    view, spot = state.view(seat), state.game.spot(move)
    if clue == NUMBER:
        number = spot.number
        return ("It needs no number." if number is None else f"Use the {number}."), _tag([f"n-{number}"])
    mine = board_of(view, seat)
    board = view.boards[mine]
    said, near = _say_place(spot.cells, board.width, len(board.rows))
    there = (one for one in map(state.game.spot, state.moves(seat)) if near(one.cells))
    return said, _tag(f"c-{spot_text(mine, one)}" for one in there)


def _say_place(
    cells: Sequence[int], width: int, rows: int
) -> tuple[str, Callable[[Sequence[int]], bool]]:
    """Roughly where some cells are, and which cells are there as well."""
    if not cells:
        return "It needs no cell.", lambda other: not other
    if len(cells) > 1:
        across = cells[1] - cells[0] == 1
        return (
            f"It is a {'row' if across else 'column'}.",
            lambda other: len(other) > 1 and (other[1] - other[0] == 1) == across,
        )
    row = cells[0] // width
    name = f"the {ROWS[row]} row" if rows == len(ROWS) else f"row {row + 1}"
    return f"Look at {name}.", lambda other: len(other) == 1 and other[0] // width == row


def _tag(ids: Iterable[str]) -> dict[str, Tag]:
    return {id: Tag(tone="hinted", says="Hint") for id in ids}
