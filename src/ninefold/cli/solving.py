"""A puzzle at the console: the position, what can be answered, and what has come of an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ninefold.cli.console import Console
from ninefold.core.cast import Cast
from ninefold.core.move import Move
from ninefold.show.board_text import write_board
from ninefold.show.puzzles import draw_puzzle, how_to_answer, list_options, say_not_kept
from ninefold.store.files.progress import PuzzleProgress
from ninefold.study.puzzles import Puzzle, Trial, Verdict, try_answers


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
