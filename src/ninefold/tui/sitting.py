"""A match that is played at this screen: who moves, what they may ask for, and where it is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from ninefold.analysis import evaluate
from ninefold.core.cast import Cast
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.move import Move
from ninefold.core.seat import Seat
from ninefold.match import Match, Player, Series
from ninefold.match.seating import choose_side, fill_names, lasting_settings, next_match, winner_of
from ninefold.players import PERSON, PlayerFailed, agrees_to_stop, seat_player
from ninefold.show.endings import Ending, describe_ending
from ninefold.show.hints import say_hint
from ninefold.show.moves import cast_of, only_person, say_kind
from ninefold.show.offers import say_next_start, say_refusal, say_series_result
from ninefold.show.scene import Scene, scene_of_match
from ninefold.show.status import say_status, say_title
from ninefold.show.values import Bar, bar_of
from ninefold.store.files import Matches, MatchFile
from ninefold.study.hints import find_hint

PAUSE = 0.6  # seconds that a computer seems to think, so that people can follow


class Sitting:
    """A match as the screen sees it. What changes it raises NinefoldError where it is refused."""

    match: Match
    you: Seat | None = None  # the one person who reads this screen
    link = ""  # of a match on a server
    changed: Callable[[], None] = staticmethod(lambda: None)  # called when something came from elsewhere

    @property
    def notice(self) -> str:
        """What there is to say beside what is to be done."""
        return ""

    @property
    def cast(self) -> Cast:
        return cast_of(self.match, self.you)

    @property
    def over(self) -> bool:
        return self.match.over

    @property
    def waiting(self) -> bool:
        """Whether the second player is still to come."""
        return False

    @property
    def ticking(self) -> bool:
        """Whether time runs, so that the screen has to be drawn again."""
        return False

    @property
    def mover(self) -> Seat | None:
        """The seat that chooses a move at this screen now."""
        return None

    @property
    def viewer(self) -> Seat | None:
        """Whose eyes the screen is drawn for."""
        return self.you

    @property
    def covered(self) -> Seat | None:
        """Who is to choose in secret next, with the other one looking away."""
        return None

    @property
    def computer(self) -> Seat | None:
        """The seat for which a computer at this screen is to choose."""
        return None

    @property
    def advised(self) -> bool:
        """Whether hint and eval may be asked for."""
        return self.match.hints and not self.over

    def scene(self) -> Scene:
        return scene_of_match(self.match, self.viewer, self.cast)

    def status(self) -> str:
        """What is going on, and what is to be chosen."""
        return say_status(self.match, self.viewer, self.cast)

    def title(self) -> str:
        return say_title(self.match, self.viewer, self.cast)

    def ending(self) -> Ending | None:
        return describe_ending(self.match, self.cast) if self.over else None

    def notes(self) -> dict[Seat, str]:
        """By seat, what stands at the right of its name."""
        kinds = {player.seat: player.kind for player in self.match.players}
        return {seat: say_kind(kind) for seat, kind in kinds.items() if kind != PERSON}

    @property
    def score(self) -> Series | None:
        """The games so far, from the second on."""
        return None

    def afterwards(self) -> str:
        """What can come after the end."""
        return say_next_start("Rematch?", self.match.game, self.cast)

    @property
    def followed(self) -> bool:
        """Whether the next game has begun, which both players wanted."""
        return False

    def allows(self, action: str) -> bool:
        """Whether something is possible now that goes beyond a match at one screen."""
        return action == "follow"

    async def play(self, seat: Seat, move: Move) -> None:
        raise NotImplementedError

    async def undo(self, seat: Seat) -> None:
        raise NotImplementedError

    async def resign(self, seat: Seat) -> None:
        raise NotImplementedError

    async def stop(self, seat: Seat) -> None:
        """Offer to stop."""
        raise NotImplementedError

    async def answer(self, *, agree: bool) -> None:
        """Answer what the other player offers."""
        raise NotImplementedError

    async def claim(self) -> None:
        """Win, because the other player has been away for too long."""
        raise NotImplementedError

    async def abort(self) -> None:
        """Cancel a match before its first move."""
        raise NotImplementedError

    async def hint(self, seat: Seat) -> tuple[Move, str]:
        """The best move, and a sentence that says why."""
        state = self.match.open_state
        hint = await asyncio.to_thread(find_hint, state, seat)
        return hint.move, say_hint(state, hint, self.cast)

    async def bar(self) -> Bar:
        """Who is winning."""
        found = await asyncio.to_thread(evaluate, self.match.open_state)
        return bar_of(found.value, self.cast)

    async def think(self, skip: asyncio.Event) -> None:
        """Let the computer move, after a pause that `skip` cuts short."""

    async def follow(self) -> Sitting | None:
        """The game after this one, if there is to be one."""
        raise NotImplementedError

    def leave(self) -> str:
        """Go away from the match, which is kept; how to come back, as a sentence."""
        return ""

    @property
    def line_mode(self) -> list[str]:
        """The command that goes on with the match in line mode."""
        return []


class LocalSitting(Sitting):
    """A match between people at this screen and computers, kept in a file."""

    def __init__(
        self,
        match: Match,
        saved: MatchFile,
        setup: Mapping[str, int | str],
        score: Series | None = None,
        rng: Random | None = None,
    ) -> None:
        self.match = match
        self.saved = saved
        self.you = only_person(match)
        self._setup = setup  # what was settled for all games; everything else is drawn for each
        self._before = score or Series(1)  # the games before this one
        self._rng = rng or Random()
        self._people = tuple(player.seat for player in match.players if player.kind == PERSON)
        self._computers = {
            player.seat: seated
            for player in match.players
            if (seated := seat_player(player.kind, self._rng)) is not None
        }
        self._keep()

    @classmethod
    def new(
        cls,
        game: Game,
        kinds: tuple[str, str],
        names: tuple[str | None, str | None],
        setup: Mapping[str, int | str],
        first: str = "1",
        best_of: int | None = None,
        rng: Random | None = None,
    ) -> LocalSitting:
        """A new match, as it was asked for. Raises NinefoldError."""
        rng = rng or Random()
        seat, (name, other) = choose_side(game, first, rng), fill_names(names, kinds)
        players = (Player(name, seat, kinds[0]), Player(other, seat.other, kinds[1]))
        series = Series(best_of, setup=setup) if best_of and best_of > 1 else None
        match = Match(game.set_up(setup, rng), players, series=series)
        return cls(match, Matches().new(), setup, rng=rng)

    @classmethod
    def resume(cls, id: str) -> LocalSitting:
        """A match that was left before its end. Raises StoreError."""
        saved, match = Matches().resume(id)
        return cls(match, saved, match.series.setup if match.series else lasting_settings(match))

    @property
    def notice(self) -> str:
        return self._unsaved

    def _next_seat(self) -> Seat | None:
        """The seat to ask next. The challenger chooses before the defender."""
        return None if self.over else self.match.state.movers[0]

    @property
    def mover(self) -> Seat | None:
        asked = self._next_seat()
        return asked if asked in self._people else None

    @property
    def viewer(self) -> Seat | None:
        return self.you if self.you is not None else self._next_seat()

    @property
    def covered(self) -> Seat | None:
        secret = not self.over and self.match.state.secret
        return self.mover if secret and self.you is None else None

    @property
    def computer(self) -> Seat | None:
        asked = self._next_seat()
        return asked if asked in self._computers else None

    @property
    def score(self) -> Series | None:
        series = self.match.series
        before = self._before if series is None else series
        now = before.after(winner_of(self.match)) if self.over else before
        first = series is None and self.over  # nobody counts one game
        return now if series or sum(now.wins) + now.stopped > first else None

    def afterwards(self) -> str:
        series = self.match.series and self.score
        if not series:
            return super().afterwards()
        if series.over:
            return f"{say_series_result(series, self.cast)} {super().afterwards()}"
        return say_next_start("Next game?", self.match.game, self.cast)

    async def play(self, seat: Seat, move: Any) -> None:
        self.match.submit(seat, move)
        self._keep()

    async def think(self, skip: asyncio.Event) -> None:
        seat, ply = self.computer, len(self.match.played)
        if seat is None:
            return
        waiting = asyncio.create_task(skip.wait())
        thinking = asyncio.create_task(
            asyncio.to_thread(self._computers[seat].choose, self.match.open_state, seat)
        )
        try:
            await asyncio.wait([waiting], timeout=PAUSE)
            move = await thinking
        except PlayerFailed as error:
            self.match.forfeit(seat, str(error))
            self._keep()
            return
        finally:
            waiting.cancel()
        if len(self.match.played) == ply:
            await self.play(seat, move)

    async def undo(self, seat: Seat) -> None:
        self.match.undo(until=self._people, by=seat)
        self._keep()

    async def resign(self, seat: Seat) -> None:
        self.match.resign(seat)
        self._keep()

    async def stop(self, seat: Seat) -> None:
        other = seat.other
        if other in self._computers and not await asyncio.to_thread(
            agrees_to_stop, self.match.open_state
        ):
            raise NinefoldError(say_refusal(other, self.cast, computer=True))
        self.match.stop_by_agreement()
        self._keep()

    async def follow(self) -> Sitting | None:
        series = self.match.series
        if series is not None:
            series = series.after(winner_of(self.match))
            if series.over:
                series = Series(series.best_of, setup=series.setup)
        score = self._before.after(winner_of(self.match))
        match = next_match(self.match, self._setup, self._rng, series)
        self.leave()
        return LocalSitting(match, Matches().new(), self._setup, score, self._rng)

    def leave(self) -> str:
        for player in self._computers.values():
            player.close()
        self.saved.close()
        return ""

    @property
    def line_mode(self) -> list[str]:
        return ["resume", self.saved.id] if self.match.begun and not self.over else []

    def _keep(self) -> None:
        """Put the match on disk. If that fails, say so and go on; the next move tries again."""
        try:
            self.saved.update(self.match)
        except OSError as error:
            self._unsaved = f"The match cannot be saved ({error.strerror}). Each move tries again."
        else:
            self._unsaved = ""
