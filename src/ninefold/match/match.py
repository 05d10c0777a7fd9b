"""The authority over one match: everyone who plays, person or program, goes through `submit`."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from ninefold.core.errors import GameOver, NinefoldError, NotYourTurn, quoted
from ninefold.core.game import Game
from ninefold.core.outcome import STOPPED, Outcome, Reason
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.games import load
from ninefold.match.record import OLD_RULINGS, VERSION, Player, Record, RecordError, Series
from ninefold.match.turns import Played, Turn, group_turns


def utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class Match:
    """One game between two players, from its first position to its end.

    `players` are Player 1 and Player 2; their seats say who moves first. `hints` is whether they may
    ask for hint and eval, `clock` how many seconds they have for a move (None for no limit).
    """

    def __init__(
        self,
        start: State[Any],
        players: tuple[Player, Player],
        *,
        series: Series | None = None,
        hints: bool = True,
        clock: int | None = None,
        now: Callable[[], str] = utc_now,
    ) -> None:
        self.players = players
        self.series = series
        self.hints = hints
        self.clock = clock
        self.started = now()
        self._now = now
        self._states = [start]
        self._played: list[Played] = []
        self._stopped: Outcome | None = None  # ended by resigning or forfeit, not by the rules
        self._version = VERSION  # of its records

    @classmethod
    def of(cls, record: Record, *, now: Callable[[], str] = utc_now) -> Match:
        """The match a record tells of, replayed through the rules.

        Raises RecordError with the number of the move that is wrong and the reason.
        """
        try:
            game = load(record.game)
            start = game.set_up(record.setup)
            if record.series is not None:
                game.set_up({**record.setup, **record.series.setup})
        except NinefoldError as error:
            raise RecordError(f"The record's setup is not valid. {error}") from None
        match = cls(
            start, record.players, series=record.series, hints=record.hints, clock=record.clock, now=now
        )
        match.started = record.started
        for count, played in enumerate(record.moves, 1):
            try:
                match._append(played.seat, played.move, played.at)
            except NinefoldError as error:
                raise RecordError(f"Move {count}, {quoted(played.move)}: {error}") from None
        if record.version == OLD_RULINGS:
            match._judge_by_old_rulings()
        match._end_as(record.result)
        return match

    def copy(self) -> Match:
        """A match that goes its own way from here."""
        other = Match.__new__(Match)
        other.__dict__.update(self.__dict__, _states=list(self._states), _played=list(self._played))
        return other

    def seated(self, seat: Seat, name: str) -> None:
        """Somebody takes a seat: their name from now on."""
        first, second = (
            replace(player, name=name) if player.seat == seat else player for player in self.players
        )
        self.players = (first, second)

    def _judge_by_old_rulings(self) -> None:
        """Keep the result of a match that ended under a ruling which has changed since."""
        old = self.state.under_old_rulings
        if old.outcome != self.state.outcome:
            self._states[-1] = old
            self._version = OLD_RULINGS

    def _end_as(self, result: tuple[Seat, Reason] | None) -> None:
        outcome = self.state.outcome
        if outcome is not None:
            if result is not None and result != (outcome.winner, outcome.reason):
                raise RecordError("The record's result does not follow from its moves.")
        elif result is not None:
            winner, reason = result
            if reason not in STOPPED:
                raise RecordError("The record has a result, but its moves do not end the game.")
            self._stopped = Outcome(winner, reason)

    @property
    def game(self) -> Game:
        return self.state.game

    @property
    def state(self) -> State[Any]:
        return self._states[-1]

    @property
    def states(self) -> tuple[State[Any], ...]:
        """The positions so far: before the first move, and after each."""
        return tuple(self._states)

    @property
    def played(self) -> tuple[Played, ...]:
        return tuple(self._played)

    @property
    def outcome(self) -> Outcome | None:
        return self._stopped or self.state.outcome

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The moves so far as turns; the last one may be under way."""
        return self.turns_of(len(self._played))

    def turns_of(self, count: int) -> tuple[Turn, ...]:
        """The first `count` moves as turns."""
        return group_turns(self._states[: count + 1], self._played[:count])

    @property
    def ply(self) -> int:
        """The number of moves that are out in the open. Both seats of a secret choice answer it."""
        return self._answers(len(self._played))

    def _answers(self, place: int) -> int:
        """The ply that the move at this place of the match answers."""
        return place - len(self._states[place].pending)

    @property
    def open_state(self) -> State[Any]:
        """The position as everybody knows it: before any choice that is still secret."""
        return self._states[self.ply]

    def player(self, seat: Seat) -> Player:
        return next(player for player in self.players if player.seat == seat)

    def submit(self, seat: Seat, move: object, ply: int | None = None) -> Played:
        """Make a move, as such or as text. Nothing changes if it is refused.

        With `ply`, a move answers the position the sender saw: the same move sent again for it is
        answered like the first time, any other is refused as late (NotYourTurn).
        """
        if ply is not None:
            for place, earlier in enumerate(self._played):
                if earlier.seat == seat and self._answers(place) == ply and self._same(earlier, move):
                    return earlier
            if ply != self.ply:
                raise NotYourTurn(f"The match has moved on: it is at move {self.ply}, not {ply}.")
        if self._stopped is not None:
            raise GameOver("The game is over.")
        return self._append(seat, move, self._now())

    def _append(self, seat: Seat, move: Any, at: str) -> Played:
        before = self.state
        found = before.game.parse(move) if isinstance(move, str) else move
        self._states.append(before.play(found, seat))
        self._played.append(Played(seat, str(found), at))
        return self._played[-1]

    def _same(self, earlier: Played, move: object) -> bool:
        return earlier.move == str(self.game.parse(move) if isinstance(move, str) else move)

    def resign(self, seat: Seat) -> None:
        self._stop(Outcome(seat.other, Reason.RESIGNED))

    def forfeit(self, seat: Seat, why: str) -> None:
        """The seat loses because its player cannot go on."""
        self._stop(Outcome(seat.other, Reason.FORFEIT, why))

    def run_out(self, seat: Seat, reason: Reason) -> None:
        """The seat loses because it has not moved in time (TIME) or is not there any more (ABSENT)."""
        self._stop(Outcome(seat.other, reason))

    def _stop(self, outcome: Outcome) -> None:
        if self.outcome is not None:
            raise GameOver("The game is over.")
        self._stopped = outcome

    def undo(self, until: Container[Seat] = SEATS, by: Seat | None = None) -> int:
        """Take back the last turn, and more until one of these seats is to move again.

        Answers with the number of moves taken back. A challenge can be taken back until its numbers
        have been seen, but not `by` the seat that is challenged; where that stands in the way,
        nothing is taken back.
        """
        if self.outcome is not None:
            raise GameOver("The game is over.")
        turns = list(self.turns)
        if by is not None and self.state.secret and (opener := turns[-1].seat) is not by:
            raise NinefoldError(f"Only {self.player(opener).name} can take this challenge back.")
        while True:
            if not turns:
                raise NinefoldError("There is no move to take back yet.")
            turn = turns.pop()
            if turn.secrets:
                raise NinefoldError("A challenge cannot be taken back once its numbers are revealed.")
            if self._states[turn.start].movers[0] in until:
                break
        count = len(self._played) - turn.start
        del self._states[turn.start + 1 :], self._played[turn.start :]
        return count

    def record(self, viewer: Seat | None) -> Record:
        """The record as a viewer may have it: no secrets but their own until the end."""
        state = self.state
        view = state.view(viewer)
        hidden = {seat for seat in view.pending if seat != viewer}
        ply = self.ply
        moves = [
            played
            for place, played in enumerate(self._played)
            if place < ply or played.seat not in hidden
        ]
        outcome = self.outcome
        known = state.setup if outcome is not None else view.setup
        series = self.series
        if series is not None:
            setup = {name: value for name, value in series.setup.items() if name in known}
            series = replace(series, setup=setup)
        return Record(
            game=self.game.slug,
            setup=known,
            players=self.players,
            started=self.started,
            moves=tuple(moves),
            result=None if outcome is None else (outcome.winner, outcome.reason),
            series=series,
            hints=self.hints,
            version=self._version,
            clock=self.clock,
        )

    def shared_record(self) -> Record:
        """The record for a file that both players can open: what the seat still to choose may know."""
        return self.record((*self.state.movers, *SEATS)[0])
