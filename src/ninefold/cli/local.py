"""One match at this terminal: ask people and computers for moves, submit them, and save the match."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from ninefold.cli.console import Console, show_progress
from ninefold.cli.prompt import Command, MatchChanged, ask_move, ask_yes_no, confirm_resignation, leave
from ninefold.core.errors import NinefoldError
from ninefold.core.seat import Seat
from ninefold.match import Match
from ninefold.players import PERSON, Chooser, PlayerFailed, agrees_to_stop
from ninefold.show.moves import cast_of, only_person
from ninefold.show.offers import TAKEN_BACK, say_refusal, say_stop_offer
from ninefold.show.talk import ending_lines, script_for, tell_made
from ninefold.store.files import MatchFile

NO_HINTS = "Hints are off in this game."
PAUSE = 0.6  # seconds that a computer's move takes at least, so that people can follow


class LocalMatch:
    """A match between people at this terminal and computers; `computers` holds the latter by seat."""

    def __init__(
        self,
        console: Console,
        match: Match,
        file: MatchFile,
        computers: Mapping[Seat, Chooser],
    ) -> None:
        self.console = console
        self.match = match
        self.file = file
        self.computers = computers
        self.people = tuple(player.seat for player in match.players if player.kind == PERSON)
        self.cast = cast_of(match, only_person(match), console.painter(match.players[0].seat))
        self.script = script_for(match, console.screen)
        self.speak = console.recite if self.script is match.game.script else console.say
        self.unsaved = False  # the last attempt to save failed

    def run(self, *, resumed: bool = False) -> None:
        """Play until the game is over. Raises Quit, EndOfInput or KeyboardInterrupt before that."""
        self.save()
        view = self.match.state.view(self._reader(self._seat_to_ask()))
        lines = self.script.board(view, self.cast) if resumed else self.script.opening(view, self.cast)
        self.speak(*lines)
        while not self.match.over:
            try:
                self._play_move(self._seat_to_ask())
            except MatchChanged:
                continue
        self.speak("", *ending_lines(self.match, self.script, self.cast))

    def _seat_to_ask(self) -> Seat:
        """Whose move to ask for next. In a challenge, the challenger's comes first."""
        return (*self.match.state.movers, Seat.FIRST)[0]

    def _reader(self, seat: Seat) -> Seat:
        """Whose view to show when this seat moves: the only person's, or else the mover's."""
        return seat if self.cast.you is None else self.cast.you

    def _play_move(self, seat: Seat) -> None:
        reader = self._reader(seat)
        move = self._ask_computer(seat) if seat in self.computers else self._ask_person(seat)
        self.match.submit(seat, move)
        self.save()
        match = self.match
        self.speak(*tell_made(self.script, match.states, match.played, reader, self.cast))

    # A computer's move

    def _ask_computer(self, seat: Seat) -> Any:
        if self.console.interactive:
            self.console.say("", f"{self.cast.subject(seat)} is thinking...")
        began = time.monotonic()
        show_progress()
        try:
            move = self.computers[seat].choose(self.match.open_state, seat)
        except PlayerFailed as error:
            self.match.forfeit(seat, str(error))
            self.save()
            raise MatchChanged from None
        if self.console.interactive:
            time.sleep(max(0.0, PAUSE - (time.monotonic() - began)))
        return move

    # A person's move

    def _ask_person(self, seat: Seat) -> Any:
        state, commands = self.match.state, self._commands(seat)
        return ask_move(self.console, state, seat, self.cast, self.script, commands)

    def _commands(self, seat: Seat) -> dict[str, Command]:
        commands = {
            "board": Command(lambda: self._show_board(seat)),
            "undo": Command(lambda: self._undo(seat)),
            "resign": Command(lambda: self._resign(seat)),
            "quit": Command(leave, "leave; the match is saved, and `ninefold resume` continues it"),
        }
        if self.match.game.endless:
            commands["stop"] = Command(lambda: self._offer_stop(seat))
        if not self.match.hints:
            refused = Command(lambda: self.console.say(NO_HINTS), "off in this game")
            return {**commands, "hint": refused, "eval": refused}
        return {
            **commands,
            "hint": Command(lambda: self._say_hint(seat)),
            "eval": Command(self._say_value),
        }

    def _show_board(self, seat: Seat) -> None:
        view = self.match.state.view(seat)
        self.speak("", *self.script.board(view, self.cast), "")

    def _resign(self, seat: Seat) -> None:
        if not confirm_resignation(self.console):
            return
        self.match.resign(seat)
        self.save()
        raise MatchChanged

    def _offer_stop(self, seat: Seat) -> None:
        """Offer to stop. A person is asked; a computer decides by the position."""
        other = seat.other
        if other in self.computers:
            show_progress()
            agrees = agrees_to_stop(self.match.open_state)
        else:
            again = "Type y to stop the game without a winner, or n to play on."
            agrees = ask_yes_no(self.console, say_stop_offer(seat, self.cast), again)
        if not agrees:
            self.console.say(say_refusal(other, self.cast, computer=other in self.computers))
            return
        self.match.stop_by_agreement()
        self.save()
        raise MatchChanged

    def _undo(self, seat: Seat) -> None:
        try:
            self.match.undo(until=self.people, by=seat)
        except NinefoldError as error:
            self.console.say(str(error))
            return
        self.save()
        view = self.match.state.view(self._seat_to_ask())
        self.console.say(TAKEN_BACK, "")
        self.speak(*self.script.board(view, self.cast))
        raise MatchChanged

    def _say_hint(self, seat: Seat) -> None:
        from ninefold.show.hints import say_hint
        from ninefold.study.hints import find_hint

        show_progress()
        state = self.match.open_state
        self.console.say(f"Hint: {say_hint(state, find_hint(state, seat), self.cast)}")

    def _say_value(self) -> None:
        from ninefold.analysis import evaluate
        from ninefold.show.values import verdict

        show_progress()
        self.console.say(verdict(evaluate(self.match.open_state).value, self.cast))

    def save(self) -> None:
        """Save the match, unless nothing has happened in it yet.

        If that fails, say so and go on; the next move tries again.
        """
        try:
            self.file.update(self.match)
        except OSError as error:
            if not self.unsaved:
                self.console.warn(
                    f"ninefold: the match cannot be saved ({error.strerror}: {self.file.path}). "
                    "The game goes on, and each move tries again."
                )
            self.unsaved = True
            return
        if self.unsaved:
            self.console.warn("ninefold: the match is saved again.")
        self.unsaved = False
