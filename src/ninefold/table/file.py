"""A match between people at one screen and computers, kept in a file."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from random import Random
from typing import Any

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.move import Move
from ninefold.core.outcome import LIMIT
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import Setup, State
from ninefold.match import Match, Player, Series, seating
from ninefold.match.sitting import Sitting
from ninefold.players import PERSON, Chooser, PlayerFailed, agrees_to_stop, seat_player
from ninefold.show.offers import say_refusal
from ninefold.store.files.matches import Matches, MatchFile, StoreError
from ninefold.table.table import Table

PAUSE = 0.6  # seconds that a computer seems to think, so that people can follow


class FileTable(Table):
    """A match at one screen. Every change is on disk before anybody goes on.

    A change makes a new `match`, so that another thread never sees half of one.
    """

    def __init__(self, match: Match, saved: MatchFile, setup: Setup, rng: Random | None = None) -> None:
        self.match = match
        self.saved = saved
        self.unsaved = ""  # why the match could not be saved the last time
        self._setup = setup  # what was settled for all games; everything else is drawn for each
        self._rng = rng or Random()
        self._lock = threading.Lock()
        self.people = tuple(seat for seat in SEATS if match.player(seat).kind == PERSON)
        self.computers: dict[Seat, Chooser] = {
            player.seat: seated
            for player in match.players
            if (seated := seat_player(player.kind, self._rng)) is not None
        }
        self._keep(match)

    @classmethod
    def new(
        cls,
        game: Game,
        kinds: tuple[str, str],
        names: tuple[str | None, str | None],
        setup: Setup,
        *,
        first: str = "1",
        best_of: int | None = None,
        hints: bool = True,
        coach: bool = False,
        limit: int = LIMIT,
        rng: Random | None = None,
        start: Callable[[], State[Any]] | None = None,
    ) -> FileTable:
        """A new match, as it was asked for. Raises NinefoldError.

        What is not in `setup` is drawn, unless `start` finds the first position. A `coach` is for one
        person against a computer.
        """
        if coach:
            seating.refuse_coach(kinds)
        rng = rng or Random()
        seat, (name, other) = seating.choose_side(game, first, rng), seating.fill_names(names, kinds)
        players = (Player(name, seat, kinds[0]), Player(other, seat.other, kinds[1]))
        series = Series(best_of, setup=setup) if best_of else None
        first_state = game.set_up(setup, rng) if start is None else start()
        match = Match(first_state, players, series=series, hints=hints, coach=coach, limit=limit)
        return cls(match, Matches().new(), setup, rng)

    @classmethod
    def resume(cls, id: str, *, hints: bool = True) -> FileTable:
        """A match that was left before its end, with or without hints from now on. Raises StoreError."""
        saved, match = Matches().resume(id)
        if match.over:
            saved.close()
            raise StoreError(f"Match {saved.id} is over. `ninefold replay {saved.id}` shows it.")
        match.hints = match.hints and hints
        return cls(match, saved, match.series.setup if match.series else seating.lasting_settings(match))

    # What is known

    @property
    def kept_as(self) -> str:
        return self.saved.id

    @property
    def notice(self) -> str:
        if not self.unsaved:
            return ""
        return f"The match cannot be saved ({self.unsaved}). Each move tries again."

    @property
    def sitting(self) -> Sitting:
        series = self.match.series or Series()
        if self.over:
            series = series.after(seating.winner_of(self.match))
        return Sitting(
            match=self.match,
            seats=self.people,
            ready=self._ready,
            score=series.score(over=self.over),
        )

    @property
    def computer(self) -> Seat | None:
        following = None if self.over else self.match.state.movers[0]
        return following if following in self.computers else None

    @property
    def line_mode(self) -> list[str]:
        return ["resume", self.saved.id] if self.match.begun and not self.over else []

    # What is done

    def _change(self, change: Callable[[Match], object], ply: int | None = None) -> None:
        """Change the match and save it; with `ply`, only if so many moves have been made."""
        with self._lock:
            if ply is not None and ply != len(self.match.played):
                return
            match = self.match.copy()
            change(match)
            self._keep(match)
            self.match = match

    def _keep(self, match: Match) -> None:
        """Save the match. If that fails, go on without; the next change tries again."""
        try:
            self.saved.update(match)
        except OSError as error:
            self.unsaved = error.strerror or str(error)
        else:
            self.unsaved = ""

    def play(self, seat: Seat, move: Move, ply: int | None = None) -> None:
        self._change(lambda match: match.submit(seat, move, ply))

    def undo(self, seat: Seat) -> None:
        self._change(lambda match: match.undo(until=self.people, by=seat))

    def resign(self, seat: Seat) -> None:
        self._change(lambda match: match.resign(seat))

    def stop(self, seat: Seat) -> None:
        """Stop, if the other side agrees: a person has, and a computer decides by the position."""
        other = seat.other
        if other in self.computers and not agrees_to_stop(self.match.open_state):
            raise NinefoldError(say_refusal(other, self.cast, computer=True))
        self._change(lambda match: match.stop_by_agreement())

    def think(self, skip: threading.Event | None = None) -> None:
        """Let the computer choose, after a pause that `skip` cuts short; without it, there is none.

        A computer that fails loses.
        """
        seat, match = self.computer, self.match
        if seat is None:
            return
        ply, began = len(match.played), time.monotonic()
        try:
            move = self.computers[seat].choose(
                match.open_state, seat, lambda: match.record(seat).to_data()
            )
        except PlayerFailed as error:
            why = str(error)
            self._change(lambda match: match.forfeit(seat, why), ply)
            return
        if skip is not None:
            skip.wait(max(0.0, PAUSE - (time.monotonic() - began)))
        self._change(lambda match: match.submit(seat, move), ply)

    def follow(self, start: Callable[[], State[Any]] | None = None) -> FileTable:
        """Another game with the sides swapped. Settings are drawn, unless `start` finds the position."""
        series = (self.match.series or Series(setup=self._setup)).after(seating.winner_of(self.match))
        first = self.match.game.set_up(self._setup, self._rng) if start is None else start()
        match = seating.next_match(self.match, first, series.following())
        self.leave()
        return FileTable(match, Matches().new(), self._setup, self._rng)

    def leave(self) -> str:
        for player in self.computers.values():
            player.close()
        self.saved.close()
        return ""
