"""One match at this terminal: ask people for moves, and say what was played."""

from __future__ import annotations

from threading import Event

from ninefold.cli.command_words import NOT_NOW
from ninefold.cli.console import Console, show_progress
from ninefold.cli.prompt import (
    Command,
    MatchChanged,
    ask_move,
    ask_yes_no,
    confirm_move,
)
from ninefold.cli.seated import Seated
from ninefold.cli.voice import voice_for
from ninefold.match.sitting import Deed
from ninefold.show.offers import TAKEN_BACK, say_refusal, say_stop_offer
from ninefold.table.file import FileTable


class LocalMatch(Seated):
    """A match between people at this terminal and computers."""

    table: FileTable

    def __init__(self, console: Console, table: FileTable) -> None:
        self.console, self.table = console, table
        table.covers = False  # what is typed in secret is not shown
        table.paint = console.painter(table.match.players[0].seat)
        self.voice = voice_for(table.match, console.screen, own=console.own_voice)
        self._unsaved = False  # whether it was said that the match cannot be saved

    def run(self, *, resumed: bool = False) -> None:
        """Play until the game is over. Raises Quit, EndOfInput or KeyboardInterrupt before that."""
        self._report_saving()
        begin = self.voice.board if resumed else self.voice.opening
        self._speak(*begin(self.scene))
        while not self.table.over:
            try:
                self._play_move()
            except MatchChanged:
                self._report_saving()
        self._speak("", *self.voice.ending(self.scene))

    def _play_move(self) -> None:
        table, seat, before = self.table, self.table.mover, len(self.table.match.played)
        if table.computer is not None or seat is None:
            self._let_computer_move()
        else:
            state, commands = table.match.state, self._own_commands()
            move = ask_move(self.console, self.voice, self.scene, state, commands)
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

    def _own_commands(self) -> dict[str, Command]:
        undo = Command(self._undo, "" if self.table.allows(Deed.UNDO) else NOT_NOW)
        leaving = "leave; the match is saved, and `ninefold resume` continues it"
        return self._commands(undo, Command(self._offer_stop), leaving)

    def _offer_stop(self) -> None:
        """Offer to stop. A person is asked; a computer decides by the position."""
        table, seat = self.table, self.seat
        if seat.other in table.people:
            again = "Type y to stop the game without a winner, or n to play on."
            if not ask_yes_no(self.console, say_stop_offer(seat, table.cast), again):
                self.console.say(say_refusal(seat.other, table.cast, computer=False))
                return
        if self._try(lambda: table.stop(seat)):
            raise MatchChanged

    def _undo(self) -> None:
        if self._try(lambda: self.table.undo(self.seat)):
            self.console.say(TAKEN_BACK, "")
            self._speak(*self.voice.board(self.scene))
            raise MatchChanged

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
