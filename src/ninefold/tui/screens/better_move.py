"""Find the better move: the position before a mistake, to try again."""

from __future__ import annotations

from ninefold.core.cast import Cast
from ninefold.match import Match
from ninefold.show.moves import capitalize, say_place
from ninefold.show.reviews import ask_better_move
from ninefold.study.puzzles.better import make_better
from ninefold.study.puzzles.labels import Label
from ninefold.study.reviews import Judged
from ninefold.tui.screens.puzzle import Solving


class BetterMove(Solving):
    """A puzzle that has no name, is not kept, and is not followed by another."""

    def __init__(self, match: Match, one: Judged, cast: Cast) -> None:
        super().__init__(Label(), make_better(match, one))
        self.cast = cast
        self._question = capitalize(ask_better_move(match, one, cast))
        self._turn = say_place(match, one.number)

    def _title(self) -> str:
        return self._turn

    def _ask(self) -> str:
        return self._question

    def _say_progress(self) -> str:
        return self._question

    def _note(self, *, wrong: str | None = None, solved: bool = False, shown: bool = False) -> list[str]:
        return []

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action not in ("share", "next") and super().check_action(action, parameters)
