"""A puzzle at the console: the position, what can be answered, and what has come of an answer."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from ninefold.cli.console import Console
from ninefold.core.cast import Cast
from ninefold.core.errors import NinefoldError
from ninefold.core.move import Move
from ninefold.core.puzzles import Task
from ninefold.core.reading import read_move
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.core.view import board_of
from ninefold.core.words import one_of
from ninefold.show.board_text import write_board
from ninefold.show.puzzles import draw_puzzle, list_options, numbers_of, say_amount, say_not_kept
from ninefold.store.files.progress import PuzzleProgress
from ninefold.study.puzzles import Puzzle, Trial, Verdict, try_answers


def how_to_answer(puzzle: Puzzle, cast: Cast, given: Sequence[str] = ()) -> str:
    """How to type the next answer. An example of a move is a wrong one where possible."""
    match puzzle.task:
        case Task.COUNT:
            both = (say_amount(puzzle, number, cast) for number in (5, -5))
            return f"Type an answer like {' or '.join(both)}, or tie."
        case Task.CHANCE:
            return "Type a number like 40."
        case Task.HEAD_START:
            return "Type a number like 5."
        case Task.MIX:
            return f"Type numbers like {' '.join(map(str, numbers_of(puzzle)))}."
    if puzzle.options:
        return f"Type {one_of(puzzle.options)}."
    state = puzzle.state.game.sequence(puzzle.state, try_answers(puzzle, given).path)
    moves = state.moves(puzzle.seat)
    wrong = (one for one in moves if one not in (*puzzle.answers, *puzzle.solution))
    return f"Type a move like {_write(state, puzzle.seat, next(wrong, moves[0]))}."


def _write(state: State[Any], seat: Seat, move: Move) -> str:
    """The shortest text for a move: its number, or the one on its cell, where that is enough."""
    view, spot = state.view(seat), state.game.spot(move)
    number = spot.number
    if number is None and len(spot.cells) == 1:
        number = view.boards[board_of(view, seat)].cells[spot.cells[0]].number
    with suppress(NinefoldError):
        return str(number) if read_move(state, seat, str(number)) == move else str(move)
    return str(move)


class PuzzlePrompt:
    """A puzzle that somebody tries. What comes of it is kept in the progress under this name."""

    def __init__(
        self, console: Console, puzzle: Puzzle, cast: Cast, progress: PuzzleProgress, name: str
    ) -> None:
        self.console, self.puzzle, self.progress, self._name = console, puzzle, progress, name
        self.cast = cast.with_paint(console.painter(cast.player1))
        self.given: list[str] = []  # the right answers so far

    @property
    def trial(self) -> Trial:
        """What has come of them."""
        return try_answers(self.puzzle, self.given)

    @property
    def how(self) -> str:
        """How to type the next one."""
        return how_to_answer(self.puzzle, self.cast, self.given)

    def show_board(self, path: Sequence[Move]) -> None:
        """Show the position after these moves from the puzzle's own on."""
        scene = draw_puzzle(self.puzzle, path, self.cast)
        self.console.recite("", *write_board(scene, self.console.screen), "")

    def list_options(self) -> None:
        for key, said in list_options(self.puzzle):
            self.console.say(f"  {key}: {said}" if said != key else f"  {key}")

    def answer(self, text: str) -> Trial:
        """What comes of the next answer. Raises NinefoldError if it is none."""
        trial = try_answers(self.puzzle, [*self.given, text])
        if trial.verdict is Verdict.WRONG:
            self.note(wrong=str(trial.wrong))
        else:
            self.given.append(text)
        if trial.verdict is Verdict.SOLVED:
            self.note(solved=True)
        return trial

    def note(self, **result: Any) -> None:
        try:
            self.progress.note(self._name, **result)
        except OSError as error:  # it can still be solved
            self.console.warn(say_not_kept(error.strerror or ""))
