"""Somebody at this terminal who sits at a table: what they can type there besides a move."""

from __future__ import annotations

from collections.abc import Callable

from ninefold.cli.command_words import OFF
from ninefold.cli.console import Console, EndOfInput, show_progress
from ninefold.cli.prompt import Command, MatchChanged, ask_yes_no, leave
from ninefold.cli.voice import Voice
from ninefold.core.errors import NinefoldError
from ninefold.core.seat import Seat
from ninefold.show.scene import Scene
from ninefold.show.values import verdict
from ninefold.table.table import Table


class Seated:
    """A player at a table, wherever its match is kept."""

    console: Console
    voice: Voice
    table: Table
    refusals: type[NinefoldError] = NinefoldError  # what is said and ends nothing

    @property
    def seat(self) -> Seat:
        """Whoever types here now."""
        seat = self.table.sitting.actor
        assert seat is not None, "spectators type nothing"
        return seat

    @property
    def scene(self) -> Scene:
        return self.table.scene()

    def _commands(self, undo: Command, stop: Command, leaving: str) -> dict[str, Command]:
        """What can be typed wherever the match is kept. `leaving` says what becomes of it then."""
        off = "" if self.table.match.hints else OFF
        return {
            "board": Command(lambda: self._speak("", *self.voice.board(self.scene), "")),
            "undo": undo,
            "resign": Command(self._resign),
            "quit": Command(leave, leaving),
            "hint": Command(self._say_hint, off),
            "eval": Command(self._say_value, off),
            **({"stop": stop} if self.table.match.game.endless else {}),
        }

    def _speak(self, *lines: str) -> None:
        self.voice.speak(self.console, *lines)

    def _try(self, act: Callable[[], object]) -> bool:
        """Do something that may need exact values. If it is refused, say why. Whether it was done."""
        show_progress()
        try:
            act()
        except self.refusals as error:
            self.console.say(str(error))
            return False
        return True

    def _resign(self) -> None:
        if self._confirm_resignation() and self._try(lambda: self.table.resign(self.seat)):
            raise MatchChanged

    def _confirm_resignation(self) -> bool:
        """Whether somebody at a terminal really wants to resign. A pipe is not asked: always True."""
        if not self.console.interactive:
            return True
        try:
            return ask_yes_no(self.console, "Resign this game?", "Type y to resign, or n to play on.")
        except EndOfInput:
            return False

    def _say_hint(self) -> None:
        self._try(lambda: self.console.say(f"Hint: {self.table.hint(self.seat)[1]}"))

    def _say_value(self) -> None:
        self._try(lambda: self.console.say(verdict(self.table.value(), self.table.cast)))
