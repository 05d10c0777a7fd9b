"""How line mode talks: in our own voice, which draws scenes, or in the words of a rule `book`."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from ninefold.cli.console import Console
from ninefold.cli.questions import ask_part, chooses_in_secret
from ninefold.core.cast import Cast
from ninefold.core.game import Game
from ninefold.core.script import Lines, Question, Script
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.core.turns import Played
from ninefold.match import Match
from ninefold.players import PERSON
from ninefold.show.board_text import write_board
from ninefold.show.layout import Screen
from ninefold.show.moves import tell
from ninefold.show.scene import Scene, scene_of

SCREEN = Screen()  # with the default width


@dataclass(frozen=True, slots=True)
class Voice:
    """Our own voice, to one person or about two by name; or a book's. No line ends with a newline."""

    screen: Screen = SCREEN
    book: Script | None = None

    def speak(self, console: Console, *lines: str) -> None:
        """Print lines; a book's are left as they are."""
        (console.say if self.book is None else console.recite)(*lines)

    def opening(self, scene: Scene) -> Lines:
        """What comes before the first move."""
        if self.book is not None:
            return self.book.opening(scene.view, scene.cast)
        movers = scene.view.movers
        starts = f"{scene.cast.subject_does(movers[0], 'start')}." if len(movers) == 1 else "Both choose."
        return [f"{scene.game.title}. {scene.game.summary}", "", *self.board(scene), "", starts]

    def board(self, scene: Scene) -> Lines:
        if self.book is not None:
            return self.book.board(scene.view, scene.cast)
        return write_board(scene, self.screen)

    def turn(self, scene: Scene) -> Lines:
        """What comes before the viewer is asked for a move."""
        view, cast, away = scene.view, scene.cast, ""
        if self.book is not None:
            return self.book.turn(view, cast)
        if view.viewer is not None and cast.you is None and chooses_in_secret(view):
            away = f" {cast.name(view.viewer.other)}, please look away."
        return [f"{scene.title}. {scene.status}{away}"]

    def question(self, scene: Scene, chosen: tuple[Hashable, ...]) -> Question:
        """What is asked after the parts of a move that were chosen already."""
        if self.book is not None:
            return self.book.question(scene.view, scene.cast, chosen)
        return ask_part(scene.game, scene.view, chosen)

    def told(
        self,
        states: Sequence[State[Any]],
        played: Sequence[Played],
        viewer: Seat | None,
        cast: Cast,
        *,
        board: bool = True,
    ) -> Lines:
        """What comes after the last of these moves; our own `board` once nothing is to be revealed.

        Whoever is asked for a secret choice next learns from that question what it is about.
        """
        if (book := self.book) is not None:
            return tell(states, played, viewer, cast, book.chosen, book.made, book.revealed)
        scene = scene_of(states, played, viewer, cast, (), listed=1)
        if scene.unfinished and viewer in scene.view.movers:
            return []
        drawn = ["", *self.board(scene)] if board and not scene.unfinished else []
        return ["", scene.news[-1], *drawn]

    def ending(self, scene: Scene) -> Lines:
        """How the match ended. The books have no lines for one that was cut short."""
        if self.book is not None and scene.view.outcome is not None:
            return self.book.ending(scene.view, scene.cast)
        assert scene.ending is not None
        return scene.ending.lines


def find_book(game: Game, screen: Screen, *, people: bool, own: bool) -> Script | None:
    """The rule book to speak with: between two people at one screen, unless they have chosen our `own`.

    The books draw boards, so it is always ours with a screen reader.
    """
    return game.script if people and not (screen.plain or own) else None


def voice_for(match: Match, screen: Screen = SCREEN, *, own: bool = False) -> Voice:
    """The voice for a match at one screen."""
    people = all(player.kind == PERSON for player in match.players)
    return Voice(screen, find_book(match.game, screen, people=people, own=own))
