"""The authority over one match: everyone who plays, person or program, goes through `submit`."""

from __future__ import annotations

import time
from collections.abc import Callable, Container
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from ninefold.core.errors import GameOver, NinefoldError, NotYourTurn, quote
from ninefold.core.game import Game
from ninefold.core.move import Move
from ninefold.core.outcome import FROM_OUTSIDE, HOSTED_LIMIT, LIMIT, Outcome, Reason, Stop
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.core.turns import Played, Turn, ends_turn, group_turns, last_turn
from ninefold.games import load
from ninefold.match.record import Player, Record, RecordError, Series
from ninefold.players import PERSON


def utc_now() -> str:
    return utc_text(int(time.time()))


@lru_cache(maxsize=64)
def utc_text(seconds: int) -> str:
    """A time, in seconds since the epoch, as ISO 8601 has it in UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


class Match:
    """One game between two players, from its first position to its end.

    `players` are Player 1 and Player 2; their seats say which side each has. `hints` is whether they may
    ask for hint and eval, `coach` whether the one person is warned of mistakes, `clock` how many seconds
    they have for a move (None for no limit).

    A match is over when it has an `outcome`, or when it is `stopped` without one: as soon as nobody can
    win anymore, by agreement, and after `limit` moves if no person plays; where people play, after
    HOSTED_LIMIT moves if it is `hosted` by a server.
    """

    def __init__(
        self,
        start: State[Any],
        players: tuple[Player, Player],
        *,
        series: Series | None = None,
        hints: bool = True,
        coach: bool = False,
        clock: int | None = None,
        limit: int = LIMIT,
        hosted: bool = False,
        now: Callable[[], str] = utc_now,
    ) -> None:
        self.players = players
        self.series = series
        self.hints = hints
        self.coach = coach
        self.clock = clock
        self.limit = limit
        self.hosted = hosted
        self.started = now()
        self._now = now
        self._has_person = any(player.kind == PERSON for player in players)
        self._states: tuple[State[Any], ...] = (start,)
        self._decided = start.outcome  # by the rules, in the last position; it is asked for often
        self._played: tuple[Played, ...] = ()
        self._cut_short: Outcome | None = None  # an outcome from outside the rules, such as resigning
        self.stopped: Stop | None = None

    @classmethod
    def of(cls, record: Record, *, hosted: bool = False, now: Callable[[], str] = utc_now) -> Match:
        """The match of a record, replayed through the rules.

        Raises RecordError, which says which move is wrong and why.
        """
        try:
            game = load(record.game)
            start = game.set_up(record.setup)
            if record.series is not None:
                game.set_up({**record.setup, **record.series.setup})
        except NinefoldError as error:
            raise RecordError(f"The record's setup is not valid. {error}") from None
        match = cls(
            start,
            record.players,
            series=record.series,
            hints=record.hints,
            coach=record.coach,
            clock=record.clock,
            limit=record.limit,
            now=now,
        )
        match.started = record.started
        for count, played in enumerate(record.moves, 1):
            try:
                match._refuse_if_over()
                match._append(played.seat, played.move, played.at)
                match._stop_if_due()
            except NinefoldError as error:
                raise RecordError(f"Move {count}, {quote(str(played.move))}: {error}") from None
        match._end_as(record.result)
        match.hosted = hosted  # only now: its moves may be more than a server allows today
        return match

    def copy(self) -> Match:
        """An independent copy."""
        other = Match.__new__(Match)
        other.__dict__.update(self.__dict__)  # nothing in it is ever changed in place
        return other

    def take_seat(self, seat: Seat, name: str) -> None:
        """Somebody takes a seat: from now on it has their name."""
        first, second = (
            replace(player, name=name) if player.seat == seat else player for player in self.players
        )
        self.players = (first, second)

    def _end_as(self, result: tuple[Seat, Reason] | Stop | None) -> None:
        if self.over:
            if result not in (None, self.result):
                raise RecordError("The record's result does not follow from its moves.")
        elif isinstance(result, Stop):
            if not self._may_be(result):
                raise RecordError("The record's result is not what its moves lead to.")
            self.stopped = result
        elif result is not None:
            winner, reason = result
            if reason not in FROM_OUTSIDE:
                raise RecordError("The record has a result, but its moves do not end the game.")
            self._cut_short = Outcome(winner, reason)

    @property
    def game(self) -> Game:
        return self.state.game

    @property
    def state(self) -> State[Any]:
        return self._states[-1]

    @property
    def states(self) -> tuple[State[Any], ...]:
        """The positions so far: before the first move, and after each move."""
        return self._states

    @property
    def played(self) -> tuple[Played, ...]:
        return self._played

    @property
    def outcome(self) -> Outcome | None:
        """Who won, and why. None while the match goes on, and if it was stopped."""
        return self._cut_short or self._decided

    @property
    def over(self) -> bool:
        return self.stopped is not None or self.outcome is not None

    @property
    def begun(self) -> bool:
        """Whether the match is worth keeping: a move was made, it is over, or its series has begun."""
        series = self.series
        return bool(self._played or self.over or (series and series.games))

    @property
    def result(self) -> tuple[Seat, Reason] | Stop | None:
        """The outcome or the stop, as a record holds it."""
        outcome = self.outcome
        return self.stopped if outcome is None else (outcome.winner, outcome.reason)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The moves so far as turns; the last one may be unfinished."""
        return self.turns_of(len(self._played))

    def turns_of(self, count: int) -> tuple[Turn, ...]:
        """The first `count` moves as turns."""
        return group_turns(self._states[: count + 1], self._played[:count])

    def written(self, count: int | None = None) -> list[Move]:
        """All moves, or the first `count`, in written order, without choices that are still secret."""
        turns = self.turns if count is None else self.turns_of(count)
        return [one.move for turn in turns for one in turn.written]

    @property
    def last_turn(self) -> Turn:
        """The turn of the last move; it may be unfinished."""
        return last_turn(self._states, self._played)

    @property
    def ply(self) -> int:
        """The number of moves that everybody knows. Both secret choices of a turn have the same ply."""
        return self._ply_at(len(self._played))

    def _ply_at(self, count: int) -> int:
        """The ply after the first `count` moves of the match."""
        return count - len(self._states[count].pending)

    @property
    def open_state(self) -> State[Any]:
        """The position as everybody knows it: before any choice that is still secret."""
        return self.state.open_state

    def player(self, seat: Seat) -> Player:
        return next(player for player in self.players if player.seat == seat)

    def submit(self, seat: Seat, move: Move | str, ply: int | None = None) -> Played:
        """Make a move, which may be given as text. Nothing changes if it is refused.

        `ply` says which position the sender saw. It makes retries safe: the same move sent again with the
        same ply returns what it returned the first time; any other move at an old ply raises NotYourTurn.
        """
        if ply is not None:
            move = self._read(move)
            for place in range(max(ply, 0), min(ply + 2, len(self._played))):  # one choice may be pending
                earlier = self._played[place]
                if earlier.seat == seat and self._ply_at(place) == ply and earlier.move == move:
                    return earlier
            if ply != self.ply:
                raise NotYourTurn("The match has moved on since you saw it.")
        self._refuse_if_over()
        played = self._append(seat, self._read(move), self._now())
        self._stop_if_due()
        return played

    def _read(self, move: Move | str) -> Move:
        return self.game.parse(move) if isinstance(move, str) else move

    def _append(self, seat: Seat, move: Move, at: str) -> Played:
        state = self.state.play(move, seat)
        self._decided = state.outcome
        played = Played(seat, move, at)
        self._states += (state,)
        self._played += (played,)
        return played

    def _stop_if_due(self) -> None:
        """Stop if nobody can win anymore, or if there is a limit and it is reached."""
        if self.over:
            return
        if self._may_be(Stop.DEAD):
            self.stopped = Stop.DEAD
        elif (self.hosted or not self._has_person) and self._may_be(Stop.LIMIT):
            self.stopped = Stop.LIMIT

    def stop_by_agreement(self) -> None:
        """Stop because both players agree. Raises NinefoldError unless the game could go on forever."""
        self._refuse_if_over()
        if not self._may_be(Stop.AGREED):
            raise NinefoldError(f"{self.game.title} always comes to an end. You can resign.")
        self.stopped = Stop.AGREED

    def _may_be(self, stop: Stop) -> bool:
        """Whether the match, which has no outcome, may be stopped for this reason."""
        match stop:
            case Stop.DEAD:
                return self.state.dead
            case Stop.AGREED:
                return self.game.endless
        limit = HOSTED_LIMIT if self._has_person else self.limit
        return len(self._played) >= limit and ends_turn(*self._states[-2:])

    def _refuse_if_over(self) -> None:
        if self.over:
            raise GameOver("The game is over.")

    def resign(self, seat: Seat) -> None:
        self._end(Outcome(seat.other, Reason.RESIGNED))

    def forfeit(self, seat: Seat, why: str) -> None:
        """The seat loses because its player failed; `why` says how, as a sentence."""
        self._end(Outcome(seat.other, Reason.FORFEIT, why))

    def run_out(self, seat: Seat, reason: Reason) -> None:
        """The seat loses because it did not move in time (TIME) or has been away too long (ABSENT)."""
        self._end(Outcome(seat.other, reason))

    def _end(self, outcome: Outcome) -> None:
        self._refuse_if_over()
        self._cut_short = outcome

    def undo(self, until: Container[Seat] = SEATS, by: Seat | None = None) -> int:
        """Take back the last turn, and earlier ones until one of these seats is to move again.

        Returns the number of moves taken back. A turn with secret choices can be taken back until they
        are revealed, but only `by` the seat that began it. Raises NinefoldError, and takes nothing back,
        if such a turn or the start of the match is in the way.
        """
        self._refuse_if_over()
        turns = list(self.turns)
        if by is not None and turns and not turns[-1].revealed and turns[-1].seat is not by:
            raise NinefoldError("Only the player who began this turn can take it back.")
        while True:
            if not turns:
                raise NinefoldError("There is no move to take back yet.")
            turn = turns.pop()
            if turn.secrets:
                raise NinefoldError("A turn cannot be taken back once its secret choices are revealed.")
            if self._states[turn.start].movers[0] in until:
                break
        count = len(self._played) - turn.start
        self._states, self._played = self._states[: turn.start + 1], self._played[: turn.start]
        return count

    def record(self, viewer: Seat | None) -> Record:
        """The record for a viewer. Until the match is over, it holds no secrets but the viewer's own.

        Its moves are in written order, whoever chose first in a challenge.
        """
        state = self.state
        view = state.view(viewer)
        hidden = {seat for seat in view.pending if seat != viewer}
        known = state.setup if self.over else view.setup
        series = self.series
        if series is not None:
            setup = {name: value for name, value in series.setup.items() if name in known}
            series = replace(series, setup=setup)
        return Record(
            game=self.game.slug,
            setup=known,
            players=self.players,
            started=self.started,
            moves=tuple(one for turn in self.turns for one in turn.known(hidden)),
            result=self.result,
            series=series,
            hints=self.hints,
            coach=self.coach,
            clock=self.clock,
            limit=self.limit,
        )

    def shared_record(self) -> Record:
        """The record for a file that both players can open.

        It holds only what the seat that is still to choose may know.
        """
        return self.record((*self.state.movers, *SEATS)[0])
