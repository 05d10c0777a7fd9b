"""How line mode talks: in our own voice, which draws scenes, or in a rule book's words."""

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


@dataclass(frozen=True)
class Voice:
    """Our own voice: to one person, or about two by name. No line ends with a newline."""

    screen: Screen = SCREEN

    def speak(self, console: Console, *lines: str) -> None:
        console.say(*lines)

    def opening(self, scene: Scene) -> Lines:
        movers = scene.view.movers
        starts = f"{scene.cast.subject_does(movers[0], 'start')}." if len(movers) == 1 else "Both choose."
        return [f"{scene.game.title}. {scene.game.summary}", "", *self.board(scene), "", starts]

    def board(self, scene: Scene) -> Lines:
        return write_board(scene, self.screen)

    def turn(self, scene: Scene) -> Lines:
        """What comes before the viewer is asked for a move."""
        view, cast = scene.view, scene.cast
        away = ""
        if view.viewer is not None and cast.you is None and chooses_in_secret(view):
            away = f" {cast.name(view.viewer.other)}, please look away."
        return [f"{scene.title}. {scene.status}{away}"]

    def question(self, scene: Scene, chosen: tuple[Hashable, ...]) -> Question:
        """What is asked after the parts of a move that were chosen already."""
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
        """What comes after the last of these moves; the `board` only if nothing is still to be revealed.

        Whoever is asked for a secret choice next learns from that question what it is about.
        """
        scene = scene_of(states, played, viewer, cast, (), listed=1)
        if scene.unfinished and viewer in scene.view.movers:
            return []
        drawn = ["", *self.board(scene)] if board and not scene.unfinished else []
        return ["", scene.news[-1], *drawn]

    def ending(self, scene: Scene) -> Lines:
        assert scene.ending is not None
        return scene.ending.lines


@dataclass(frozen=True, kw_only=True)
class Book(Voice):
    """The words of a rule book, for two people at one screen."""

    script: Script

    def speak(self, console: Console, *lines: str) -> None:
        console.recite(*lines)

    def opening(self, scene: Scene) -> Lines:
        return self.script.opening(scene.view, scene.cast)

    def board(self, scene: Scene) -> Lines:
        return self.script.board(scene.view, scene.cast)

    def turn(self, scene: Scene) -> Lines:
        return self.script.turn(scene.view, scene.cast)

    def question(self, scene: Scene, chosen: tuple[Hashable, ...]) -> Question:
        return self.script.question(scene.view, scene.cast, chosen)

    def told(
        self,
        states: Sequence[State[Any]],
        played: Sequence[Played],
        viewer: Seat | None,
        cast: Cast,
        *,
        board: bool = True,
    ) -> Lines:
        """What the book says after the last of these moves, mostly with the board."""
        script = self.script
        return tell(states, played, viewer, cast, script.chosen, script.made, script.revealed)

    def ending(self, scene: Scene) -> Lines:
        """The book's announcement. It has none for a match that was cut short."""
        by_rules = scene.view.outcome is not None
        return self.script.ending(scene.view, scene.cast) if by_rules else super().ending(scene)


def find_book(game: Game, screen: Screen, *, people: bool, own: bool) -> Script | None:
    """The rule book to speak with: between two people at one screen, unless they have chosen our `own`.

    The books draw boards, so it is always ours with a screen reader.
    """
    return game.script if people and not (screen.plain or own) else None


def voice_for(match: Match, screen: Screen = SCREEN, *, own: bool = False) -> Voice:
    """The voice for a match at one screen."""
    people = all(player.kind == PERSON for player in match.players)
    book = find_book(match.game, screen, people=people, own=own)
    return Voice(screen) if book is None else Book(screen, script=book)
