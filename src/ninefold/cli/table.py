"""One match at one screen: shows views, asks people and players, submits, keeps."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from ninefold.cli.console import Console, show_progress
from ninefold.cli.prompt import Command, ask_move, ask_yes_no, confirm_resignation
from ninefold.core.errors import NinefoldError
from ninefold.core.seat import Seat
from ninefold.match import Match
from ninefold.players import HUMAN, Player, PlayerFailed, agrees_to_stop
from ninefold.show.endings import say_proposal, say_refusal
from ninefold.show.moves import cast_of, only_person
from ninefold.show.talk import ending_lines, script_for
from ninefold.store.files import MatchFile

NO_ADVICE = "Hints are off in this game."
PAUSE = 0.6  # seconds that a computer seems to think, so that people can follow


class Quit(Exception):
    """Somebody typed quit."""


class PositionChanged(Exception):
    """A command took back a move or ended the game while a move was being typed."""


def leave() -> None:
    raise Quit


class Table:
    """`players` are the seats that people do not play."""

    def __init__(
        self,
        console: Console,
        match: Match,
        saved: MatchFile,
        players: Mapping[Seat, Player],
    ) -> None:
        self.console = console
        self.match = match
        self.saved = saved
        self.players = players
        self.people = tuple(player.seat for player in match.players if player.kind == HUMAN)
        self.cast = cast_of(match, only_person(match), console.painter(match.players[0].seat))
        self.script = script_for(match, console.screen)
        self.speak = console.recite if self.script is match.game.script else console.say
        self.unsaved = False  # the last attempt to save failed

    def run(self, *, resumed: bool = False) -> None:
        """Play until the game is over. Raises Quit, EndOfInput or KeyboardInterrupt before that."""
        self.keep()
        view = self.match.state.view(self._reader(self._asked()))
        lines = self.script.board(view, self.cast) if resumed else self.script.opening(view, self.cast)
        self.speak(*lines)
        while not self.match.over:
            try:
                self._turn(self._asked())
            except PositionChanged:
                continue
        self.speak("", *ending_lines(self.match, self.script, self.cast))

    def _asked(self) -> Seat:
        """The seat to ask next. The challenger chooses before the defender."""
        return (*self.match.state.movers, Seat.FIRST)[0]

    def _reader(self, seat: Seat) -> Seat:
        """Whose view to show when this seat moves: the one person's, or the mover's."""
        return seat if self.cast.you is None else self.cast.you

    def _turn(self, seat: Seat) -> None:
        reader = self._reader(seat)
        before = self.match.state.view(reader)
        move = self._computed(seat) if seat in self.players else self._chosen(seat)
        played = self.match.submit(seat, move)
        self.keep()
        after = self.match.state.view(reader)
        self.speak(*self.script.made(before, seat, played.move, after, self.cast))

    # A computer's move

    def _computed(self, seat: Seat) -> Any:
        if self.console.interactive:
            self.console.say("", f"{self.cast.subject(seat)} is thinking...")
        began = time.monotonic()
        show_progress()
        try:
            move = self.players[seat].choose(self.match.open_state, seat)
        except PlayerFailed as error:
            self.match.forfeit(seat, str(error))
            self.keep()
            raise PositionChanged from None
        if self.console.interactive:
            time.sleep(max(0.0, PAUSE - (time.monotonic() - began)))
        return move

    # A person's move

    def _chosen(self, seat: Seat) -> Any:
        state, commands = self.match.state, self._commands(seat)
        return ask_move(self.console, state, seat, self.cast, self.script, commands)

    def _commands(self, seat: Seat) -> dict[str, Command]:
        commands = {
            "board": Command(lambda: self._board(seat)),
            "undo": Command(lambda: self._undo(seat)),
            "resign": Command(lambda: self._resign(seat)),
            "quit": Command(leave, "leave; the match is saved, and `ninefold resume` continues it"),
        }
        if self.match.game.endless:
            commands["stop"] = Command(lambda: self._stop(seat))
        if not self.match.hints:
            refused = Command(lambda: self.console.say(NO_ADVICE), "off in this game")
            return {**commands, "hint": refused, "eval": refused}
        return {**commands, "hint": Command(lambda: self._hint(seat)), "eval": Command(self._eval)}

    def _board(self, seat: Seat) -> None:
        view = self.match.state.view(seat)
        self.speak("", *self.script.board(view, self.cast), "")

    def _resign(self, seat: Seat) -> None:
        if not confirm_resignation(self.console):
            return
        self.match.resign(seat)
        self.keep()
        raise PositionChanged

    def _stop(self, seat: Seat) -> None:
        """Propose to stop. Whoever sits at the screen is asked; a computer looks at the position."""
        other = seat.other
        if other in self.players:
            show_progress()
            agrees = agrees_to_stop(self.match.open_state)
        else:
            again = "Type y to stop the game without a winner, or n to play on."
            agrees = ask_yes_no(self.console, say_proposal(seat, self.cast), again)
        if not agrees:
            self.console.say(say_refusal(other, self.cast, computer=other in self.players))
            return
        self.match.stop_by_agreement()
        self.keep()
        raise PositionChanged

    def _undo(self, seat: Seat) -> None:
        try:
            self.match.undo(until=self.people, by=seat)
        except NinefoldError as error:
            self.console.say(str(error))
            return
        self.keep()
        view = self.match.state.view(self._asked())
        self.console.say("The last turn was taken back.", "")
        self.speak(*self.script.board(view, self.cast))
        raise PositionChanged

    def _hint(self, seat: Seat) -> None:
        from ninefold.show.hints import say_hint
        from ninefold.study.hints import find_hint

        show_progress()
        state = self.match.open_state
        self.console.say(f"Hint: {say_hint(state, find_hint(state, seat), self.cast)}")

    def _eval(self) -> None:
        from ninefold.analysis import evaluate
        from ninefold.show.values import verdict

        show_progress()
        self.console.say(verdict(evaluate(self.match.open_state).value, self.cast))

    def keep(self) -> None:
        """Put the match on disk. If that fails, say so and go on; the next move tries again.

        A match in which nothing has happened yet is not kept.
        """
        try:
            self.saved.update(self.match)
        except OSError as error:
            if not self.unsaved:
                self.console.warn(
                    f"ninefold: the match cannot be saved ({error.strerror}: {self.saved.path}). "
                    "The game goes on, and each move tries again."
                )
            self.unsaved = True
            return
        if self.unsaved:
            self.console.warn("ninefold: the match is saved again.")
        self.unsaved = False
