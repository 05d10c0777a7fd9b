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
from ninefold.core.errors import NinefoldError
from ninefold.core.seat import Seat
from ninefold.match.sitting import Deed
from ninefold.show.offers import TAKEN_BACK, say_refusal, say_stop_offer
from ninefold.show.talk import ending_lines, script_for, tell_made, without_board
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
        self.script = script_for(table.match, console.screen, own=console.own_voice)
        self.speak = console.recite if self.script is table.match.game.script else console.say
        self._unsaved = False  # whether it was said that the match cannot be saved

    def run(self, *, resumed: bool = False) -> None:
        """Play until the game is over. Raises Quit, EndOfInput or KeyboardInterrupt before that."""
        self._report_saving()
        begin = self.script.board if resumed else self.script.opening
        self.speak(*begin(self.table.match.state.view(self.table.sitting.viewer), self.table.cast))
        while not self.table.over:
            try:
                self._play_move()
            except MatchChanged:
                self._report_saving()
        self.speak("", *ending_lines(self.table.match, self.script, self.table.cast))

    def _play_move(self) -> None:
        table, before = self.table, len(self.table.match.played)
        reader, seat = table.sitting.viewer, table.mover
        if table.computer is not None or seat is None:
            self._let_computer_move()
        else:
            state, commands = table.match.state, self._commands(seat)
            move = ask_move(self.console, state, seat, table.cast, self.script, commands)
            if not confirm_move(self.console, table, seat, move, self.script, self.speak):
                return
            table.play(seat, move)
        self._report_saving()
        match = table.match
        if len(match.played) > before:  # a computer that failed has not moved
            script = self.script
            if table.you is not None and table.computer is not None:  # the board comes after its move
                script = without_board(match.game, script)
            self.speak(*tell_made(script, match.states, match.played, reader, table.cast))

    def _let_computer_move(self) -> None:
        computer = self.table.computer
        if self.console.interactive and computer is not None:
            self.console.say("", f"{self.table.cast.subject(computer)} is thinking...")
        show_progress()
        self.table.think(Event() if self.console.interactive else None)

    def _commands(self, seat: Seat) -> dict[str, Command]:
        match = self.table.match
        commands = {
            "board": Command(lambda: self._show_board(seat)),
            "undo": Command(lambda: self._undo(seat), "" if self.table.allows(Deed.UNDO) else NOT_NOW),
            "resign": Command(lambda: self._resign(seat)),
            "quit": Command(leave, "leave; the match is saved, and `ninefold resume` continues it"),
        }
        if match.game.endless:
            commands["stop"] = Command(lambda: self._offer_stop(seat))
        if not match.hints:
            refused = Command(lambda: self.console.say(NO_HINTS), OFF)
            return {**commands, "hint": refused, "eval": refused}
        return {
            **commands,
            "hint": Command(lambda: self._say_hint(seat)),
            "eval": Command(self._say_value),
        }

    def _show_board(self, seat: Seat) -> None:
        view = self.table.match.state.view(seat)
        self.speak("", *self.script.board(view, self.table.cast), "")

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
        show_progress()
        try:
            table.stop(seat)
        except NinefoldError as error:
            self.console.say(str(error))
            return
        raise MatchChanged

    def _undo(self, seat: Seat) -> None:
        try:
            self.table.undo(seat)
        except NinefoldError as error:
            self.console.say(str(error))
            return
        self.console.say(TAKEN_BACK, "")
        view = self.table.match.state.view(self.table.mover)
        self.speak(*self.script.board(view, self.table.cast))
        raise MatchChanged

    def _say_hint(self, seat: Seat) -> None:
        self._advise(lambda: f"Hint: {self.table.hint(seat)[1]}")

    def _say_value(self) -> None:
        self._advise(lambda: verdict(self.table.value(), self.table.cast))

    def _advise(self, find: Callable[[], str]) -> None:
        """Say what is found, or why there is nothing to be found."""
        show_progress()
        try:
            self.console.say(find())
        except NinefoldError as error:
            self.console.say(str(error))

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
