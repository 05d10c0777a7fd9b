"""One match at one screen: shows views, asks people and players, submits, keeps."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from ninefold.cli.asking import Command, ask_move
from ninefold.cli.console import Console, show_progress
from ninefold.core.errors import NinefoldError
from ninefold.core.script import Script
from ninefold.core.seat import Seat
from ninefold.match import Match
from ninefold.match.telling import cast_of, ending
from ninefold.players import Player, PlayerFailed
from ninefold.store.files import Saved

NO_ADVICE = "This game is played without hints."
PAUSE = 0.6  # seconds that a computer seems to think, for people to follow


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
        saved: Saved,
        players: Mapping[Seat, Player],
    ) -> None:
        self.console = console
        self.match = match
        self.saved = saved
        self.players = players
        self.cast = cast_of(match, console.painter(match.players[0].seat))
        self.unsaved = False  # the last attempt to save failed

    @property
    def script(self) -> Script:
        return self.match.game.script

    def run(self, *, resumed: bool = False) -> None:
        """Play until the game is over. Raises Quit, EndOfInput or KeyboardInterrupt before that."""
        self.keep()
        view = self.match.state.view(self._reader(self._asked()))
        lines = self.script.board(view, self.cast) if resumed else self.script.opening(view, self.cast)
        self.console.say(*lines)
        while self.match.outcome is None:
            try:
                self._turn(self._asked())
            except PositionChanged:
                continue
        self.console.say("", *ending(self.match, self.cast))

    def _asked(self) -> Seat:
        """The seat to ask next. The challenger chooses before the defender."""
        return (*self.match.state.movers, Seat.FIRST)[0]

    def _reader(self, seat: Seat) -> Seat:
        """Whose eyes the screen is for when this seat moves: theirs, or those of who is here."""
        return seat.other if seat not in self.cast.here and seat.other in self.cast.here else seat

    def _turn(self, seat: Seat) -> None:
        reader = self._reader(seat)
        before = self.match.state.view(reader)
        move = self._computed(seat) if seat in self.players else self._chosen(seat)
        played = self.match.submit(seat, move)
        self.keep()
        after = self.match.state.view(reader)
        self.console.say(*self.script.made(before, seat, played.move, after, self.cast))

    # A computer's move

    def _computed(self, seat: Seat) -> Any:
        name = self.cast.name(seat)
        self.console.say("")
        if self.console.interactive:
            self.console.say(f"{name} is thinking...")
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
        return ask_move(self.console, self.match.state, seat, self.cast, self._commands(seat))

    def _commands(self, seat: Seat) -> dict[str, Command]:
        commands = {
            "board": Command("the position once more", lambda: self._board(seat)),
            "undo": Command("take back the last turn", lambda: self._undo(seat)),
            "resign": Command("give up this game", lambda: self._resign(seat)),
            "quit": Command("leave; the game is kept and `ninefold resume` goes on with it", leave),
        }
        if not self.match.hints:
            refused = Command("not in this game", lambda: self.console.say(NO_ADVICE))
            return {**commands, "hint": refused, "eval": refused}
        return {
            **commands,
            "hint": Command("the best move, and why", lambda: self._hint(seat)),
            "eval": Command("who is winning", self._eval),
        }

    def _board(self, seat: Seat) -> None:
        view = self.match.state.view(seat)
        self.console.say("", *self.script.board(view, self.cast), "")

    def _resign(self, seat: Seat) -> None:
        self.match.resign(seat)
        self.keep()
        raise PositionChanged

    def _undo(self, seat: Seat) -> None:
        try:
            self.match.undo(until=self.cast.here, by=seat)
        except NinefoldError as error:
            self.console.say(str(error))
            return
        self.keep()
        view = self.match.state.view(self._asked())
        self.console.say("The last turn is taken back.", "", *self.script.board(view, self.cast))
        raise PositionChanged

    def _hint(self, seat: Seat) -> None:
        from ninefold.analysis.advice import advise

        show_progress()
        self.console.say(f"Hint: {advise(self.match.open_state, seat)}")

    def _eval(self) -> None:
        from ninefold.analysis import evaluate
        from ninefold.analysis.advice import verdict

        show_progress()
        value = evaluate(self.match.open_state).value
        names = (self.cast.name(Seat.FIRST), self.cast.name(Seat.SECOND))
        self.console.say(verdict(value, names))

    def keep(self) -> None:
        """Put the match on disk. If that fails, say so and go on; the next move tries again."""
        try:
            self.saved.save(self.match.shared_record())
        except OSError as error:
            if not self.unsaved:
                self.console.warn(
                    f"ninefold: the match cannot be saved ({error.strerror}: {self.saved.path}). "
                    "The game goes on; each move tries again."
                )
            self.unsaved = True
            return
        if self.unsaved:
            self.console.warn("ninefold: the match is saved again.")
        self.unsaved = False
