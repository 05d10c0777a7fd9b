"""One match at this terminal: ask people for moves, and say what was played."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

from ninefold.cli.command_words import NOT_NOW, OFF
from ninefold.cli.console import Console, show_progress
from ninefold.cli.prompt import (
    Command,
    MatchChanged,
    ask_move,
    ask_yes_no,
    confirm_move,
    confirm_resignation,
    leave,
)
from ninefold.cli.voice import voice_for
from ninefold.core.errors import NinefoldError
from ninefold.core.seat import Seat
from ninefold.match.sitting import Deed
from ninefold.show.offers import TAKEN_BACK, say_refusal, say_stop_offer
from ninefold.show.values import verdict
from ninefold.table.file import FileTable

NO_HINTS = "Hints are off in this game."


class LocalMatch:
    """A match between people at this terminal and computers."""

    def __init__(self, console: Console, table: FileTable) -> None:
        self.console = console
        self.table = table
        table.covers = False  # what is typed in secret is not shown
        table.paint = console.painter(table.match.players[0].seat)
        self.voice = voice_for(table.match, console.screen, own=console.own_voice)
        self._unsaved = False  # whether it was said that the match cannot be saved

    def run(self, *, resumed: bool = False) -> None:
        """Play until the game is over. Raises Quit, EndOfInput or KeyboardInterrupt before that."""
        self._report_saving()
        begin = self.voice.board if resumed else self.voice.opening
        self._speak(*begin(self.table.scene()))
        while not self.table.over:
            try:
                self._play_move()
            except MatchChanged:
                self._report_saving()
        self._speak("", *self.voice.ending(self.table.scene()))

    def _speak(self, *lines: str) -> None:
        self.voice.speak(self.console, *lines)

    def _play_move(self) -> None:
        table, seat, before = self.table, self.table.mover, len(self.table.match.played)
        if table.computer is not None or seat is None:
            self._let_computer_move()
        else:
            state, commands = table.match.state, self._commands(seat)
            move = ask_move(self.console, self.voice, table.scene(), state, commands)
            if not confirm_move(self.console, table, seat, move):
                return
            table.play(seat, move)
        self._report_saving()
        match = table.match
        if len(match.played) > before:  # a computer that failed has not moved
            board = table.you is None or table.computer is None  # else it comes after its move
            viewer = table.sitting.viewer
            self._speak(*self.voice.told(match.states, match.played, viewer, table.cast, board=board))

    def _let_computer_move(self) -> None:
        computer = self.table.computer
        if self.console.interactive and computer is not None:
            self.console.say("", f"{self.table.cast.subject(computer)} is thinking...")
        show_progress()
        self.table.think(Event() if self.console.interactive else None)

    def _commands(self, seat: Seat) -> dict[str, Command]:
        match, refused = self.table.match, Command(lambda: self.console.say(NO_HINTS), OFF)
        return {
            "board": Command(lambda: self._speak("", *self.voice.board(self.table.scene()), "")),
            "undo": Command(lambda: self._undo(seat), "" if self.table.allows(Deed.UNDO) else NOT_NOW),
            "resign": Command(lambda: self._resign(seat)),
            "quit": Command(leave, "leave; the match is saved, and `ninefold resume` continues it"),
            "hint": Command(lambda: self._say_hint(seat)) if match.hints else refused,
            "eval": Command(self._say_value) if match.hints else refused,
            **({"stop": Command(lambda: self._offer_stop(seat))} if match.game.endless else {}),
        }

    def _resign(self, seat: Seat) -> None:
        if confirm_resignation(self.console):
            self.table.resign(seat)
            raise MatchChanged

    def _offer_stop(self, seat: Seat) -> None:
        """Offer to stop. A person is asked; a computer decides by the position."""
        table, other = self.table, seat.other
        if other in table.people:
            again = "Type y to stop the game without a winner, or n to play on."
            if not ask_yes_no(self.console, say_stop_offer(seat, table.cast), again):
                self.console.say(say_refusal(other, table.cast, computer=False))
                return
        if self._try(lambda: table.stop(seat)):
            raise MatchChanged

    def _undo(self, seat: Seat) -> None:
        if self._try(lambda: self.table.undo(seat)):
            self.console.say(TAKEN_BACK, "")
            self._speak(*self.voice.board(self.table.scene()))
            raise MatchChanged

    def _say_hint(self, seat: Seat) -> None:
        self._try(lambda: self.console.say(f"Hint: {self.table.hint(seat)[1]}"))

    def _say_value(self) -> None:
        self._try(lambda: self.console.say(verdict(self.table.value(), self.table.cast)))

    def _try(self, act: Callable[[], object]) -> bool:
        """Do something that may need exact values. If it is refused, say why. Whether it was done."""
        show_progress()
        try:
            act()
        except NinefoldError as error:
            self.console.say(str(error))
            return False
        return True

    def _report_saving(self) -> None:
        """Say once that the match cannot be saved, and once that it can again."""
        unsaved = self.table.unsaved
        if unsaved and not self._unsaved:
            self.console.warn(
                f"ninefold: the match cannot be saved ({unsaved}: {self.table.saved.path}). "
                "The game goes on, and each move tries again."
            )
        elif self._unsaved and not unsaved:
            self.console.warn("ninefold: the match is saved again.")
        self._unsaved = bool(unsaved)
